"""Who floods what people do with each other is told to wait, and finds no way round it in guests made anew."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Scope, User
from accounts.tokens import make_token
from games.actions.groups.create_group import create_group
from games.actions.moves.resign import resign
from games.clock import TimeControl
from games.models import Decision, Game, Group, Measure, Membership
from games.table import counting
from tests.conftest import LogIn
from tests.games.children.families import child_of
from tests.games.children.test_story import logged_in
from tests.games.play.pages import read
from tests.games.tables import LINK, ME, OPEN, open_table, running, take_turn

pytestmark = pytest.mark.django_db

#: So often one may do it, and so many times as often all guests of an address together.
ONCE, TOGETHER = 2, 3
ELSEWHERE = "10.0.0.9"

#: What is done again and again, given what there is; each is another request where the same one would be one tap.
Flood = Callable[[Client, "Place", str], int]


class Place:
    """A game that everyone watches, a group that everyone has the link of, and games that each has with the host."""

    def __init__(self, host: User, other: User) -> None:
        self._host, self._own = host, dict[tuple[str, int], Game]()
        self.watched = f"/games/{running(host, other).slug}/talk/watchers/"
        self.group = create_group(host, "Club").invite_token
        self.host = f"/players/{host.username}/"

    def _kept(self, kind: str, browser: Client, make: Callable[[User], Game]) -> str:
        """Return the address of a game of this browser's person; the same one of a kind always."""
        person = person_of(browser)
        if (kind, person.pk) not in self._own:
            self._own[kind, person.pk] = make(person)
        return f"/games/{self._own[kind, person.pk].slug}/"

    def game(self, browser: Client) -> str:
        """Return the address of a game in which the host is to move."""
        day = TimeControl.days_a_move(1)
        return self._kept("waiting", browser, lambda person: self._begin(self._host, person, time=day))

    def placed(self, browser: Client) -> str:
        """Return the address of one in which this browser's person has just placed."""
        return self._kept(
            "placed", browser, lambda person: take_turn(self._begin(person, self._host, allows_takebacks=True))
        )

    def answered(self, browser: Client) -> str:
        """Return the address of one in which the host has placed first."""
        return self._kept("answered", browser, lambda person: take_turn(self._begin(self._host, person)))

    def advised(self, browser: Client) -> str:
        """Return the address of one in which this browser's person is to move, and may ask for hints."""
        return self._kept(
            "advised", browser, lambda person: self._begin(person, self._host, allows_advice=True, variant="duo")
        )

    def over(self, browser: Client) -> str:
        """Return the address of one that is over."""
        return self._kept(
            "over", browser, lambda person: resign(person, take_turn(self._begin(person, self._host)).slug).game
        )

    def opened(self, browser: Client) -> str:
        """Return the address of a table at which players choose their colours."""
        return self._kept(
            "opened",
            browser,
            lambda person: open_table(person, ME, LINK, is_public=False, lets_choose=True, now=timezone.now()),
        )

    def club(self, browser: Client) -> str:
        """Return the slug of the group, of which this browser's person is a member."""
        club = Group.objects.get()
        Membership.objects.get_or_create(group=club, person=person_of(browser), defaults={"joined_at": timezone.now()})
        return club.slug

    def hidden(self, browser: Client) -> str:
        """Return the address of a private table of this browser's person, with a seat for anyone."""
        return self._kept(
            "hidden", browser, lambda person: open_table(person, ME, OPEN, is_public=False, now=timezone.now())
        )

    def _begin(self, *people: User, **terms: Any) -> Game:
        return running(*people, is_public=False, now=timezone.now(), **terms)

    def decided(self, browser: Client) -> str:
        """Return the address at which this browser's person may appeal against one more decision about them."""
        about, now = person_of(browser), timezone.now()
        made = Decision.objects.create(
            person=about, moderator=self._host, measure=Measure.WARN, reason="spam", made_at=now
        )
        return f"/decisions/{made.pk}/appeal/"


def person_of(browser: Client) -> User:
    return User.objects.get(pk=browser.session["_auth_user_id"])


def _post(browser: Client, path: str, address: str, **form: str) -> int:
    answer = browser.post(path, form, REMOTE_ADDR=address)
    if answer.status_code == 429:
        assert int(answer["Retry-After"]) >= 1
        assert re.search(r"Try again in \d+ |Wait a few seconds", read(answer).text), "a sentence says what to do"
    return answer.status_code


#: A table for anyone, which the lobby shows.
TABLE = {"variant": "blockyou-2", "days": "3", "is_public": "yes", "passes": "automatic", "name": ""}
TABLE |= {"seat-0": "me", "seat-1": "open"}
#: Terms by which a table that was private is shown there.
SHOWN = {"name": "", "is_public": "yes", "time": "fast", "stand_in": "none"}
FLOODS: dict[str, Flood] = {
    "lines": lambda browser, place, address: _post(browser, place.watched, address, phrase="hello"),
    "follows": lambda browser, place, address: _post(browser, f"{place.host}follow/", address),
    "mutes": lambda browser, place, address: _post(browser, f"{place.host}mute/", address),
    "blocks": lambda browser, place, address: _post(browser, f"{place.host}block/", address),
    "reports": lambda browser, place, address: _post(browser, f"{place.host}report/", address, reason="spam"),
    "groups": lambda browser, place, address: _post(browser, f"/groups/join/{place.group}/", address),
    "notes": lambda browser, place, address: _post(
        browser, f"{place.game(browser)}note/", address, text="A", edition="0"
    ),
    "days": lambda browser, place, address: _post(browser, f"{place.game(browser)}give-day/", address, number="1"),
    "pauses": lambda browser, place, address: _post(browser, f"{place.game(browser)}pause/ask/", address, pause="0"),
    "takebacks": lambda browser, place, address: _post(
        browser, f"{place.placed(browser)}takeback/ask/", address, number="2"
    ),
    "colours": lambda browser, place, address: _post(browser, f"{place.opened(browser)}seat/", address, colour="blue"),
    "tables": lambda browser, place, address: _post(
        browser, f"{place.opened(browser)}swap/", address, one="0", other="1"
    ),
    "lobby": lambda browser, _place, address: _post(browser, "/games/new/", address, **TABLE),
    "shown": lambda browser, place, address: _post(browser, f"{place.hidden(browser)}edit/", address, **SHOWN),
    "tables of groups": lambda browser, place, address: _post(
        browser, f"/groups/{place.club(browser)}/table/", address, players="2"
    ),
    "players' lines": lambda browser, place, address: _post(
        browser, f"{place.game(browser)}talk/", address, phrase="hello"
    ),
    "reactions": lambda browser, place, address: _post(
        browser, f"{place.answered(browser)}moves/1/reaction/", address, reaction="nice"
    ),
    "hints": lambda browser, place, address: _post(browser, f"{place.advised(browser)}advice/", address),
    "reviews": lambda browser, place, address: _post(browser, f"{place.over(browser)}review/ask/", address),
    "channels": lambda browser, place, address: _post(browser, f"{place.game(browser)}channel/stop/", address),
    "holidays": lambda browser, place, address: _post(browser, "/holidays/choose/", address, spends_itself="yes"),
    "appeals": lambda browser, place, address: _post(browser, place.decided(browser), address, words="Why?"),
}
#: Whatever is limited to so many in an hour.
LIMITS = (
    *("PEOPLE_AN_HOUR", "GROUPS_AN_HOUR", "REPORTS_AN_HOUR", "NOTES_AN_HOUR", "GIFTS_AN_HOUR", "CHANNELS_AN_HOUR"),
    *("PAUSES_AN_HOUR", "TAKEBACKS_AN_HOUR", "CHOICES_AN_HOUR", "TABLE_CHANGES_AN_HOUR", "CHILDREN_AN_HOUR"),
    *("ADVICE_AN_HOUR", "REVIEWS_AN_HOUR", "TABLES_AN_HOUR"),
)


@pytest.fixture
def place(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> Place:
    for name in ("LINES_AT_ONCE", "HOLIDAYS_AN_HOUR", "ASKED_AN_HOUR", "CHANNEL_TESTS_AN_HOUR", *LIMITS):
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


def test_a_child_who_asks_again_and_again_is_told_to_wait(
    place: Place, alice: User, carol: User, log_in: LogIn
) -> None:
    browser = log_in(child_of(carol))
    found = [_post(browser, "/children/ask/", "127.0.0.1", username=alice.username) for _ in range(ONCE + 1)]
    assert found == [302] * ONCE + [429]


def test_a_guardian_who_changes_what_a_child_may_do_again_and_again_is_told_to_wait(place: Place, carol: User) -> None:
    child, browser = child_of(carol), logged_in(carol)
    found = [
        _post(browser, f"/children/{child.pk}/phrases/", "127.0.0.1", phrases=phrases) for phrases in ("yes", "no", "")
    ]
    assert found == [302] * ONCE + [429]


def test_tables_that_new_guests_open_for_anyone_are_counted_through_whichever_door(place: Place, log_in: LogIn) -> None:
    # Each has opened none yet that could be offered again.
    doors = [("/games/new/", TABLE), ("/play-anyone/", {}), ("/games/new/", {"preset": "anyone"})] * TOGETHER
    found = []
    for number, (path, form) in enumerate(doors):
        Game.objects.update(is_listed=False)
        found.append(_post(log_in(guest(number)), path, "127.0.0.1", **form))
    assert found == [302] * ONCE * TOGETHER + [429] * (len(doors) - ONCE * TOGETHER)
    # What others do not see in the lobby goes on.
    assert _post(log_in(guest(99)), "/games/new/", "127.0.0.1", preset="friend") == 302


#: What programs may do so often, given the address of a game in which another is to move.
ASKED: dict[str, tuple[str, dict[str, object]]] = {
    "days": ("{game}give-day", {"number": 1}),
    "notes": ("{game}note", {"text": "A", "edition": 0}),
    "pauses": ("{game}pause/ask", {"version": 0}),
    "holidays": ("holidays/choose", {"automatic": True}),
    "channels": ("{game}webhook/stop", {}),
}


@pytest.mark.parametrize("what", ASKED)
def test_a_program_has_the_limit_of_its_person(what: str, place: Place, carol: User, log_in: LogIn) -> None:
    path, sent = ASKED[what]
    browser = log_in(carol)
    address = path.format(game=place.game(browser).removeprefix("/"))
    secret = make_token(carol, "a test", [*Scope], timezone.now())
    headers = {"Authorization": f"Bearer {secret}"}
    answers = [
        Client().post(f"/api/v1/{address}", sent, content_type="application/json", headers=headers)
        for _ in range(ONCE + 1)
    ]
    assert [answer.status_code < 300 for answer in answers] == [True] * ONCE + [False]
    assert answers[-1].status_code == 429
    assert re.search(r"Wait \d+ seconds", answers[-1].json()["detail"])
    # It is the limit that the person has in a browser too.
    assert FLOODS[what](browser, place, "127.0.0.1") == 429


def test_test_messages_to_a_channel_are_limited(place: Place, carol: User, log_in: LogIn) -> None:
    browser = log_in(carol)
    game = place.game(browser)
    browser.post(f"{game}channel/", {"address": "https://discord.com/api/webhooks/1/a"})
    found = [_post(browser, f"{game}channel/test/", "127.0.0.1") for _ in range(ONCE + 1)]
    assert found == [302] * ONCE + [429]
