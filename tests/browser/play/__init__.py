"""Playing a game at a real browser."""
