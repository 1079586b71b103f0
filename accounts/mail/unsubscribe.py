"""Links that stop e-mails about games, a kind each, without logging in: they stand in every such mail."""

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User

SIGNER = signing.Signer(salt="accounts.mail.unsubscribe")

#: E-mails about turns have a preference of their own, and links in older mails name no kind.
TURN = "turn"


def link(user: User, kind: str = TURN) -> str:
    """Return the absolute address that stops this person's e-mails of a kind (RFC 8058: a POST to it does, at once)."""
    path = reverse("unsubscribe", args=[SIGNER.sign(str(user.pk) if kind == TURN else f"{user.pk}.{kind}")])
    return f"{settings.PUBLIC_URL}{path}"


def reader_of(token: str) -> tuple[User | None, str]:
    """Return whose link this is and which kind of e-mails it stops; None for a forged one, or of a closed account."""
    try:
        pk, _dot, kind = SIGNER.unsign(token).partition(".")
        return User.objects.filter(pk=int(pk), is_active=True).first(), kind or TURN
    except (signing.BadSignature, ValueError):
        return None, ""


def has_stopped(user: User, kind: str) -> bool:
    """Return whether the person has stopped e-mails of this kind."""
    return not user.wants_turn_emails if kind == TURN else user.notice_choices.get(f"{kind}.email") is False


def stop(user: User, kind: str) -> None:
    """Send this person no more e-mails of this kind until they are switched on again. Other kinds stay as they are."""
    if kind == TURN:
        user.notice_choices.setdefault("email", user.wants_turn_emails)
        user.wants_turn_emails = False
    else:
        user.notice_choices[f"{kind}.email"] = False
    user.save(update_fields=["wants_turn_emails", "notice_choices"])
