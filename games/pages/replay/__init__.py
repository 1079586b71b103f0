"""A game move by move, and its graphs."""
