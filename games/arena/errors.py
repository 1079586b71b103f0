"""What can go wrong in the arena."""


class ArenaError(Exception):
    """A match cannot be played, or not go on; the text is a sentence for the person who asked for it."""


class BrokenEngine(ArenaError):
    """Another program died, hung or talked nonsense. Nothing it has said since the last whole game counts."""


class Failed(Exception):
    """A player had no lawful move to give although there was one; it has lost this game."""
