"""How strong people are, from the games they have finished: the fit of all, what one game does, and families."""
