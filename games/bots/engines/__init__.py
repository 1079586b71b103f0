"""Engines: pure functions from a position to a placement. No Django, no clock, no global randomness."""
