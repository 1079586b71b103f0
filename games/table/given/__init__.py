"""Games that begin at a position of another: which moves they are given."""
