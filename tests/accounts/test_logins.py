"""The page of log-ins: where a person is logged in, ending one or all others, programs, and what has changed."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.keys.changes import note_account_change
from accounts.models import AccountChange, ChangeKind, Scope, Session, User
from accounts.signals import sessions_ended
from accounts.tokens import make_token
from tests.accounts.conftest import PASSWORD, who
from tests.accounts.factors import PAGE, show_password

PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
DESK = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36"
)
OTHERS = "/accounts/keys/logins/end/"


def browser(agent: str, name: str = "alice") -> Client:
    """Return a browser that says this of itself, in which the person has logged in."""
    client = Client(headers={"User-Agent": agent})
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    return client


def endings(page: Any) -> dict[str, str]:
    """Return the addresses that end a log-in, by the device."""
    text = page.content.decode()
    found = re.findall(r'action="(/accounts/keys/logins/\w+/end/)".*?aria-label="Log out ([^"]+)"', text, re.DOTALL)
    return {device: address for address, device in found}


@pytest.fixture
def ended() -> Iterator[list[tuple[int, str | None]]]:
    """What was told of ended sessions."""
    heard: list[tuple[int, str | None]] = []

    def hear(user_id: int, session_key: str | None, **kwargs: object) -> None:
        heard.append((user_id, session_key))

    sessions_ended.connect(hear)
    yield heard
    sessions_ended.disconnect(hear)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (PHONE, "Firefox on Android"),
        (DESK, "Chrome on Windows"),
        (DESK + " Edg/140.0.0.0", "Edge on Windows"),
        (DESK + " OPR/120.0", "Opera on Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile Safari/604.1", "Chrome on iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        (f"{DESK} Edg/142.0.0.0", "Edge on Windows"),
        (f"{MAC} Version/26.1 Safari/605.1.15", "Safari on Mac or iPad"),
        (f"{MAC} CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1", "Chrome on iPad"),
        (f"{MAC} CriOS/142 Version/11.1.1 Safari/605.1.15", "Chrome on iPad"),
        (f"{MAC} FxiOS/145.0 Safari/605.1.15", "Firefox on iPad"),
        (f"{MAC} EdgiOS/142.0 Version/26.0 Safari/605.1.15", "Edge on iPad"),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0",
            "Firefox on macOS",
        ),
        (f"{MAC.replace('605.1.15', '537.36')} Chrome/142.0.0.0 Safari/537.36", "Chrome on macOS"),
        (
            "Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 "
            "Mobile/15E148 Safari/604.1",
            "Safari on iPad",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "FxiOS/145.0 Mobile/15E148 Safari/605.1.15",
            "Firefox on iPhone",
        ),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 "
            "Chrome/136.0.0.0 Mobile Safari/537.36",
            "Samsung Internet on Android",
        ),
        (f"{ANDROID} EdgA/142.0.0.0", "Edge on Android"),
        (f"{ANDROID} OPR/92.0.0.0", "Opera on Android"),
        (ANDROID, "Chrome on Android"),
        (f"{DESK} Vivaldi/7.6", "Vivaldi on Windows"),
        (f"{DESK} YaBrowser/25.10.0.0", "Yandex Browser on Windows"),
        (
            "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 "
            "Safari/537.36",
            "Chrome on ChromeOS",
        ),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
            "Linux",
        ),
        (f"{ANDROID} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "A program"),
        ("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "A program"),
        (ANDROID.replace("Android 10; K", "Android 14; CUBOT NOTE 50"), "Chrome on Android"),
        ("curl/8.5", "Unknown device"),
        ("Linux", "Linux"),
        ("", "Unknown device"),
    ],
)
def test_a_device_is_called_by_its_browser_and_system(alice: User, agent: str, words: str) -> None:
    assert f"<strong>{words}</strong>" in browser(agent).get(PAGE).content.decode()


def test_the_page_lists_this_device_first_and_keeps_no_address_of_it(alice: User) -> None:
    browser(PHONE)
    desk = browser(DESK)
    page = desk.get(PAGE).content.decode()
    assert page.index("Chrome on Windows") < page.index("Firefox on Android")
    assert page.count("This device") == 1
    assert f"logged in since {timezone.now():%-d %b}"[:22] in " ".join(page.split())
    data = [row.get_decoded() for row in Session.objects.all()]
    assert not any("127.0.0.1" in str(each) for each in data)
    assert not any(row.session_key in page for row in Session.objects.all())


def test_one_log_in_is_ended_and_the_others_stay(
    alice: User, ended: list[tuple[int, str | None]], django_capture_on_commit_callbacks: Any
) -> None:
    phone, desk, tablet = browser(PHONE), browser(DESK), browser("Linux")
    show_password(desk)
    key = phone.session.session_key
    address = endings(desk.get(PAGE))["Firefox on Android"]
    with django_capture_on_commit_callbacks(execute=True):
        answer = desk.post(address, follow=True)
    assert "That device is logged out." in answer.content.decode()
    assert (who(phone), who(desk), who(tablet)) == (None, alice, alice)
    assert ended == [(alice.pk, key)]
    assert desk.post(address).headers["Location"] == PAGE


def test_all_others_are_ended_at_once(
    alice: User, ended: list[tuple[int, str | None]], django_capture_on_commit_callbacks: Any
) -> None:
    phone, desk = browser(PHONE), browser(DESK)
    show_password(desk)
    with django_capture_on_commit_callbacks(execute=True):
        desk.post(OTHERS)
    assert (who(phone), who(desk)) == (None, alice)
    assert ended == [(alice.pk, None)]


def test_ending_asks_again_who_it_is_and_then_goes_on(alice: User) -> None:
    phone, desk = browser(PHONE), browser(DESK)
    answer = desk.post(OTHERS)
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    assert who(phone) == alice
    desk.post(answer.headers["Location"], {"password": PASSWORD, "next": OTHERS})
    assert who(phone) is None


def test_nobody_ends_the_log_in_of_another_person(alice: User, bob: User) -> None:
    phone, desk, other = browser(PHONE), browser(DESK), browser(DESK, "bob")
    address = endings(desk.get(PAGE))["Firefox on Android"]
    show_password(other)
    other.post(address)
    assert who(phone) == alice


def test_this_very_device_is_logged_out_by_its_own_page(alice: User) -> None:
    phone, desk = browser(PHONE), browser(DESK)
    show_password(phone)
    address = endings(desk.get(PAGE))["Firefox on Android"]
    assert phone.post(address).headers["Location"] == "/accounts/logout/"
    assert who(phone) == alice


def test_a_log_in_of_the_release_before_is_listed_too(alice: User) -> None:
    client = Client()
    client.force_login(alice)
    session = client.session
    del session["device"], session["began_on"]
    session.save()
    assert "Unknown device" in client.get(PAGE).content.decode()


def test_programs_stand_in_the_same_list(as_alice: Client, alice: User) -> None:
    make_token(alice, "my dashboard", [Scope.READ], timezone.now())
    bot = User.objects.create_user("Fred", operator=alice)
    make_token(bot, "its player", [Scope.PLAY], timezone.now())
    page = as_alice.get(PAGE).content.decode()
    assert "my dashboard" in page
    assert "Token of your bot Fred" in page
    revoke = re.findall(r'action="(/accounts/tokens/\d+/revoke/)"', page)[0]
    assert as_alice.post(revoke, {"next": PAGE}).headers["Location"] == PAGE
    assert "my dashboard" not in as_alice.get(PAGE).content.decode()


def test_the_page_costs_the_same_however_many_log_ins_there_are(
    as_alice: Client, alice: User, django_assert_num_queries: Any
) -> None:
    for _ in range(5):
        browser(PHONE)
        make_token(alice, "a program", [Scope.READ], timezone.now())
    with django_assert_num_queries(8):
        as_alice.get(PAGE)


def test_guests_and_strangers_have_no_such_page(client: Client, as_guest: Client) -> None:
    assert client.get(PAGE).headers["Location"].startswith("/accounts/login/")
    assert as_guest.get(PAGE).headers["Location"].startswith("/accounts/claim/")


def test_every_other_browser_says_that_the_password_has_changed(alice: User) -> None:
    desk = browser(DESK)
    desk.post(
        "/accounts/password/change/", {"oldpassword": PASSWORD, "password1": PASSWORD * 2, "password2": PASSWORD * 2}
    )
    line = "How you log in has changed. Was it you?"
    assert line not in desk.get("/").content.decode()
    phone = Client(headers={"User-Agent": PHONE})
    phone.post("/accounts/login/", {"login": "alice", "password": PASSWORD * 2})
    assert line in phone.get("/").content.decode()
    page = phone.get(PAGE).content.decode()
    assert "Password changed" in page
    assert "Chrome on Windows" in page
    assert line not in phone.get("/").content.decode()


def test_the_line_goes_after_a_month(alice: User) -> None:
    User.objects.update(keys_changed_at=timezone.now() - timedelta(days=31))
    assert "How you log in has changed" not in browser(DESK).get("/").content.decode()


def test_a_new_address_is_noted(as_alice: Client) -> None:
    show_password(as_alice)
    as_alice.post("/accounts/email/", {"email": "alice@example.net", "action_add": ""})
    assert "E-mail address changed" in as_alice.get(PAGE).content.decode()


def test_only_the_latest_twenty_changes_are_kept(alice: User) -> None:
    for _ in range(25):
        note_account_change(alice.pk, ChangeKind.PASSWORD)
    assert AccountChange.objects.count() == 20
