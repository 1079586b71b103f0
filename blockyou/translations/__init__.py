"""The texts of the site and their translations."""
