"""How far others can rely on a person follows from their last turns, and a table may ask for it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.tables.join_game import join_game
from games.base.terms import KNOWN_FROM
from games.clock import PACES, TimeControl
from games.errors import BadRequest, NotSeated
from games.models import Game
from games.queries.tables.pairing import tables_to_join
from games.queries.tables.reliability import reliability_of
from tests.conftest import LogIn, person
from tests.games.play.pages import read
from tests.games.tables import ME, NOON, OPEN, bot, due, fresh, invited, open_table, play_out, running, take_turn

pytestmark = [pytest.mark.django_db, pytest.mark.database]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
A_DAY = TimeControl.days_a_move(1)


def turns(game: Game, number: int, after: timedelta = HOUR) -> Game:
    """Let so many turns be played, each that long after the one before."""
    for _ in range(number):
        game = fresh(game)
        game = take_turn(game, now=(game.turn_since or NOON) + after)
    return fresh(game)


def missing(user: User, others: list[User], times: int) -> Game:
    """Return a game of three in which the person, who begins, has missed so many turns in a row, one after a turn."""
    game = running(user, *others, variant="blockyou-3", time=A_DAY)
    for _ in range(times):
        game = take_turn(game, by_bot=True, now=None if fresh(game).deadline else NOON + 5 * DAY)
        game = turns(game, 2)
    return game


def test_turns_in_time_and_the_usual_reply_count(alice: User, bob: User) -> None:
    turns(running(alice, bob, time=A_DAY), 2 * KNOWN_FROM, after=2 * HOUR)
    found = reliability_of(alice.pk)
    assert (found.turns, found.share, found.usual, found.is_known) == (KNOWN_FROM, 100, 2 * HOUR, True)


def test_turns_that_nobody_waits_for_say_nothing(alice: User, bob: User) -> None:
    turns(running(alice, bob), 6)
    play_out(open_table(alice, ME, bot(), time=A_DAY), turns=6)
    assert reliability_of(alice.pk).turns == 0


def test_a_turn_that_a_bot_takes_is_late_and_those_after_two_are_not_waited_for(
    alice: User, bob: User, carol: User
) -> None:
    missing(alice, [bob, carol], 4)
    found = reliability_of(alice.pk)
    assert (found.turns, found.in_time) == (2, 0)


def test_who_runs_out_of_time_has_not_finished_and_who_resigns_a_duel_has(alice: User, bob: User) -> None:
    late = turns(running(alice, bob, time=A_DAY), 4)
    time_out(late.slug, number=due(late), now=NOON + 9 * DAY)
    resign(alice, turns(running(alice, bob, time=A_DAY), 4).slug, now=NOON)
    found = reliability_of(alice.pk)
    assert (found.games, found.finished, found.turns, found.in_time) == (2, 1, 5, 4)


def test_only_the_last_turns_count(alice: User, bob: User) -> None:
    for _ in range(4):
        play_out(running(alice, bob, time=A_DAY))
    found = reliability_of(alice.pk)
    assert (found.turns, found.games, found.finished) == (50, 4, 4)


def test_it_costs_two_queries_however_many_games_there_are(
    alice: User, bob: User, django_assert_num_queries: Any
) -> None:
    for _ in range(3):
        turns(running(alice, bob, time=A_DAY), 4)
        with django_assert_num_queries(2):
            reliability_of(alice.pk)
    newcomer = person("newcomer")
    with django_assert_num_queries(1):
        reliability_of(newcomer.pk)


def test_a_profile_says_it_from_ten_turns_on(alice: User, bob: User, client: Client) -> None:
    game = turns(running(alice, bob, time=A_DAY), 2 * KNOWN_FROM - 2, after=2 * HOUR)
    assert read(client.get("/players/alice/")).find_all(id="habits") == []
    turns(game, 2, after=2 * HOUR)
    habits = read(client.get("/players/alice/")).find(id="habits").text
    assert all(part in habits for part in ("Moves on time", "100\N{NO-BREAK SPACE}%", "Usual reply", "2 hours"))


@pytest.fixture
def unreliable(alice: User, bob: User, carol: User) -> User:
    """Return a person who has made eight of ten turns in time."""
    missing(alice, [bob, carol], 2)
    turns(running(alice, bob, time=A_DAY), 16)
    assert reliability_of(alice.pk).share == 80
    return alice


def test_a_table_asks_for_reliable_players(unreliable: User, bob: User) -> None:
    game = open_table(bob, ME, OPEN, min_reliability=90)
    with pytest.raises(NotSeated) as refused:
        join_game(unreliable, game.slug, now=NOON)
    assert refused.value.code == "unreliable"
    assert "at least 90% of their turns in time. You made 80% of your last 10." in str(refused.value)
    assert join_game(unreliable, open_table(bob, ME, OPEN, min_reliability=80).slug, now=NOON).status == "running"


def test_newcomers_and_those_who_are_invited_by_name_are_welcome(unreliable: User, bob: User) -> None:
    table = open_table(bob, ME, OPEN, min_reliability=95)
    assert join_game(person("dora"), table.slug, now=NOON).status == "running"
    named = open_table(bob, ME, invited("alice"), min_reliability=95)
    assert join_game(unreliable, named.slug, now=NOON).status == "running"


def test_quick_pairing_offers_no_table_that_would_refuse(unreliable: User, bob: User) -> None:
    strict = open_table(bob, ME, OPEN, variant="duo", min_reliability=90)
    assert tables_to_join(unreliable, ["duo"], NOON) == ()
    assert tables_to_join(person("dora"), ["duo"], NOON) == (strict.slug,)


def test_a_share_that_is_not_on_the_list_is_refused(alice: User) -> None:
    with pytest.raises(BadRequest) as refused:
        open_table(alice, ME, OPEN, min_reliability=81)
    assert refused.value.field == "min_reliability"


def test_the_form_and_the_table_say_it(alice: User, log_in: LogIn, client: Client) -> None:
    form = {"variant": "duo", "seat-0": "me", "seat-1": "open", "is_public": "yes", "passes": "automatic"}
    answer = log_in(alice).post("/games/new/", {**form, "time": "normal", "min_reliability": "90"})
    assert answer.status_code == 302
    assert (Game.objects.get().min_reliability, Game.objects.get().time_control) == (90, PACES["normal"])
    assert "at least 90% of their turns in time" in client.get(answer["Location"]).content.decode()
    assert "at least 90% of turns in time" in client.get("/lobby/").content.decode()
