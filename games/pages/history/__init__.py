"""The history of a player: its search, its page, its files."""
