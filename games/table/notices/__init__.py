"""Posting a table to channels outside the site."""
