"""Confirming an address by the link in an e-mail."""

from typing import Any

from allauth.account.views import ConfirmEmailView


class AddressView(ConfirmEmailView):
    """allauth's page with a button that confirms. No one is logged in by it, and no one is logged out."""

    def logout_other_user(self, confirmation: Any) -> None:
        """Leave the browser logged in: a guest who opens a stranger's link by mistake would lose every game."""
