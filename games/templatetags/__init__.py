"""What templates may ask for beyond what a view hands them."""
