"""Reports and decisions: what is kept of a report, who is locked for a decision, and what a measure does."""
