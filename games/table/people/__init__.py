"""Who meets at tables: people whose rows are locked, sides that part, members who are called."""
