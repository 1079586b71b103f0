"""Groups: who joins and leaves, and the table that a group always has."""
