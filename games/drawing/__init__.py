"""Boards and pieces as SVG paths, without any words and without the tables of the database."""
