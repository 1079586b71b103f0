"""Puzzles in words."""
