"""How a person reads the site: in which language, and at which time of day."""
