"""What a person takes along: the rows that are theirs, and how far the file is."""
