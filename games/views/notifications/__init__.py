"""Requests about notifications: the list, its feeds, devices, messages to a chat."""
