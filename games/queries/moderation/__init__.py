"""What people have reported, and what moderators have decided."""
