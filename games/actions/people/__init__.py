"""What concerns a person in all their games, or their devices, feeds and notices."""
