"""The page of a game: to place, to agree on pauses, in words, and to pass on."""
