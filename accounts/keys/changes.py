"""What has changed about how a person logs in: noted with its browser, said by e-mail, and on every other device.

allauth writes the e-mails (`templates/mfa/email/`, `templates/account/email/`); the rows here are listed on the page of
log-ins, and until it is opened a line on every page of each other browser leads there.
"""

from collections.abc import Sequence

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from accounts.keys.agents import device_of_agent
from accounts.models import AccountChange, ChangeKind, User
from accounts.sessions import note_read

#: How many changes are kept of a person.
MOST_KEPT = 20


def note_account_change(user_id: int, kind: ChangeKind, request: HttpRequest | None = None) -> None:
    """Note that something has changed, in the browser of this request. Three queries.

    That browser knows already, where the person is logged in there.
    """
    now, agent = timezone.now(), request.headers.get("User-Agent", "") if request else ""
    with transaction.atomic():
        if not User.objects.filter(pk=user_id, is_active=True).update(keys_changed_at=now):
            # The account was closed meanwhile, and keeps nothing.
            return
        device = device_of_agent(agent) if request else ""
        AccountChange.objects.create(user_id=user_id, kind=kind, device=device, made_at=now)
        kept = AccountChange.objects.filter(user=user_id).order_by("-pk")
        kept.exclude(pk__in=list(kept.values_list("pk", flat=True)[:MOST_KEPT])).delete()
    if request is not None and request.user.pk == user_id:
        note_read(request.session, now)


def changes_of(user: User) -> Sequence[AccountChange]:
    """Return what has changed, the latest first. One query."""
    return list(AccountChange.objects.filter(user=user).order_by("-pk")[:MOST_KEPT])
