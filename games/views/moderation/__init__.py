"""Reports of people, and the pages of moderators."""
