"""The host's own sign-on, by OpenID Connect: what its provider says, and whose account that is."""
