"""Puzzles: storing those that were found, trying one, taking a hint."""
