"""What every use case begins with: doors, positions of games, a new table before it exists, counted totals."""
