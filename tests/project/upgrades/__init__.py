"""Databases of before come along: those of every release, and those of before the first whose migrations were squashed.

`first.sql` is a database of commit dda8360 with games of its demo in every state, a review, a study, a bot's thought
and hints that were asked for, as SQLite's `.dump` tells it; passwords are taken out.

`1.0.0.sql` is one of that release (commit 99b33c90), made by its own `seed_demo` (18 of its games) and actions: games
on nine boards and in every state; a guest, a bot account, a closed account; a review, a hint, a thought, a study, a
note, a pause, a channel, a webhook, a feed, a device and a token. Passwords and secrets are taken out.
"""
