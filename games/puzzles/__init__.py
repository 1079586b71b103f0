"""Puzzles: a position, what to do there, and the answer with its proof. The rules alone judge what is tried."""
