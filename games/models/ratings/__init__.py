"""Tables of how strong people are, as rated games say: `games.base.rated` and `games.actions.ratings` write them."""
