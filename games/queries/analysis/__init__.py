"""What engines found: how far advice and reviews have come, and what of them is still to be judged."""
