"""Whom a child may meet, as its guardian says."""
