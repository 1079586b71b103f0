"""A table before its game begins, and the one that follows it."""
