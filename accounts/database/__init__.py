"""The way to the database that play and people share."""
