"""Games of several people on one device."""
