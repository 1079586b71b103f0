"""Links that stop turn e-mails, without logging in: they stand in every such mail."""

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User

SIGNER = signing.Signer(salt="accounts.unsubscribe")


def link(user: User) -> str:
    """Return the absolute address that stops this person's turn e-mails (RFC 8058: a POST to it does, at once)."""
    path = reverse("unsubscribe", args=[SIGNER.sign(str(user.pk))])
    return f"{settings.PUBLIC_URL}{path}"


def person_of(token: str) -> User | None:
    """Return whose link this is; None for a token we did not sign, or of a closed account."""
    try:
        pk = int(SIGNER.unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return User.objects.filter(pk=pk, is_active=True).first()


def stop(user: User) -> None:
    """Send this person no more turn e-mails until the preference is switched on again."""
    user.wants_turn_emails = False
    user.save(update_fields=["wants_turn_emails"])
