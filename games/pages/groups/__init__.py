"""Groups as their members see them: their pages, and the channel that they post to."""
