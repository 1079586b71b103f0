"""A running game: its moves, and what ends or hands over a player's turns."""
