"""What people fill in about games, and how it becomes what actions and queries take."""
