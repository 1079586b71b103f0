"""Plans for one's next turns."""
