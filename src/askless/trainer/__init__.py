"""Fitting out of the way: a predictor learns while the next question is already being asked."""
