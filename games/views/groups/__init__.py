"""Groups: their pages, their members, their tables."""
