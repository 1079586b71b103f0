"""Game records and their notations: written, read, and refused."""
