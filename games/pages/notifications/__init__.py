"""What is shown of notifications: the list, its feeds, messages to a chat."""
