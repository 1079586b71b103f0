"""What people say at their tables, and that they have read it."""
