"""The API: what the pages of a game can do, for programs, over the same queries and actions."""
