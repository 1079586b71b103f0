"""What becomes of a guest who has an account."""
