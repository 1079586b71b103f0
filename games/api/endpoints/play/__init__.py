"""A game under way: what is to be seen of it, its moves, plans, pauses, takebacks, days and talk."""
