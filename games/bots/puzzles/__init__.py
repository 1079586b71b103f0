"""Finding puzzles: games that bots play for it, and what is to be proved in the last moves of any finished game."""
