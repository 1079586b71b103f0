"""Pages that list games, people and notices."""
