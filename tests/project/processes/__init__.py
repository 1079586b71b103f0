"""The processes of a site: how they start, serve, are watched and end."""
