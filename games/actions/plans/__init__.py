"""Plans for one's next turns: set, cleared, and played when a turn begins."""
