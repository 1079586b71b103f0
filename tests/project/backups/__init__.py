"""Copies of a site's data: made, kept, checked and brought back."""
