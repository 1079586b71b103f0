"""Who floods what people do with each other is told to wait, and finds no way round it in guests made anew."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from games.actions.groups.create_group import create_group
from games.models import Group
from games.table import counting
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import running

pytestmark = pytest.mark.django_db

#: So often one may do it, and so many times as often all guests of an address together.
ONCE, TOGETHER = 2, 3
ELSEWHERE = "10.0.0.9"

#: What is done again and again, given what there is; each is another request where the same one would be one tap.
Flood = Callable[[Client, "Place", str], int]


class Place:
    """A game that everyone watches, and a group that everyone has the link of."""

    def __init__(self, host: User, other: User) -> None:
        self.watched = f"/games/{running(host, other).slug}/talk/watchers/"
        self.group = create_group(host, "Club").invite_token
        self.host = f"/players/{host.username}/"


def _post(browser: Client, path: str, address: str, **form: str) -> int:
    answer = browser.post(path, form, REMOTE_ADDR=address)
    if answer.status_code == 429:
        assert int(answer["Retry-After"]) >= 1
        assert re.search(r"Try again in \d+ |Wait a few seconds", read(answer).text), "a sentence says what to do"
    return answer.status_code


FLOODS: dict[str, Flood] = {
    "lines": lambda browser, place, address: _post(browser, place.watched, address, phrase="hello"),
    "follows": lambda browser, place, address: _post(browser, f"{place.host}follow/", address),
    "mutes": lambda browser, place, address: _post(browser, f"{place.host}mute/", address),
    "blocks": lambda browser, place, address: _post(browser, f"{place.host}block/", address),
    "reports": lambda browser, place, address: _post(browser, f"{place.host}report/", address, reason="spam"),
    "groups": lambda browser, place, address: _post(browser, f"/groups/join/{place.group}/", address),
}


@pytest.fixture
def place(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> Place:
    for name in ("LINES_AT_ONCE", "PEOPLE_AN_HOUR", "GROUPS_AN_HOUR", "REPORTS_AN_HOUR"):
        monkeypatch.setattr(counting, name, ONCE)
    monkeypatch.setattr(counting, "GUESTS_TOGETHER", TOGETHER)
    monkeypatch.setattr("accounts.limits.time.time", lambda: 1_800_000_001.0)
    return Place(alice, bob)


def guest(number: int) -> User:
    return User.objects.create_user(f"Guest-{number:06}", is_guest=True)


@pytest.mark.parametrize("flood", FLOODS)
def test_guests_made_anew_do_together_no_more_than_a_few_may(
    flood: str, place: Place, carol: User, log_in: LogIn
) -> None:
    act = FLOODS[flood]
    answers = []
    for number in range(2 * TOGETHER):
        browser = log_in(guest(number))
        answers.append([act(browser, place, "127.0.0.1") for _ in range(ONCE + 1)])
    done = [[status != 429 for status in each] for each in answers]
    assert done == [[True] * ONCE + [False]] * TOGETHER + [[False] * (ONCE + 1)] * TOGETHER
    assert all(status < 400 for each in answers[:TOGETHER] for status in each[:ONCE]), answers
    # Neither a member of the same address nor a guest elsewhere waits for them.
    assert act(log_in(carol), place, "127.0.0.1") < 400
    assert act(log_in(guest(99)), place, ELSEWHERE) < 400


def test_who_is_over_their_own_limit_takes_nothing_from_the_other_guests_of_the_address(
    place: Place, log_in: LogIn
) -> None:
    act, flooder = FLOODS["follows"], log_in(guest(0))
    assert [act(flooder, place, "127.0.0.1") for _ in range(20)].count(429) == 20 - ONCE
    for number in range(1, TOGETHER):
        browser = log_in(guest(number))
        assert [act(browser, place, "127.0.0.1") for _ in range(ONCE)] == [302] * ONCE


def test_a_member_who_makes_no_guest_is_counted_alone(place: Place, alice: User, bob: User, log_in: LogIn) -> None:
    group = Group.objects.get()
    assert group.owner == alice
    for person in (alice, bob):
        browser = log_in(person)
        found = [browser.post("/groups/", {"name": f"Club {number}"}).status_code for number in range(ONCE + 1)]
        assert found == [302] * ONCE + [429]
