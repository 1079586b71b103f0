"""The step between the password and the log-in."""

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.stages import AuthenticateStage
from django.http import HttpRequest


class SecondStage(AuthenticateStage):
    """Ask for the second factor, but not after a log-in by passkey, or by a recovery code in place of a lost one."""

    def _should_handle(self, request: HttpRequest) -> bool:
        records = get_authentication_records(request, self.login.user)
        return super()._should_handle(request) and not any(_is_in_place_of_a_passkey(each) for each in records)


def _is_in_place_of_a_passkey(record: dict[str, object]) -> bool:
    return bool(record.get("passwordless")) and record.get("type") == Authenticator.Type.RECOVERY_CODES
