"""The holidays of people: how much they have earned, and what they have taken."""
