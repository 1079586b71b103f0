"""Telling a person by e-mail what a moderator has decided about them: the reason, and what they can say against it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.mail.addresses import has_confirmed_address
from accounts.mail.letters import letter_to
from accounts.mail.outbox import post_mail
from accounts.models import User
from games.events import AppealRefused, DecisionsMade
from games.notifications.messages import as_read_by
from games.queries.moderation.reports import decisions_of, refused_appeal
from games.values import Measure
from games.words.moderation import measure_taken

if TYPE_CHECKING:
    from games.models import Decision


def write_of_decisions(event: DecisionsMade) -> None:
    """Write to the person, and to a child's guardian, what was decided, why, and how to appeal.

    No switch turns it off: whoever a decision is about is told the reason.
    """
    decisions = decisions_of(event.decisions)
    if not decisions:
        return
    for reader in _readers(decisions[0].person):
        with as_read_by(reader):
            context = {
                "person": _about(decisions[0].person, reader),
                "lines": [line for each in decisions for line in _lines(each)],
                "is_lifted": decisions[-1].measure == Measure.LIFT,
            }
            _post(reader, gettext("A moderator has made a decision"), context)


def write_of_refused_appeal(event: AppealRefused) -> None:
    """Write to the person, and to a child's guardian, that the decision stands, and what the moderator answers."""
    appeal = refused_appeal(event.appeal_id)
    if appeal is None:
        return
    person = appeal.decision.person
    for reader in _readers(person):
        with as_read_by(reader):
            context = {
                "person": _about(person, reader),
                "lines": _lines(appeal.decision, appeal.answer),
                "is_refused": True,
            }
            is_own = reader.pk == person.pk
            subject = gettext("A moderator has answered your appeal")
            _post(reader, subject if is_own else gettext("A moderator has answered an appeal"), context)


def _readers(person: User) -> list[User]:
    """Return who is written to: they have an address that is theirs, and the site sends e-mails."""
    if not settings.EMAIL_IS_SET:
        return []
    return [each for each in (person, person.guardian) if each and each.is_active and has_confirmed_address(each)]


def _about(person: User, reader: User) -> str:
    return "" if person.pk == reader.pk else person.shown_name


def _lines(decision: "Decision", answer: str = "") -> Sequence[str]:
    """Return what was decided and which rule was broken, until when, about which words, and what a moderator adds."""
    until = decision.until and date_format(timezone.localtime(decision.until), "DATETIME_FORMAT")
    measure = measure_taken(decision.measure, is_about_comment=decision.comment_key is not None)
    shown = decision.shown or (decision.lifts.shown if decision.lifts else "")
    found = [
        gettext("%(measure)s: %(reason)s.") % {"measure": measure, "reason": decision.get_reason_display()},
        gettext("Until %(moment)s.") % {"moment": until} if until else "",
        gettext("It is about: “%(words)s”") % {"words": shown} if shown else "",
        answer or decision.words,
    ]
    return [line for line in found if line]


def _post(reader: User, subject: str, context: dict[str, object]) -> None:
    links = {name: f"{settings.PUBLIC_URL}{reverse(name)}" for name in ("decisions", "conduct")}
    body = render_to_string("games/moderation/letter.txt", {"name": reader.username, **context, **links})
    mail = letter_to(reader, "decision", subject, body, {links["decisions"]: gettext("Read the decision")})
    post_mail(mail.message, mail.kind, mail.page)
