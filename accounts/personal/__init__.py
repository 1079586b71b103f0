"""The one list of what is kept about people: what they take along, and what goes with their account."""
