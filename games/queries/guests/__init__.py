"""What a guest has who also has an account."""
