"""Standing seeks in words."""
