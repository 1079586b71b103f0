"""The pages of puzzles: one of a day on a board, and the earlier ones."""
