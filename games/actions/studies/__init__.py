"""Studies: boards to try things on."""
