"""People: those at a table, one of a name, and those that a person has played with."""
