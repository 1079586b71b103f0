"""A table and its game, changed within one transaction: steps that several actions share, and all that follows."""
