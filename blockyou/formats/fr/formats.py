"""The decimals of our pages are coordinates of drawings, which SVG reads in one way only."""

DECIMAL_SEPARATOR = "."
