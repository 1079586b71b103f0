"""Commands that start and keep an installation."""
