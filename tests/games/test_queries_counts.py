"""C20: what every page costs in queries, with ten games and with a thousand: the same, and fifteen at most."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone

from accounts.models import Scope, User
from accounts.tokens import make_token
from games.actions.children.ask_to_meet import ask_to_meet
from games.actions.groups.create_group import create_group
from games.actions.groups.join_group import join_group
from games.actions.moderation.appeal_decision import appeal_decision
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.report_player import report_player
from games.actions.moves.resign import resign
from games.actions.puzzles.store_puzzles import store_puzzles
from games.actions.studies.create_study import create_study
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.background.sweep import hold_lease
from games.bots.puzzles.shipped import shipped_puzzles
from games.clock import TimeControl
from games.models import Game, Group, Notification, Occasion, Player, Study
from games.pages.lists.paging import PAGE_SIZE
from games.rules import Position
from games.rules.records import GameRecord
from tests.conftest import PASSWORD, LogIn, person
from tests.games.children.families import can_be_guardian, child_of
from tests.games.children.test_story import logged_in
from tests.games.lines.made import BARASONA, from_any_start
from tests.games.moderation.conftest import with_factor
from tests.games.streams import read_parts
from tests.games.tables import ME, OPEN, advance, bot, fresh, invited, open_table, place, running, setup
from tests.reliability.declared import by_heading, costs
from tests.reliability.matrix import read_matrix

pytestmark = pytest.mark.django_db

FEW, MANY, MOST = 10, 1000, 15

#: It leads to a file.
ICON = "/favicon.ico"

#: What every page costs a player who is logged in; the session and the person are two of the queries.
COSTS = costs()
#: What the pages of the desk cost a moderator who has just shown a second factor. The session, the person and two looks
#: at the factor are four of the queries.
DESK_COSTS = {
    "/moderation/": 10,
    "/moderation/record/": 6,
    "/moderation/cases/{case}/": 11,
    "/moderation/appeals/{appeal}/": 10,
}
#: What the pages of children cost a guardian who has just given the password.
GUARDIAN_COSTS = {
    "/children/": 7,
    "/children/{child}/": 12,
    "/children/{child}/hand-over/": 5,
    "/children/{child}/delete/": 5,
}
#: Addresses without a page of their own for a player who is logged in, or with a page that has nothing on it.
PAGELESS = {name for name, reason in by_heading("costs").items() if reason.startswith("none: ")}


@pytest.fixture
def games(alice: User, bob: User, carol: User) -> dict[str, Game]:
    """Return a game of each kind that a list can show, at a site that is swept."""
    hold_lease("a process", timezone.now())
    store_puzzles([(1, next(shipped_puzzles()).puzzle)], source="bots", first=date(2026, 1, 1))
    days = TimeControl.days_a_move(3)
    begun = running(alice, bob, carol, time=days, allows_advice=True)
    rng = random.Random(20)
    for _ in range(24):
        begun = advance(begun, rng)
    watched = running(bob, carol)
    for _ in range(9):
        watched = advance(watched, rng)
    over = running(bob, alice, carol)
    opened = from_any_start("blockyou-3", BARASONA)
    for number in range(3):
        for colour in ("blue", "yellow", "red"):
            place(over, str(opened[colour][number]))
    resign(bob, over.slug)
    resign(carol, over.slug)
    return {
        "finished": fresh(over),
        "turn": begun,
        "waiting": running(bob, alice, time=days),
        "watched": watched,
        "open": open_table(bob, ME, OPEN, OPEN),
        "own": open_table(alice, ME, OPEN),
        "invited": open_table(bob, ME, invited("alice"), OPEN, is_public=False),
        "duo": running(bob, alice, variant="duo"),
    }


@pytest.fixture
def study(alice: User) -> Study:
    """Return a record that is kept to study."""
    return create_study(alice, GameRecord.of(Position.start("duo").play("1:e10")))


@pytest.fixture
def groups(alice: User, bob: User, carol: User) -> dict[str, Group]:
    """Return a group with a game in each state, and one that may be joined by its link."""
    club, door = create_group(alice, "Club"), create_group(bob, "Door")
    for member in (bob, carol):
        join_group(member, club.invite_token)
    waiting, begun, over = (create_game(bob, setup(ME, OPEN), group=club.slug) for _ in range(3))
    for game in (begun, over):
        join_game(carol, game.slug)
    resign(carol, over.slug)
    create_game(bob, setup(ME, OPEN), group=door.slug)
    assert waiting.group == club
    return {"club": club, "door": door}


def multiply(games: dict[str, Game], study: Study, count: int) -> None:
    """Copy games and studies, row by row, until there are so many, as many of each kind."""
    Study.objects.bulk_create(
        Study(**{**row(study), "slug": f"s{number:09}"}) for number in range(Study.objects.count(), count)
    )
    kinds = list(games.values())
    copies = [copy(kinds[number % len(kinds)], number) for number in range(Game.objects.count(), count)]
    made = Game.objects.bulk_create(copies)
    seats = {game.pk: list(game.players.all()) for game in kinds}
    Player.objects.bulk_create(
        Player(**{**row(player), "game_id": game.pk})
        for number, game in enumerate(made, count - len(made))
        for player in seats[kinds[number % len(kinds)].pk]
    )
    with connection.cursor() as cursor:
        # As autovacuum does for rows that are committed; without it PostgreSQL plans for the empty tables it last saw.
        for model in (Game, Player, Study):
            cursor.execute(f"ANALYZE {model._meta.db_table}")


def copy(game: Game, number: int) -> Game:
    moved = timedelta(minutes=number)
    twin = Game(**{**row(game), "slug": f"g{number:09}", "invite_token": f"token-{number}"})
    twin.changed_at, twin.finished_at = game.changed_at - moved, game.finished_at and game.finished_at - moved
    return twin


def row(record: Game | Player | Study) -> dict[str, Any]:
    """Return the fields of a row but its key."""
    return {
        field.attname: getattr(record, field.attname) for field in record._meta.concrete_fields if not field.primary_key
    }


def measured(
    client: Client, games: Mapping[str, Game | Study | Group], alice: User, addresses: Iterable[str] = tuple(COSTS)
) -> dict[str, int]:
    """Return the queries of these pages, the second time it is asked for, and of what a program asks with a token."""
    program = Client(headers={"Authorization": f"Bearer {make_token(alice, 'a test', list(Scope), timezone.now())}"})
    # No worker announces what has happened here, and the page of the site's health would miss one.
    Notification.objects.update(is_due=False, is_listed=True, read_at=timezone.now())
    found = {}
    for address in addresses:
        path = address.format(**games)
        asker = program if "/v1/" in path else client
        if asker is program:
            # A program may ask for less in a minute than there is to be counted here.
            cache.clear()
        asker.get(path)
        with CaptureQueriesContext(connection) as queries:
            answer = asker.get(path)
            assert answer.status_code == (302 if address == ICON else 200), path
            if answer.streaming:
                # A file of finished games is read while it is sent.
                read_parts(answer)
        found[address] = len(queries)
    return found


@pytest.mark.slow
@pytest.mark.minutes
def test_every_page_costs_what_is_written_here_with_ten_games_and_with_a_thousand(
    alice: User,
    games: dict[str, Game],
    groups: dict[str, Group],
    study: Study,
    log_in: Callable[[User], Client],
) -> None:
    alice.set_password(PASSWORD)
    alice.save()
    client = log_in(alice)
    multiply(games, study, FEW)
    # Of so few games there is no second page to ask for.
    few = measured(client, {**games, **groups, "study": study}, alice, [page for page in COSTS if "page=2" not in page])
    multiply(games, study, MANY)
    for number in range(PAGE_SIZE):
        Notification.objects.record(Occasion.OVER, games["finished"], [alice.pk], timezone.now(), event=1 + number)
    many = measured(client, {**games, **groups, "study": study}, alice)
    assert (Game.objects.count(), max(few.values()) <= MOST, max(many.values()) <= MOST) == (MANY, True, True)
    assert few == {page: COSTS[page] for page in few}
    assert {page: (few[page], many[page]) for page in few if abs(few[page] - many[page]) > 1} == {}
    assert {page: many[page] for page in many if page not in few} == {
        page: COSTS[page] for page in COSTS if page not in few
    }


def trouble(judge: User, about: User, names: Sequence[str]) -> int:
    """Have each of these new people be heard about this person, who appeals each time, then report this person and one
    other, so that both wait; return the key of an appeal that waits.
    """
    reporters = [person(name) for name in names]
    for each in reporters:
        report = report_player(each, about.username, reason="spam", words="Again!")
        [made] = decide_case(judge, about.pk, measure="warn", reason="spam", words="Stop it.", last=report.pk)
        appeal = appeal_decision(about, made.pk, words="Why?")
    for each in reporters:
        report_player(each, about.username, reason="insult", words="And again!")
        report_player(each, person(f"{each.username}-friend").username, reason="spam")
    return appeal.pk


def test_the_pages_of_moderators_cost_what_is_written_here_however_much_is_reported(bob: User, log_in: LogIn) -> None:
    judge = person("judith")
    User.objects.filter(pk=judge.pk).update(is_moderator=True)
    judge.refresh_from_db()
    desk = with_factor(judge, log_in)
    found = []
    for count, letter in ((1, "a"), (30, "b")):
        appeal = trouble(judge, bob, [f"{letter}{number}" for number in range(count)])
        costs = {}
        for page in DESK_COSTS:
            path = page.format(case=bob.pk, appeal=appeal)
            desk.get(path)
            with CaptureQueriesContext(connection) as queries:
                assert desk.get(path).status_code == 200
            costs[page] = len(queries)
        found.append(costs)
    assert found == [DESK_COSTS, DESK_COSTS]
    assert max(DESK_COSTS.values()) <= MOST


def raise_children(guardian: User, names: Sequence[str], people: Sequence[User]) -> User:
    """Return the last of new children of this guardian, each of which may meet these people and has asked for others,
    plays and has played with bots.
    """
    for name in names:
        child = child_of(guardian, name, *people)
        for each in people:
            ask_to_meet(child, person(f"{name}-{each.username}").username)
        going, over = (open_table(child, ME, bot(engine), is_public=False) for engine in ("random", "greedy"))
        assert going.status == "running"
        resign(child, over.slug)
    return child


def test_the_pages_of_guardians_cost_what_is_written_here_however_many_children_and_people_there_are(
    alice: User, bob: User, carol: User
) -> None:
    browser, found = logged_in(can_be_guardian(alice)), []
    for names, people in (("Mia",), [bob]), (("Tom", "Zoe", "Ben"), [bob, carol]):
        child, costs = raise_children(alice, names, people), {}
        for page in GUARDIAN_COSTS:
            path = page.format(child=child.pk)
            browser.get(path)
            with CaptureQueriesContext(connection) as queries:
                assert browser.get(path).status_code == 200
            costs[page] = len(queries)
        found.append(costs)
    assert found == [GUARDIAN_COSTS, GUARDIAN_COSTS]
    assert max(GUARDIAN_COSTS.values()) <= MOST


def test_no_page_is_missing_here() -> None:
    pages = {
        name for (name, method, _), statuses in read_matrix().items() if method == "GET" and set(statuses) != {405}
    }
    asked = {resolve(path.split("?")[0].format(**SAMPLES)).url_name for path in (*COSTS, *DESK_COSTS, *GUARDIAN_COSTS)}
    assert asked | PAGELESS == pages


SAMPLES = dict.fromkeys(
    ("turn", "waiting", "open", "own", "invited", "finished", "duo", "study", "club", "door"),
    Game(slug="a", invite_token="a"),
) | {"case": 1, "appeal": 1, "child": 1}
