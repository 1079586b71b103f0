"""When people were last here: noted in memory by every request and socket, written now and then for many at once."""
