"""Web push: messages that a browser's push service passes on and cannot read (RFC 8030, 8188, 8291 and 8292)."""
