"""Events: told once, after commit, and of nothing that was rolled back."""

import logging
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

import pytest
from django.db import transaction

from accounts.models import User
from games import events, tasks
from games.actions.moves.resign import resign
from games.actions.notices.set_game_channel import set_game_channel
from games.actions.pauses.ask_for_pause import ask_for_pause
from games.actions.pauses.end_pause import end_pause
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.create_game import create_game
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.remove_player import remove_player
from games.errors import GameError
from games.events import (
    Event,
    GameCancelled,
    GameCreated,
    GameEvent,
    GameFinished,
    GameStarted,
    MovePlayed,
    NoticesListed,
    NoticesRecorded,
    SeatsChanged,
)
from games.models import Game
from games.realtime import publish
from tests.conftest import person
from tests.games.tables import ME, NOON, OPEN, bot, fresh, invited, open_table, place, play_out, running, setup

pytestmark = pytest.mark.django_db(transaction=True)
CHANNEL = "https://channel.example.org/hook"
#: Something that one person does, in one transaction.
Act: TypeAlias = Callable[[], Any]


def names(heard: list[GameEvent]) -> list[str]:
    told = [type(event).__name__ for event in heard]
    heard.clear()
    return told


def test_every_change_of_a_table_is_told_in_order(heard: list[GameEvent]) -> None:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    table = open_table(alice, ME, OPEN, invited("carol"))
    assert names(heard) == ["GameCreated"]
    join_game(bob, table.slug)
    leave_game(bob, table.slug)
    decline_invitation(carol, table.slug)
    assert names(heard) == ["SeatsChanged"] * 3
    join_game(bob, table.slug)
    join_game(carol, table.slug)
    assert names(heard) == ["SeatsChanged", "SeatsChanged", "GameStarted"]
    place(table, "1:a1")
    assert names(heard) == ["MovePlayed"]
    resign(bob, table.slug)
    resign(carol, table.slug)
    assert names(heard) == ["MovePlayed", "MovePlayed", "GameFinished"]
    cancel_game(alice, open_table(alice, ME, OPEN).slug)
    assert names(heard) == ["GameCreated", "GameCancelled"]


def test_a_table_that_starts_at_once_is_told_so(heard: list[GameEvent]) -> None:
    game = create_game(person("alice"), setup(ME, bot()))
    created, started = heard
    assert isinstance(created, GameCreated)
    assert isinstance(started, GameStarted)
    assert (started.game_id, started.turn_seat, started.version) == (game.pk, 0, 1)


def test_an_event_says_which_pages_it_touches(heard: list[GameEvent]) -> None:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    table = open_table(alice, ME, OPEN, invited("carol"), is_public=False)
    join_game(bob, table.slug, token=table.invite_token)
    event = heard[-1]
    assert (event.slug, event.version, event.is_public) == (table.slug, 2, False)
    assert event.users == tuple(sorted((alice.pk, bob.pk, carol.pk)))


@pytest.mark.parametrize("leave", [leave_game, decline_invitation])
def test_who_has_left_is_told_too(heard: list[GameEvent], leave) -> None:  # type: ignore[no-untyped-def]
    alice, bob = person("alice"), person("bob")
    table = open_table(alice, ME, OPEN, invited("bob"))
    if leave is leave_game:
        join_game(bob, table.slug)
    leave(bob, table.slug)
    event = heard[-1]
    assert isinstance(event, SeatsChanged)
    assert (event.former, event.users) == ((bob.pk,), (alice.pk,))


def test_one_request_is_one_event_with_all_its_moves(heard: list[GameEvent]) -> None:
    game = play_out(running(person("alice"), person("bob")))
    moves = [event for event in heard if isinstance(event, MovePlayed)]
    assert [event.version for event in moves] == list(range(3, game.version + 1))
    covered = [n for event in moves for n in range(event.first_number, event.last_number + 1)]
    assert covered == list(range(1, game.move_count + 1))
    last, end = heard[-2:]
    assert isinstance(last, MovePlayed)
    assert isinstance(end, GameFinished)
    assert (last.turn_seat, end.reason, end.version) == (None, "played-out", game.version)


def test_a_repeated_request_tells_nothing(heard: list[GameEvent]) -> None:
    alice, bob = person("alice"), person("bob")
    game = running(alice, bob)
    place(game, "1:a1", key="one-and-the-same")
    heard.clear()
    place(game, "1:a1", alice, key="one-and-the-same")
    join_game(bob, game.slug)
    assert heard == []


def test_a_refused_request_tells_nothing(heard: list[GameEvent]) -> None:
    alice, bob = person("alice"), person("bob")
    game = running(alice, bob)
    heard.clear()
    for refused in (lambda: place(game, "1:b2"), lambda: place(game, "1:a1", bob), lambda: leave_game(bob, game.slug)):
        with pytest.raises(GameError):
            refused()
    assert heard == []


def test_nothing_is_told_of_what_was_rolled_back(heard: list[GameEvent]) -> None:
    game = running(person("alice"), person("bob"))
    heard.clear()
    with transaction.atomic():
        place(game, "1:a1")
        transaction.set_rollback(True)
    assert heard == []
    assert fresh(game).move_count == 0


def test_an_event_is_told_after_the_commit_when_everybody_can_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = running(person("alice"), person("bob"))
    seen: list[tuple[bool, int]] = []

    def look(event: MovePlayed) -> None:
        in_transaction = transaction.get_connection().in_atomic_block
        seen.append((in_transaction, Game.objects.get(pk=event.game_id).version - event.version))

    events.subscribe(MovePlayed, look)
    try:
        with transaction.atomic():
            place(game, "1:a1")
            assert seen == []
    finally:
        events.unsubscribe(MovePlayed, look)
    assert seen == [(False, 0)]


def test_a_subscriber_that_fails_stops_nobody(heard: list[GameEvent], caplog: pytest.LogCaptureFixture) -> None:
    def fail(event: GameEvent) -> None:
        raise ValueError("on purpose")

    game = running(person("alice"), person("bob"))
    events.subscribe(MovePlayed, fail)
    try:
        with caplog.at_level(logging.CRITICAL, "django.db.backends.base"):
            place(game, "1:a1")
    finally:
        events.unsubscribe(MovePlayed, fail)
    assert isinstance(heard[-1], MovePlayed)
    assert fresh(game).move_count == 1


def test_whoever_subscribes_twice_hears_once(heard: list[GameEvent]) -> None:
    events.subscribe(GameEvent, heard.append)
    told: list[GameEvent] = []
    hear = told.append
    events.subscribe(GameCancelled, hear)
    events.subscribe(GameCancelled, hear)
    alice: User = person("alice")
    cancel_game(alice, open_table(alice, ME, OPEN).slug)
    events.unsubscribe(GameCancelled, hear)
    cancel_game(alice, open_table(alice, ME, OPEN).slug)
    assert len(told) == 1


@pytest.fixture
def told() -> Iterator[list[Event]]:
    """All that is published while the test runs, in the order in which it is told."""
    heard: list[Event] = []
    events.subscribe(Event, heard.append)
    yield heard
    events.unsubscribe(Event, heard.append)


def joining(host: User, guest: User) -> Act:
    return partial(join_game, guest, open_table(host, ME, OPEN, OPEN).slug)


def starting(host: User, guest: User) -> Act:
    return partial(join_game, guest, open_table(host, ME, OPEN).slug)


def starting_with_a_channel(host: User, guest: User) -> Act:
    table = open_table(host, ME, OPEN)
    set_game_channel(host, table.slug, CHANNEL, now=NOON)
    return partial(join_game, guest, table.slug)


def setting_a_channel(host: User, guest: User) -> Act:
    table = open_table(host, ME, OPEN, OPEN)
    join_game(guest, table.slug)
    return partial(set_game_channel, host, table.slug, CHANNEL, now=NOON)


def leaving(host: User, guest: User) -> Act:
    table = open_table(host, ME, OPEN, OPEN)
    join_game(guest, table.slug)
    return partial(leave_game, guest, table.slug)


def removing(host: User, guest: User) -> Act:
    table = open_table(host, ME, OPEN, OPEN)
    join_game(guest, table.slug)
    return partial(remove_player, host, table.slug, seat=1)


def cancelling(host: User, guest: User) -> Act:
    table = open_table(host, ME, OPEN, OPEN)
    join_game(guest, table.slug)
    return partial(cancel_game, host, table.slug)


def resigning(host: User, guest: User) -> Act:
    return partial(resign, guest, running(host, guest).slug)


def asking_for_a_rematch(host: User, guest: User) -> Act:
    game = running(host, guest)
    resign(guest, game.slug)
    return partial(open_rematch, host, game.slug)


def cancelling_a_rematch(host: User, guest: User) -> Act:
    carol = person("carol")
    game = running(host, guest, carol)
    for loser in (guest, carol):
        resign(loser, game.slug)
    rematch = open_rematch(host, game.slug)
    open_rematch(guest, game.slug)
    return partial(cancel_game, host, rematch.slug)


def asking_for_a_pause(host: User, guest: User) -> Act:
    return partial(ask_for_pause, host, running(host, guest).slug, pause_version=0)


def agreeing_to_a_pause(host: User, guest: User) -> Act:
    game = running(host, guest)
    ask_for_pause(host, game.slug, pause_version=0)
    return partial(ask_for_pause, guest, game.slug, pause_version=0)


def ending_a_pause(host: User, guest: User) -> Act:
    game = running(host, guest)
    ask_for_pause(host, game.slug, pause_version=0)
    paused = ask_for_pause(guest, game.slug, pause_version=0)
    return partial(end_pause, host, game.slug, pause_version=paused.pause_version)


@pytest.mark.parametrize(
    "prepare",
    [
        joining,
        starting,
        starting_with_a_channel,
        setting_a_channel,
        leaving,
        removing,
        cancelling,
        resigning,
        asking_for_a_rematch,
        cancelling_a_rematch,
        asking_for_a_pause,
        agreeing_to_a_pause,
        ending_a_pause,
    ],
)
def test_pages_are_told_before_notices_are_announced(
    prepare: Callable[[User, User], Act], told: list[Event], alice: User, bob: User
) -> None:
    act = prepare(alice, bob)
    told.clear()
    act()
    # Telling pages is a message, announcing notices a dozen queries, and one is done after the other.
    are_for_pages = [isinstance(event, GameEvent) for event in told if not isinstance(event, NoticesListed)]
    assert are_for_pages == sorted(are_for_pages, reverse=True), told
    assert any(isinstance(event, NoticesRecorded) for event in told)


def test_pages_hear_of_a_move_before_any_job_is_asked_for() -> None:
    in_turn = [hear for kind in reversed(MovePlayed.__mro__) for hear in events._subscribers.get(kind, ())]
    assert in_turn[0] is publish.tell
    assert tasks.on_turn in in_turn
