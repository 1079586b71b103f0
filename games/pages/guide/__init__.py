"""What there is to learn: the rules, lessons, openings, and the bots."""
