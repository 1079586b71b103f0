"""Telling players outside the pages that it is their turn: what is said, by which channel, and only once."""
