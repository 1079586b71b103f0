"""Requests about a table before its game begins."""
