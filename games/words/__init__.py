"""The words of play: sentences and names, in the reader's language."""
