"""What of a table is posted to chats outside the site."""
