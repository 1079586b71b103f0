"""The decimals of our pages are coordinates of drawings, which SVG reads in one way only.

A comma keeps the year apart from the hour, as in English.
"""

DATETIME_FORMAT = "j F Y, H:i"
DECIMAL_SEPARATOR = "."
