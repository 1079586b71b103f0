"""Pages on which people take along what is theirs."""
