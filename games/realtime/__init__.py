"""The only room that speaks Channels: sockets that say that something has changed, never what."""
