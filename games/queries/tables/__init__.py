"""A table: what was agreed, who sits, whose turn it is, and its pauses."""
