"""The client for Python, one file that stands alone."""
