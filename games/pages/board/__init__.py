"""What pages with a board share: the board's data, the players, their clocks and moves."""
