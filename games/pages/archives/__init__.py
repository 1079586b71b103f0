"""What is shown of people's archives."""
