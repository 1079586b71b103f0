"""The Django app of people."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People: sign-up, guests, profiles, preferences. Knows nothing of games."""

    name = "accounts"
