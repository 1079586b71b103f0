"""Reports, and what moderators decide."""
