"""Bots: engines that choose, a registry of them, and the playing of a bot's turn."""
