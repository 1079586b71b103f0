"""What was said at a table."""
