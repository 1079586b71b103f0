"""What is asked of the tables."""
