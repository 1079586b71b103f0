"""The arena: matches between engines, those of other programs included, and what may be concluded from them.

`python -m games.arena` says how it is used, docs/bots.md how its figures are read. No Django.
"""
