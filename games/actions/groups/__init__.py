"""What people do with a group: found it, join it, change it, leave it."""
