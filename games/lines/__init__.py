"""Openings that players have given names to: what they are, as data, and which of them a game has followed."""
