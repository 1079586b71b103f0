"""Guests who bring along what they have."""
