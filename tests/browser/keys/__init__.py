"""Logging in at a real browser: passkeys, codes and the sign-on of a host, each way to its end."""
