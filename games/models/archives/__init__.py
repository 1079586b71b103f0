"""Tables of the files in which people take along what is theirs."""
