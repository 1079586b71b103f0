"""Puzzles by day, how a person has fared at them, and how hard they have proved to be."""
