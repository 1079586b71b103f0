"""What programs of a person fetch by a secret address: a calendar of deadlines, and a feed of notices."""

#: The most deadlines, or notices, in a feed.
MOST_ENTRIES = 100
