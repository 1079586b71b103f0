"""The ways in: the first page, the lobby, and what an installed site shows."""
