"""What people write for others to read: cleaning it, and comments in studies."""
