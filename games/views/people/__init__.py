"""A person's games, and a player's page."""
