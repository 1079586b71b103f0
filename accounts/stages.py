"""What happens between the right password and being logged in."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage

from accounts.models import User


class VerifyAddressIfAny(EmailVerificationStage):
    """Ask for a confirmed address, but only who has an address.

    Accounts made before the site sent e-mail may have none: asking those would lock them out for ever.
    """

    def handle(self) -> tuple[Any, bool]:
        """Return the answer that stops the login, or None, and whether to go on."""
        user = self.login.user
        if isinstance(user, User) and not has_address(user):
            return None, True
        answer: tuple[Any, bool] = super().handle()  # type: ignore[no-untyped-call]  # allauth leaves it bare
        return answer


def has_address(user: User) -> bool:
    """Return whether the person gave an e-mail address, confirmed or not."""
    return bool(user.email) or EmailAddress.objects.filter(user=user).exists()
