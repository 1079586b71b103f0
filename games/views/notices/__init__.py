"""Requests about notifications: the list, its feeds, devices, posts to a channel."""
