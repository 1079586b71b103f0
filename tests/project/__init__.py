"""The wiring: settings, headers, start and supervision."""
