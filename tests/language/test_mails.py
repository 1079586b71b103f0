"""Mails come in the language of whoever reads them, not of whoever caused them."""

import random
import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import translation

from accounts.models import User
from accounts.readers import languages
from games.clock import TimeControl
from games.models import Player
from tests.accounts.conftest import mailing
from tests.conftest import LogIn
from tests.games.notifications.turns import deliver_turn
from tests.games.tables import NOON, advance, running

__all__ = ["mailing"]
pytestmark = pytest.mark.django_db
ENGLISH, FRENCH = {"Accept-Language": "en"}, {"Accept-Language": "fr"}


def confirmed(user: User, language: str) -> User:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    User.objects.filter(pk=user.pk).update(language=language)
    return user


def words(mail: EmailMessage) -> str:
    return f"{mail.subject}\n{mail.body}"


@pytest.mark.parametrize(
    ("language", "subject", "until"),
    [
        ("fr", "À vous de jouer\u00a0: alice", "Vous avez jusqu’au 4 mars 2026, 12:00 UTC."),
        ("en", "Your turn: alice", "You have until 4 Mar 2026, 12:00 UTC."),
    ],
)
def test_a_turn_is_told_in_the_players_language_whatever_that_of_the_process(
    alice: User, bob: User, mailoutbox: list[EmailMessage], language: str, subject: str, until: str
) -> None:
    User.objects.filter(pk=bob.pk).update(language=language)
    game = advance(running(alice, bob, now=NOON, time=TimeControl.days_a_move(3)), random.Random(1), now=NOON)
    with translation.override("en" if language == "fr" else "fr"):
        deliver_turn(Player.objects.get(game=game, seat=1).pk, 2, now=NOON)
    [mail] = mailoutbox
    assert mail.subject == subject
    assert until in mail.body


def test_a_new_password_is_sent_in_the_language_of_the_account(
    client: Client, alice: User, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    confirmed(alice, "fr")
    client.post("/accounts/password/reset/", {"email": alice.email}, headers=ENGLISH)
    assert "Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour alice." in words(mailoutbox[0])


def test_trying_an_address_that_has_an_account_tells_its_owner_in_their_language(
    client: Client, alice: User, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    confirmed(alice, "fr")
    form = {"username": "mallory", "email": alice.email, "password1": "diagonals touch, sides never"}
    client.post("/accounts/signup/", form, headers=ENGLISH)
    assert "Cette adresse a déjà un compte." in words(mailoutbox[0])


@pytest.mark.parametrize(("owner", "other"), [(7, 8), (8, 7)])
def test_an_address_is_its_confirmed_owners_whatever_the_numbers_of_the_accounts(
    db: None, owner: int, other: int
) -> None:
    confirmed(User.objects.create_user("carol", email="carol@example.org", pk=owner), "fr")
    User.objects.create_user("mallory", email="carol@example.org", pk=other)
    assert languages.of_address("carol@example.org") == "fr"


def test_whoever_never_chose_gets_mail_in_the_language_of_the_page(
    client: Client, alice: User, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    confirmed(alice, "")
    client.post("/accounts/password/reset/", {"email": alice.email}, headers=FRENCH)
    client.post("/accounts/password/reset/", {"email": "nobody@example.org"}, headers=FRENCH)
    assert "Choisissez un nouveau mot de passe" in mailoutbox[0].subject
    assert "Aucun compte avec cette adresse" in mailoutbox[1].subject


def test_a_mail_in_french_has_nothing_english(
    client: Client, alice: User, mailing: None, mailoutbox: list[EmailMessage], log_in: LogIn
) -> None:
    browser = log_in(confirmed(alice, "fr"))
    before: dict[str, Any] = {"password": "corner to corner, always"}
    browser.post("/accounts/reauthenticate/", before)
    browser.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})
    new = {
        "oldpassword": before["password"],
        "password1": "diagonals touch, sides",
        "password2": "diagonals touch, sides",
    }
    browser.post("/accounts/password/change/", new)
    assert len(mailoutbox) >= 2
    for mail in mailoutbox:
        text = words(mail).replace("Block-You", "")
        assert not re.search(r"\b(the|your|this|you|was|is|and)\b", text, re.IGNORECASE), text
