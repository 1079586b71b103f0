"""Time that players give each other or take for themselves: days and holidays."""
