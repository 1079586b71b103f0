"""The least a Django app can do to answer as Block-You does: the same bytes from a static board.

A page costs it the session, the user and five queries; a move one locked insert and one push. It has no rules, no
checks but login and forgery, and no middleware but what these need.
"""
