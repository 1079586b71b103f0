"""Time that players give each other."""
