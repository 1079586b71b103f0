"""A person's games: one's own, and those on a player's page."""
