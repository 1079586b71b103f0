"""What a person always wants to play, and how the site seats them."""
