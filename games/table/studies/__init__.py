"""Studies: creating one, and its variations."""
