"""Tables of puzzles: those of each day, and how people have fared at them."""
