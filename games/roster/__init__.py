"""The roster: which bots can be seated, as data. It makes no engine and holds no text that people read."""
