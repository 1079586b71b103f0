"""What lists of games have in common: cards, seats, results, pages by position."""
