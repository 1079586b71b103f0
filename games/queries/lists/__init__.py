"""Long lists, some rows at a time, in their order: a read costs hardly more for the longer list."""
