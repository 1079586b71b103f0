"""Databases of before come along: those of the first release's predecessors, whose migrations were squashed.

`first.sql` is a database of commit dda8360 with games of its demo in every state, a review, a study, a bot's thought
and hints that were asked for, as SQLite's `.dump` tells it; passwords are taken out.
"""
