"""What a whole crowd asks for at the same time."""
