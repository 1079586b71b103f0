"""The only room that speaks Channels: sockets, which say that something has changed and never what, and streams."""
