"""Block-You: the project's wiring; no behaviour lives here."""
