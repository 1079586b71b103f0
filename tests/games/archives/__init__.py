"""What people take along, what goes with their account, and the one list that says both."""
