"""Studies: what is written in them, by whom, and who is shown it."""
