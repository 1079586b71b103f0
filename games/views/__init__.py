"""Pages and their addresses: get, act, answer."""
