"""Stylesheets and scripts: bundled and named by their content."""
