"""Ratings of all people, fitted anew."""
