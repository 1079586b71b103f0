"""Counters change with the games, and say the same as counting all games."""

import importlib
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.db.models import Count, Max, Q, QuerySet, Sum
from django.test.utils import CaptureQueriesContext

from accounts.erasure import close_account
from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.pauses.pause_game import pause_game
from games.actions.pauses.resume_game import resume_game
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.create_game import create_game
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.actions.tables.open_rematch import open_rematch
from games.audit import counts
from games.base import counters
from games.models import BotRecord, Companion, Game, HeadToHead, ListVersion, Player, Status
from games.pages.waiting.create import companions
from games.queries.site.versions import lists_version, lobby_version
from tests.games.tables import (
    ME,
    NOON,
    OPEN,
    bot,
    change,
    count_again,
    fresh,
    invited,
    large_first,
    open_table,
    place,
    play_out,
    running,
    setup,
)

Step = Callable[[], object]


def summed(games: QuerySet[Game]) -> tuple[object, ...]:
    """Return what differs whenever one of the games changes, or is no longer one of them."""
    found = games.aggregate(number=Count("pk"), total=Sum("version"), latest=Max("pk"))
    return tuple(found.values())


def states(people: Iterable[User]) -> dict[str, tuple[object, ...]]:
    """Return for every list what follows from all games in it."""
    lists: dict[str, QuerySet[Game]] = {"lobby": Game.objects.filter(status=Status.OPEN, is_public=True)}
    for user in people:
        own = Player.objects.filter(Q(user=user) | Q(invitee=user)).values("game")
        lists[user.username] = Game.objects.filter(Q(creator=user) | Q(pk__in=own))
    return {name: summed(games) for name, games in lists.items()}


def versions(people: Iterable[User]) -> dict[str, str]:
    return {"lobby": lobby_version(), **{user.username: lists_version(user.pk) for user in people}}


def changed(before: dict, after: dict) -> set[str]:
    return {name for name in before if before[name] != after[name]}


def table_of_three(alice: User) -> Game:
    return open_table(alice, ME, OPEN, invited("carol"))


def life_of_a_table(alice: User, bob: User, carol: User) -> Iterable[Step]:
    """Yield what people do from the opening of a table to the rematch."""
    yield partial(table_of_three, alice)
    table = Game.objects.get()
    yield partial(join_game, bob, table.slug)
    yield partial(leave_game, bob, table.slug)
    yield partial(leave_game, bob, table.slug)
    yield partial(decline_invitation, carol, table.slug)
    yield partial(join_game, bob, table.slug)
    yield partial(join_game, carol, table.slug)
    yield partial(place, table, "1:a1")
    yield partial(change, table)
    yield partial(resign, bob, table.slug)
    yield partial(resign, carol, table.slug)
    yield partial(open_rematch, carol, table.slug)
    yield partial(open_rematch, alice, table.slug)
    yield partial(cancel_game, carol, Game.objects.latest("pk").slug)


def other_tables(alice: User, bob: User, carol: User) -> Iterable[Step]:
    """Yield what happens at private tables, at games of bots and with a closed account."""
    yield partial(create_game, alice, setup(ME, OPEN, is_public=False), now=NOON)
    yield partial(cancel_game, alice, Game.objects.latest("pk").slug)
    yield partial(create_game, alice, setup(ME, bot()), now=NOON)
    yield partial(create_game, alice, setup(bot(), bot()), now=NOON)
    bots = Game.objects.latest("pk")
    yield partial(pause_game, alice, bots.slug, pause_version=0)
    yield partial(resume_game, alice, bots.slug, pause_version=fresh(bots).pause_version)
    yield partial(open_table, bob, ME, invited("alice"), OPEN)
    yield partial(open_table, alice, ME, OPEN)
    yield partial(join_game, carol, Game.objects.latest("pk").slug)
    yield partial(close_account, alice)


@pytest.mark.parametrize("happens", [life_of_a_table, other_tables])
def test_the_version_of_a_list_changes_exactly_when_one_of_its_games_does(
    happens: Callable[..., Iterable[Step]], alice: User, bob: User, carol: User, eve: User
) -> None:
    people = (alice, bob, carol, eve)
    for step in happens(alice, bob, carol):
        told, is_so = versions(people), states(people)
        step()
        assert changed(told, versions(people)) == changed(is_so, states(people)), step
    assert lists_version(eve.pk) == "0"


def test_one_request_is_one_version(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN)
    before = versions((alice, bob))
    join_game(bob, table.slug)
    assert {name: int(version) - int(before[name]) for name, version in versions((alice, bob)).items()} == {
        "lobby": 1,
        "alice": 1,
        "bob": 1,
    }


def test_rows_are_locked_in_the_order_of_their_keys_the_lobby_last(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        counters.add(ListVersion, {ListVersion.LOBBY: [1], 30: [1], 4: [1]})
    (statement,) = [query["sql"] for query in queries]
    assert [int(key) for key in re.findall(r"\((\d+), 1\)", statement)] == [4, 30, ListVersion.LOBBY]


def results(name: str) -> Counter[str]:
    """Return how the finished games of a bot with people ended, game by game."""
    ends: Counter[str] = Counter()
    for game in Game.objects.filter(status=Status.FINISHED, players__bot=name).distinct():
        players = list(game.players.all())
        if any(player.user_id for player in players):
            bot_wins = any(player.is_winner for player in players if player.bot == name)
            person_wins = any(player.is_winner for player in players if player.user_id)
            ends[ENDS[bot_wins, person_wins]] += 1
    return ends


ENDS = {(True, False): "wins", (True, True): "ties", (False, True): "losses", (False, False): "others"}


@pytest.mark.proof
def test_the_record_of_a_bot_is_that_of_its_games(alice: User, bob: User) -> None:
    for chance in range(4):
        play_out(open_table(alice, ME, bot("greedy"), bot("random"), bot("greedy")), chance, large_first)
        play_out(open_table(bob, bot("random"), ME), chance, large_first)
    resign(alice, open_table(alice, ME, bot("greedy")).slug)
    play_out(open_table(alice, bot("random"), bot("greedy")), 1, large_first)
    play_out(running(alice, bob), 1, large_first)
    for name in ("greedy", "random"):
        stored = BotRecord.objects.get(pk=name)
        kept = {kind: getattr(stored, kind) for kind in ("wins", "ties", "losses", "others")}
        assert {kind: number for kind, number in kept.items() if number} == results(name)
    assert list(counts.drifts()) == []


def together(user: User) -> dict[int, int]:
    """Return how many games a person has ended with each of the people they play or played with."""
    found: Counter[int] = Counter()
    for game in Game.objects.filter(status__in=(Status.RUNNING, Status.FINISHED), players__user=user):
        others = [player.user_id for player in game.players.all() if player.user_id not in (None, user.pk)]
        found.update({other: int(game.status == Status.FINISHED) for other in others if other})
    return found


def test_companions_are_the_people_of_ones_games(alice: User, bob: User, carol: User, dave: User) -> None:
    open_table(alice, ME, OPEN, OPEN)
    running(alice, dave)
    play_out(running(alice, bob, carol), 1, large_first)
    resign(bob, running(bob, alice).slug)
    for user in (alice, bob, carol, dave):
        stored = dict(Companion.objects.filter(user=user).values_list("other_id", "games"))
        assert stored == together(user)
    assert [*companions(alice)] == ["bob", "carol", "dave"]
    assert list(counts.drifts()) == []


def test_a_closed_account_is_nobodys_companion(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol)
    close_account(bob)
    play_out(game, 1, large_first)
    for rows in (Companion, HeadToHead):
        assert not rows.objects.filter(Q(user=bob) | Q(other=bob)).exists()
    assert [*companions(alice)] == ["carol"]
    assert list(counts.drifts()) == []


def test_guests_are_not_suggested_until_they_have_an_account(alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_guest=True)
    running(alice, bob)
    assert [*companions(alice)] == []
    User.objects.filter(pk=bob.pk).update(is_guest=False)
    assert [*companions(alice)] == ["bob"]


SPOILT: dict[str, Callable[[], object]] = {
    "a record": lambda: BotRecord.objects.filter(pk="greedy").update(wins=77),
    "a record that is missing": lambda: BotRecord.objects.all().delete(),
    "a record of no game": lambda: BotRecord.objects.create(bot="sage-9", wins=1),
    "a pair": lambda: Companion.objects.filter(games=1).update(games=2),
    "a pair that is missing": lambda: Companion.objects.first().delete(),  # type: ignore[union-attr]
    "a score": lambda: HeadToHead.objects.filter(won=1).update(won=2),
    "a score that is missing": lambda: HeadToHead.objects.first().delete(),  # type: ignore[union-attr]
    "a date": lambda: Companion.objects.update(last_at=NOON.replace(year=2020)),
}


def scores() -> list[tuple[Any, ...]]:
    rows = HeadToHead.objects.order_by("user__username", "other__username", "variant")
    return list(rows.values_list("user__username", "other__username", "variant", "won", "tied", "lost"))


def test_who_won_against_whom_is_counted_when_a_game_of_people_ends(alice: User, bob: User, carol: User) -> None:
    running(alice, bob)
    assert scores() == []
    resign(bob, running(alice, bob, variant="duo").slug)
    resign(alice, running(bob, alice, variant="duo").slug)
    resign(alice, open_table(alice, ME, bot("greedy")).slug)
    assert scores() == [("alice", "bob", "duo", 1, 0, 1), ("bob", "alice", "duo", 1, 0, 1)]
    game = running(alice, bob, carol)
    resign(carol, game.slug)
    resign(bob, game.slug)
    found = {(one, other): result for one, other, variant, *result in scores() if variant == "blockyou-3"}
    assert found["alice", "bob"] == found["alice", "carol"] == [1, 0, 0]
    assert found["bob", "carol"] == found["carol", "bob"] == [0, 1, 0]
    assert set(Player.objects.filter(game=game).exclude(user=alice).values_list("place", flat=True)) == {2}
    assert list(counts.drifts()) == []


def test_games_that_ended_before_there_were_scores_are_counted_once(alice: User, bob: User, carol: User) -> None:
    for people in ((alice, bob), (bob, alice), (alice, carol)):
        resign(people[1], running(*people).slug)
    close_account(carol)
    before = scores()
    HeadToHead.objects.all().delete()
    fill = importlib.import_module("games.migrations.0062_fill_head_to_head")
    for _ in range(2):
        with connection.cursor() as cursor:
            cursor.execute(fill.SCORES, [0, 2**62])
        assert scores() == before != []
    assert list(counts.drifts()) == []


def kept() -> list[list[Any]]:
    """Return the rows of the counters without the keys that the database makes up."""
    pairs = Companion.objects.order_by("user", "other").values("user", "other", "games", "last_at")
    return [list(BotRecord.objects.order_by("pk").values()), list(pairs), scores()]


@pytest.mark.parametrize("what", SPOILT)
def test_a_wrong_counter_is_found_and_mended(what: str, alice: User, bob: User) -> None:
    resign(bob, running(alice, bob).slug)
    resign(alice, open_table(alice, ME, bot("greedy")).slug)
    before = kept()
    SPOILT[what]()
    assert list(counts.drifts()) != []
    count_again()
    assert kept() == before
