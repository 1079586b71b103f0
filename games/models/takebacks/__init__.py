"""What of a game's history stands no more: moves that were taken back."""
