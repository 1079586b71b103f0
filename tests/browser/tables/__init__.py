"""Finding a table and sitting down at one, at a real browser."""
