"""`manage.py reset_link`: for a family whose site sends no mail."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import logged_in, who
from tests.accounts.test_passwords import NEW, follow, reset


def printed(capsys: pytest.CaptureFixture[str], name: str) -> str:
    call_command("reset_link", name)
    return capsys.readouterr().out.strip()


@pytest.mark.parametrize("name", ["alice", "ALICE"])
def test_the_link_lets_the_person_choose_a_new_password_once(
    alice: User, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    link = printed(capsys, name)
    assert link.startswith("http://127.0.0.1:8000/accounts/password/reset/key/")
    reset(Client(), link)
    assert who(logged_in("alice", NEW)) == alice
    assert follow(Client(), link) is None


def test_an_address_that_is_a_guess_is_said_to_be_one(
    alice: User, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.PUBLIC_URL_IS_KNOWN = False
    call_command("reset_link", "alice")
    assert "PUBLIC_URL is not set here" in capsys.readouterr().err


def test_the_link_alone_goes_to_the_output_and_the_advice_beside_it(
    alice: User, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.PUBLIC_URL_IS_KNOWN = True
    call_command("reset_link", "alice")
    written = capsys.readouterr()
    assert written.out.count("\n") == 1
    assert written.err == "Give this link to alice alone. It works once, within 60 minutes.\n"


@pytest.mark.parametrize("name", ["nobody", "a1ice", ""])
def test_an_unknown_name_is_told_in_a_sentence(alice: User, name: str) -> None:
    with pytest.raises(CommandError, match="There is no account named"):
        call_command("reset_link", name)


def test_a_guest_has_no_password_to_reset(as_guest: Client) -> None:
    with pytest.raises(CommandError, match="is a guest"):
        call_command("reset_link", User.objects.get().username)


def test_a_closed_account_is_nobody(alice: User) -> None:
    User.objects.update(is_active=False)
    with pytest.raises(CommandError, match="There is no account named"):
        call_command("reset_link", "alice")
