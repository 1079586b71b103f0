"""A command line to look into games with: docs/engine.md. Nothing of Django."""
