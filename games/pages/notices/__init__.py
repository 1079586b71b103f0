"""What is shown of notifications: the list, its feeds, posts to a channel."""
