"""A game in words: the page for people who play by ear or by typing."""
