"""Sessions: a year that starts again, at most one write a day, and who hears that one has ended."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth import SESSION_KEY
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import Session, User
from accounts.sessions import SessionStore
from accounts.signals import sessions_ended
from tests.accounts.conftest import PASSWORD, logged_in

NEW = "another long sentence"


@pytest.fixture
def ended() -> Iterator[list[tuple[int, str | None]]]:
    """What was told of ended sessions."""
    heard = []

    def hear(user_id: int, session_key: str | None, **kwargs: object) -> None:
        # Whoever hears this looks the session up: it must be gone by then.
        if not Session.objects.filter(session_key=session_key).exists():
            heard.append((user_id, session_key))

    sessions_ended.connect(hear)
    yield heard
    sessions_ended.disconnect(hear)


def test_a_session_knows_whose_it_is(as_alice: Client, alice: User) -> None:
    assert Session.objects.get().user_id == alice.pk


def test_a_key_cannot_be_guessed(as_alice: Client, alice: User) -> None:
    keys = {logged_in("alice").session.session_key or "" for _each in range(3)} | {as_alice.session.session_key or ""}
    assert len(keys) == 4
    # 32 of 36 signs: 165 bits.
    assert {len(key) for key in keys} == {32}
    assert set("".join(keys)) <= set("abcdefghijklmnopqrstuvwxyz0123456789")


def test_the_year_starts_again_on_another_day(as_alice: Client) -> None:
    as_alice.get("/accounts/")
    yesterday = as_alice.session
    yesterday["slid_on"] = "2026-01-01"
    yesterday.save()
    Session.objects.update(expire_date=timezone.now() + timedelta(days=1))
    answer = as_alice.get("/accounts/")
    assert answer.cookies["sessionid"]["max-age"] == 365 * 24 * 3600
    assert Session.objects.get().expire_date > timezone.now() + timedelta(days=364)


def test_a_session_that_was_not_used_for_a_year_is_over_and_one_that_was_used_is_not(
    as_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = timezone.now()
    unused = logged_in("alice")
    for days in (300, 600, 900):
        monkeypatch.setattr(timezone, "now", lambda days=days: began + timedelta(days=days))
        assert as_alice.get("/accounts/").status_code == 200
    assert unused.get("/accounts/").status_code == 302
    monkeypatch.setattr(timezone, "now", lambda: began + timedelta(days=900 + 366))
    assert as_alice.get("/accounts/").status_code == 302


def test_a_session_is_not_written_again_on_the_day_of_the_login(
    as_alice: Client, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(3) as queries:
        answer = as_alice.get("/accounts/preferences/")
    assert all(query["sql"].startswith("SELECT") for query in queries)
    assert "sessionid" not in answer.cookies


def test_a_guest_slides_too(as_guest: Client) -> None:
    assert "slid_on" in as_guest.session


@pytest.mark.django_db
def test_a_stranger_gets_no_session_and_costs_no_query(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        answer = client.get("/accounts/login/")
    assert "sessionid" not in answer.cookies


@pytest.mark.django_db(transaction=True)
def test_logging_out_tells_which_session_ended(alice: User, ended: list[tuple[int, str | None]]) -> None:
    client = logged_in("alice")
    key = client.session.session_key
    client.post("/accounts/logout/")
    assert ended == [(alice.pk, key)]


@pytest.mark.django_db(transaction=True)
def test_a_new_password_tells_that_all_sessions_ended(alice: User, ended: list[tuple[int, str | None]]) -> None:
    client = logged_in("alice")
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert ended == [(alice.pk, None)]


@pytest.mark.django_db(transaction=True)
def test_a_guest_who_logs_in_elsewhere_ends_as_a_guest(
    alice: User, as_guest: Client, ended: list[tuple[int, str | None]]
) -> None:
    guest, key = int(as_guest.session[SESSION_KEY]), as_guest.session.session_key
    as_guest.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert ended == [(guest, key)]
    assert not Session.objects.filter(session_key=key).exists()


@pytest.mark.django_db(transaction=True)
def test_a_listener_that_fails_stops_nobody(
    alice: User, ended: list[tuple[int, str | None]], caplog: pytest.LogCaptureFixture
) -> None:
    def fail(**kwargs: object) -> None:
        raise RuntimeError("a listener of the test")

    sessions_ended.connect(fail)
    client = logged_in("alice")
    assert client.post("/accounts/logout/").status_code == 302
    sessions_ended.disconnect(fail)


def test_expired_sessions_are_swept_by_the_usual_command(as_alice: Client) -> None:
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    call_command("clearsessions")
    assert not Session.objects.exists()


def test_a_session_deleted_behind_our_back_is_a_stranger(as_alice: Client) -> None:
    Session.objects.all().delete()
    assert as_alice.get("/accounts/").status_code == 302


def test_a_page_that_was_asked_for_with_a_replaced_key_takes_no_cookie_away(as_alice: Client) -> None:
    late, before = Client(), as_alice.cookies["sessionid"].value
    late.cookies["sessionid"] = before
    as_alice.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    answer = late.get("/accounts/login/")
    assert "sessionid" not in answer.cookies
    assert "Cookie" in answer["Vary"]


def test_a_senseless_cookie_is_a_stranger(db: None) -> None:
    client = Client()
    client.cookies["sessionid"] = "' or 1=1 --"
    assert client.get("/accounts/").status_code == 302


def test_the_row_knows_its_owner_when_saved_without_blocking_too(alice: User) -> None:
    store = SessionStore()
    store[SESSION_KEY] = str(alice.pk)
    async_to_sync(store.asave)()
    assert Session.objects.get().user_id == alice.pk
    assert str(Session.objects.get()) == f"session of {alice.pk}"


@pytest.mark.django_db(transaction=True)
def test_who_was_nobody_ends_nothing(client: Client, ended: list[tuple[int, str | None]]) -> None:
    client.post("/accounts/logout/")
    assert ended == []


def test_the_table_names_its_engine(settings: Any) -> None:
    assert f"{Session.get_session_store_class().__module__}" == settings.SESSION_ENGINE
