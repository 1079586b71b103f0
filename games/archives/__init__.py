"""Archives: the files in which people take along what is theirs, made by a job and read again on another site."""
