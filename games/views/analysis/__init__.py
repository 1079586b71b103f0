"""What engines think of a game, and a game move by move."""
