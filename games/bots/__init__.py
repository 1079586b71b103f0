"""Bots: engines that choose, how they are made for the bots of the roster, and the playing of a bot's turn."""
