"""Learning the weights of policies by self-play; see docs/training.md. Nothing that plays imports this."""
