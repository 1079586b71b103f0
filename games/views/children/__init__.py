"""Children's accounts: what they may open, and the pages of those who keep them."""
