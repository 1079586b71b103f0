"""People: who they are and whom they know, their games, and how these ended."""
