"""The steps of a study: before it is kept, and its variations."""
