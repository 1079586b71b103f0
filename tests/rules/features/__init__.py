"""The features, run against the rules."""
