"""What a review shows, on its page and in a record."""
