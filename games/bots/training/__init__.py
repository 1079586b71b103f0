"""Learning the weights of policies by self-play; see docs/bots.md. Nothing that plays imports this."""
