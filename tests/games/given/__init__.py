"""Games that begin at a position of another."""
