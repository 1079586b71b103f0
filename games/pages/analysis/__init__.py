"""What engines think: advice, a bot's move explained, and studies."""
