"""Tables of what people report, and of what moderators decide."""
