"""How an item becomes a vector, and where the vectors are kept."""
