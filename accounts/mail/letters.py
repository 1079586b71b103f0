"""E-mails about accounts: what their text says, on a card with one button too."""

from collections.abc import Mapping

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils.translation import gettext

from accounts.mail.outbox import WrittenMail
from accounts.models import User

#: What stands above the name of the site at the end of the text (`templates/account/email/base_message.txt`).
SIGNATURE = "\n--\n"


def letter_to(person: User, kind: str, subject: str, body: str, labels: Mapping[str, str]) -> WrittenMail:
    """Return a letter to a person, the name of the site before its subject; `labels` are those of `letter_page`."""
    title = gettext("Block-You: %(subject)s") % {"subject": subject}
    return WrittenMail(EmailMessage(title, body, to=[person.email]), kind, letter_page(subject, body, labels))


def letter_page(subject: str, body: str, labels: Mapping[str, str]) -> str:
    """Return the text of an e-mail as a page: the first link that has a label is its button.

    `labels` are what buttons say, by link. Nothing is loaded when the page is read.
    """
    text = body.rpartition(SIGNATURE)[0] or body
    lines = text.splitlines()
    at = next((number for number, line in enumerate(lines) if line.strip() in labels), len(lines))
    link = lines[at].strip() if at < len(lines) else ""
    context = {
        "subject": subject,
        "before": _paragraphs(lines[:at]),
        "link": link,
        "label": labels.get(link, ""),
        "after": _paragraphs(lines[at + 1 :]),
        "public_url": settings.PUBLIC_URL,
    }
    return render_to_string("accounts/mail.html", context)


def _paragraphs(lines: list[str]) -> list[str]:
    return [" ".join(part.split()) for part in "\n".join(lines).split("\n\n") if part.strip()]
