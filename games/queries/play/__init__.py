"""A game as it is played: its state, its moves, its seats, and how bots came to theirs."""
