"""The play page and its parts."""
