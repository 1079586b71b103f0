"""Archives: the files in which people take along what is theirs."""
