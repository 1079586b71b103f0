"""Pauses: of a game of bots, by its creator; of any other, by agreement."""
