"""What was sent when it had to be shown again who it is: it is done once, soon, and nothing secret waits for it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import Session, User
from tests.accounts.conftest import PASSWORD, logged_in, who
from tests.accounts.factors import AGAIN, PAGE, Clock, code_of, show_password, with_codes
from tests.accounts.factors import clock as clock
from tests.accounts.soft_key import asked_on
from tests.accounts.test_passkeys import AGAIN_BY_KEY, log_in_by, without_password

CLOSE, OTHERS, SET = "/accounts/delete/", "/accounts/keys/logins/end/", "/accounts/password/set/"
NEW = "another long sentence"

Show = Callable[[str], Any]


def by_passkey(alice: User, client: Client, put_on: Clock) -> tuple[Client, Show]:
    """Return a browser of alice, who has no password and was last asked long ago, and how she shows who she is."""
    key, _kept = without_password(alice, client)
    browser = log_in_by(key)
    put_on(301)

    def show(page: str) -> Any:
        asked = asked_on(browser, f"{AGAIN_BY_KEY}?next={page}")
        return browser.post(AGAIN_BY_KEY, {"credential": key.show(asked), "next": page})

    return browser, show


def test_what_was_sent_is_done_once_it_is_shown_who_it_is(as_alice: Client, alice: User, clock: Clock) -> None:
    browser, show = by_passkey(alice, as_alice, clock)
    assert browser.post(CLOSE, {"word": "delete"}).headers["Location"].startswith(AGAIN_BY_KEY)
    assert User.objects.get(pk=alice.pk).is_active
    show(CLOSE)
    assert not User.objects.get(pk=alice.pk).is_active


def test_what_was_broken_off_is_not_done_by_who_opens_the_page_later(
    as_alice: Client, alice: User, clock: Clock
) -> None:
    browser, show = by_passkey(alice, as_alice, clock)
    browser.post(CLOSE, {"word": "delete"})
    browser.get("/accounts/")
    answer = browser.get(CLOSE)
    assert answer.headers["Location"].startswith(AGAIN_BY_KEY)
    assert show(CLOSE).headers["Location"] == CLOSE
    assert User.objects.get(pk=alice.pk).is_active
    assert "Type the word delete" in browser.get(CLOSE).content.decode()


def test_what_was_sent_ten_minutes_ago_is_not_done_any_more(as_alice: Client, alice: User, clock: Clock) -> None:
    browser, show = by_passkey(alice, as_alice, clock)
    browser.post(CLOSE, {"word": "delete"})
    clock(601)
    assert show(CLOSE).headers["Location"] == CLOSE
    assert User.objects.get(pk=alice.pk).is_active


def test_what_was_sent_to_one_page_is_not_done_on_the_way_to_another(
    as_alice: Client, alice: User, clock: Clock
) -> None:
    browser, show = by_passkey(alice, as_alice, clock)
    browser.post(CLOSE, {"word": "delete"})
    assert show(PAGE).headers["Location"] == PAGE
    assert show(CLOSE).headers["Location"] == CLOSE
    assert User.objects.get(pk=alice.pk).is_active


def test_no_address_and_no_cookie_waits_in_a_session(alice: User) -> None:
    browser = logged_in("alice")
    sent = {"csrfmiddlewaretoken": "the mask of a page"}
    browser.post(OTHERS, sent, REMOTE_ADDR="192.0.2.77", headers={"User-Agent": "Mozilla/5.0 of alice"})
    kept = str([row.get_decoded() for row in Session.objects.all()])
    assert OTHERS in kept
    for said in ("192.0.2.77", "of alice", str(browser.session.session_key), "csrf"):
        assert said not in kept


def test_a_new_password_does_not_wait_in_a_session(as_alice: Client, alice: User, clock: Clock) -> None:
    browser, show = by_passkey(alice, as_alice, clock)
    answer = browser.post(SET, {"password1": NEW, "password2": NEW})
    assert answer.headers["Location"] == f"{AGAIN_BY_KEY}?next=%2Faccounts%2Fpassword%2Fset%2F"
    assert "another" not in str([row.get_decoded() for row in Session.objects.all()])
    page = browser.get(answer.headers["Location"]).content.decode()
    assert "Nothing has changed yet. Send the form again." in page
    assert show(SET).headers["Location"] == SET
    assert not User.objects.get(pk=alice.pk).has_usable_password()
    browser.post(SET, {"password1": NEW, "password2": NEW})
    assert User.objects.get(pk=alice.pk).check_password(NEW)


def test_a_form_that_is_too_long_is_sent_again(alice: User) -> None:
    browser = logged_in("alice")
    answer = browser.post("/accounts/tokens/", {"name": "x" * 20_001, "scopes": "read"})
    assert answer.headers["Location"] == "/accounts/reauthenticate/?next=%2Faccounts%2Ftokens%2F"
    assert "xxxx" not in str([row.get_decoded() for row in Session.objects.all()])


def test_with_a_password_it_goes_on_too(alice: User) -> None:
    phone, desk = logged_in("alice"), logged_in("alice")
    answer = desk.post(OTHERS)
    desk.post(answer.headers["Location"], {"password": PASSWORD, "next": OTHERS})
    assert (who(phone), who(desk)) == (None, alice)


@pytest.mark.parametrize("kept", [{"state": 7}, {"callback": "accounts.keys.again.go_on", "state": {}}, "text"])
def test_a_session_of_another_release_asks_again(alice: User, kept: Any) -> None:
    browser = logged_in("alice")
    session = browser.session
    session["account_reauthentication_state"] = kept
    session.save()
    answer = browser.post(f"/accounts/reauthenticate/?next={PAGE}", {"password": PASSWORD, "next": PAGE})
    assert answer.headers["Location"] == PAGE


def test_after_it_is_shown_again_the_session_has_another_key(alice: User) -> None:
    browser = logged_in("alice")
    before = browser.cookies["sessionid"].value
    browser.post("/accounts/reauthenticate/", {"password": "wrong"})
    assert browser.cookies["sessionid"].value == before
    show_password(browser)
    thief = Client()
    thief.cookies["sessionid"] = before
    assert browser.cookies["sessionid"].value != before
    assert (who(browser), thief.get("/accounts/").status_code) == (alice, 302)
    assert browser.get("/accounts/tokens/").status_code == 200
    assert Session.objects.filter(user_id=alice.pk).count() == 1


def test_after_a_passkey_or_a_code_it_has_another_key_too(as_alice: Client, alice: User, clock: Clock) -> None:
    browser, show = by_passkey(alice, as_alice, clock)
    secret, keys = with_codes(alice), [browser.cookies["sessionid"].value]
    show(PAGE)
    keys.append(browser.cookies["sessionid"].value)
    clock(30)
    browser.post(AGAIN, {"code": code_of(secret)})
    keys.append(browser.cookies["sessionid"].value)
    assert len({*keys}) == 3
    assert who(browser) == alice
    assert not Session.objects.filter(session_key__in=keys[:2]).exists()
