"""A game shown again: move by move, with its graphs, and as a picture to pass on."""
