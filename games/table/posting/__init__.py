"""Posting a table to chats outside the site."""
