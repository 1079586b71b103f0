"""What people who play together have in common: how their games ended."""
