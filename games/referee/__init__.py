"""A referee for programs that play by CodinGame's protocol: docs/referee.md. Nothing of Django."""
