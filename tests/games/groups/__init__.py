"""Groups of people, their members and their tables."""
