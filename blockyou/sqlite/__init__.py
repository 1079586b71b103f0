"""SQLite as the site uses it: Django's own engine, in which who has waited long for the lock is soon to have it."""
