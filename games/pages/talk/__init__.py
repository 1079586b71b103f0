"""What is said at a table, and the reactions to its placements, as one of its players reads them."""
