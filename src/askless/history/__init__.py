"""What the events of a session say: their fold, and small projections of it."""
