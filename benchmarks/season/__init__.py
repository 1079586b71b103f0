"""A season: two months of people's games, simulated through the real actions in a few minutes."""
