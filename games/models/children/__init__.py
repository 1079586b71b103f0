"""Whom children may meet."""
