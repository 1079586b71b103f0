"""What people report to moderators, and what moderators decide."""
