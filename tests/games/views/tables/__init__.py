"""Opening a table, being invited to one, and sitting down."""
