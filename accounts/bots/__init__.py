"""Bot accounts: players of programs, each with a person who answers for it."""
