"""SQLite with a fairer wait for its write lock than the one it has: whoever waits longer retries more often."""
