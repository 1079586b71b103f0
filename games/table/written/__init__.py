"""What people write for others to read: texts, and comments in studies."""
