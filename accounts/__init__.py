"""The room of people: it knows nothing of games."""
