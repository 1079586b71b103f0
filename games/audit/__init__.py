"""Checks that what is stored follows from the moves: a game by itself, and the counters of the whole site."""
