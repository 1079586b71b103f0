"""The ways in, and whether the site is well."""
