"""Reads: what pages show, as values ready for their templates."""
