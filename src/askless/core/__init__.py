"""The mathematics: frozen values and pure functions. Imports numpy and errors only."""
