"""What an e-mail about an account looks like: the same words as its text, on a card with one button."""

import re
from email import message_from_bytes
from email.message import EmailMessage as Parsed
from email.policy import default
from html import unescape
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from django.core.mail import EmailMessage
from django.utils import timezone

from accounts.mail.letters import letter_page
from accounts.mail.outbox import send_posted_mail
from accounts.mail.restoring import restoring_link
from accounts.models import Mail, User
from tests.proof import proof
from tests.spam import check_no_spam, needs_spamassassin

pytestmark = pytest.mark.django_db
LINK = "https://127.0.0.1/accounts/x/"
#: Every e-mail about an account, what its button says, and the name of the button's link.
MAILS = {
    "email_confirmation": ("Confirm this address", "activate_url"),
    "email_confirmation_signup": ("Confirm this address", "activate_url"),
    "password_reset_key": ("New password", "reset_url"),
    "account_already_exists": ("New password", "password_reset_url"),
    "unknown_account": ("Create an account", "signup_url"),
    "email_changed": ("Take your account back", "restore_url"),
    "email_confirm": ("New password", "password_reset_url"),
    "email_deleted": ("New password", "password_reset_url"),
    "password_changed": ("New password", "password_reset_url"),
    "password_reset": ("New password", "password_reset_url"),
    "password_removed": ("New password", "password_reset_url"),
    "password_set": ("New password", "password_reset_url"),
    "archive_made": ("Your data", "archive_url"),
}


def sent(kind: str, person: User, mailoutbox: list[EmailMessage]) -> Parsed:
    """Return an e-mail of that kind to the person, as mail programs read it."""
    context: dict[str, Any] = {
        "user": person,
        "activate_url": LINK,
        "reset_url": f"{LINK}reset/",
        "restore_url": restoring_link(person, person.email),
        "archive_url": f"{LINK}data/",
        "from_email": person.email,
        "to_email": "new@example.org",
        "deleted_email": "old@example.org",
        "timestamp": timezone.now(),
    }
    get_adapter().send_mail(f"account/email/{kind}", person.email, context)
    return message_from_bytes(mailoutbox[-1].message().as_bytes(), policy=default)


def part(mail: Parsed, kind: str) -> str:
    found = mail.get_body((kind,))
    assert found is not None
    return str(found.get_content())


def words(page: str) -> str:
    seen = re.sub(r"<style>.*?</style>|<title>.*?</title>|<[^>]+>", " ", page, flags=re.DOTALL)
    return " ".join(unescape(seen).split())


@pytest.mark.parametrize("kind", MAILS)
def test_an_account_mail_is_a_card_with_one_button_and_says_what_its_text_says(
    kind: str, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    label, _link = MAILS[kind]
    mail = sent(kind, alice, mailoutbox)
    assert mail.get_content_type() == "multipart/alternative"
    page, text = part(mail, "html"), part(mail, "plain")
    (button,) = re.findall(r'<a\s+class="button"\s+href="([^"]+)"[^>]*>(.*?)</a>', page, re.DOTALL)
    assert button[1].strip() == label
    assert unescape(button[0]) in text.splitlines()
    assert mail["Subject"] == f"Block-You: {unescape(re.findall('<h1[^>]*>(.*?)</h1>', page)[0])}"
    # As round where dark mode colours the link itself as where its cell is seen.
    assert "border-radius" in re.findall(r"\.button {(.*?)}", page, re.DOTALL)[0]
    for paragraph in text.partition("\n--\n")[0].split("\n\n"):
        for line in paragraph.splitlines():
            assert " ".join(line.split()) in words(page)
    # Nothing is fetched from anywhere when it is read, and no picture tells that it was.
    assert not re.search(r"<img|url\(|<link|<script", page)


def test_an_account_mail_is_in_its_readers_language(alice: User, mailoutbox: list[EmailMessage]) -> None:
    alice.language = "fr"
    alice.save()
    page = part(sent("password_reset_key", alice, mailoutbox), "html")
    assert '<html lang="fr">' in page
    assert "Choisissez un nouveau mot de passe" in words(page)
    assert "Nouveau mot de passe" in words(page)


def test_what_people_call_themselves_is_no_part_of_the_page() -> None:
    page = letter_page("<b>Hi</b>", f"<i>x</i> asks\n{LINK}\n\nBye", {LINK: "Go <on>"})
    assert not re.search("<b>|<i>|<on>", page)
    assert "<i>x</i> asks Go <on>" in words(page)


def test_a_mail_without_a_link_has_no_button() -> None:
    assert 'class="button"' not in letter_page("Hello", "It is done.", {LINK: "Open"})


def test_a_mail_of_text_alone_that_waits_already_is_sent_as_it_is(mailoutbox: list[EmailMessage]) -> None:
    now = timezone.now()
    row = Mail.objects.create(kind="x", to="a@example.org", subject="s", body="b", posted_at=now, due_at=now)
    assert send_posted_mail(row.pk, 0, now=now)
    assert mailoutbox[-1].message().get_content_type() == "text/plain"


@pytest.mark.slow
@needs_spamassassin
@pytest.mark.parametrize("language", ["en", *proof("fr")])
@pytest.mark.parametrize(
    "kind", ["email_confirmation_signup", "password_reset_key", *proof("email_changed", "archive_made")]
)
def test_an_account_mail_is_far_from_the_spam_folder(
    kind: str, language: str, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    alice.language = language
    alice.save()
    check_no_spam(sent(kind, alice, mailoutbox).as_bytes())
