"""Puzzles: looked at, tried, and their hints taken."""
