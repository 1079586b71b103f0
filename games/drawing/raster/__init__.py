"""Pictures and animations of a game, made of pixels."""
