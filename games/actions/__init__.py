"""What people and bots do: one use case a file, each one transaction."""
