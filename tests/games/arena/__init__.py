"""Matches between engines, and what is concluded from them."""
