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
from tests.games.lines.made import BARASONA, from_any_start
from tests.games.moderation.conftest import with_factor
from tests.games.streams import read_parts
from tests.games.tables import ME, OPEN, advance, fresh, invited, open_table, place, running, setup
from tests.reliability.matrix import read_matrix

pytestmark = pytest.mark.django_db

FEW, MANY, MOST = 10, 1000, 15

#: It leads to a file.
ICON = "/favicon.ico"

#: What every page costs a player who is logged in; the session and the person are two of the queries.
COSTS = {
    "/": 11,
    "/robots.txt": 2,
    "/sitemap.xml": 2,
    "/manifest.webmanifest": 2,
    ICON: 2,
    "/service-worker.js": 2,
    "/device/": 3,
    "/offline/": 3,
    "/rules/": 3,
    "/privacy/": 3,
    "/learn/": 3,
    "/bots/": 3,
    "/bots/greedy/": 4,
    "/openings/": 4,
    "/openings/barasona/": 7,
    "/puzzles/": 8,
    "/puzzles/2026-01-01/": 6,
    # With the standing seeks.
    "/lobby/": 13,
    "/lobby/?page=2": 7,
    "/games/": 15,
    "/games/?show=invited": 9,
    "/games/?show=turn": 9,
    "/games/?show=waiting&page=2": 9,
    "/games/?show=open": 9,
    "/games/?show=finished": 8,
    "/games/?show=finished&newer={finished.slug}": 10,
    "/games/?show=bots": 6,
    "/games/waiting/": 3,
    "/games/new/": 5,
    "/notices/": 5,
    "/notices/?page=2": 5,
    "/notices/choices/": 7,
    "/history/": 7,
    "/history/?oldest": 7,
    "/history/?newer={finished.slug}": 9,
    "/history/?variant=blockyou-3&opponent=bob&result=won": 10,
    "/history/?variant=blockyou&since=2020-01-01": 12,
    "/history/?result=others-left": 8,
    "/history/?who=bots&opponent=sage": 4,
    "/history/?opening=barasona": 7,
    "/history/?opening=barasona&result=won": 8,
    "/history/games.csv": 6,
    "/history/games.json?opponent=bob": 9,
    "/players/alice/": 12,
    "/players/bob/?oldest": 14,
    "/ratings/": 6,
    "/ratings/duo/": 7,
    "/blocked/": 5,
    "/seeks/": 4,
    "/holidays/": 5,
    "/data/": 4,
    "/data/bring/": 3,
    "/people/": 7,
    "/groups/": 4,
    # With the version of what it follows.
    "/groups/{club.slug}/": 13,
    "/groups/{club.slug}/ratings/": 6,
    "/groups/{club.slug}/ratings/duo/": 6,
    "/groups/{club.slug}/channel/": 5,
    "/one-device/": 4,
    "/groups/{club.slug}/members/": 6,
    "/groups/join/{door.invite_token}/report/": 4,
    "/groups/join/{door.invite_token}/": 8,
    "/players/bob/report/": 4,
    "/decisions/": 5,
    "/conduct/": 3,
    "/muted/": 5,
    "/join/{invited.invite_token}/": 7,
    "/join/{invited.invite_token}/picture.png": 5,
    "/games/{turn.slug}/note/": 6,
    "/games/{turn.slug}/plan/": 6,
    "/games/{turn.slug}/report/": 5,
    "/games/{turn.slug}/analysis/": 6,
    "/games/{finished.slug}/analysis/": 7,
    "/games/{turn.slug}/away/": 6,
    "/games/{turn.slug}/talk/": 7,
    "/games/{turn.slug}/talk/lines/": 6,
    "/games/{finished.slug}/talk/watchers/": 6,
    "/games/{finished.slug}/talk/watchers/lines/": 5,
    "/games/{turn.slug}/moves/1/reaction/": 6,
    "/games/{turn.slug}/": 6,
    "/games/{turn.slug}/board/": 6,
    "/games/{turn.slug}/placements/": 6,
    "/games/{turn.slug}/advice/": 6,
    "/games/{turn.slug}/ask/?say=legal": 6,
    "/games/{turn.slug}/replay/": 5,
    "/games/{turn.slug}/embed/": 5,
    "/games/{turn.slug}/picture.png": 5,
    "/games/{finished.slug}/replay.gif": 5,
    "/games/{turn.slug}/record.json": 5,
    "/games/{finished.slug}/record.json": 5,
    "/games/{duo.slug}/record.blksgf": 5,
    "/games/{waiting.slug}/": 6,
    "/games/{open.slug}/": 7,
    "/games/{invited.slug}/": 7,
    "/games/{own.slug}/edit/": 7,
    "/games/{own.slug}/channel/": 6,
    # With the player's games before it.
    "/games/{finished.slug}/": 8,
    "/games/{finished.slug}/replay/": 5,
    "/games/{finished.slug}/from/?move=1": 6,
    "/games/{finished.slug}/analysis/branches/": 7,
    "/games/{finished.slug}/analysis/compare/": 7,
    "/games/{finished.slug}/why/": 6,
    "/games/{finished.slug}/review/": 6,
    "/mistakes/": 5,
    "/studies/": 5,
    "/studies/?page=2": 5,
    "/studies/set-up/": 3,
    "/studies/set-up/?board=duo": 2,
    "/studies/{study.slug}/": 3,
    "/studies/{study.slug}/compare/": 4,
    "/studies/{study.slug}/board/branches/": 4,
    "/studies/{study.slug}/board/?move=1": 3,
    "/studies/{study.slug}/from/?move=1": 5,
    "/studies/{study.slug}/record.json": 3,
    "/studies/{study.slug}/record.blksgf": 3,
    "/accounts/": 4,
    "/accounts/preferences/": 3,
    # The children whose accounts go with it are named.
    "/accounts/delete/": 5,
    "/accounts/email/": 7,
    "/accounts/logout/": 3,
    "/accounts/inactive/": 3,
    "/accounts/reauthenticate/": 4,
    "/accounts/confirm-email/": 3,
    "/accounts/password/change/": 4,
    "/accounts/password/reset/": 3,
    "/accounts/password/reset/done/": 3,
    "/accounts/password/reset/key/done/": 3,
    "/api/": 3,
    "/api/v1/openapi.json": 0,
    "/api/v1/me": 1,
    "/api/v1/blocked": 2,
    "/api/v1/seeks": 2,
    "/api/v1/holidays": 3,
    "/api/v1/people": 2,
    "/api/v1/muted": 2,
    "/api/v1/groups": 2,
    "/api/v1/groups/{club.slug}": 4,
    "/api/v1/groups/{club.slug}/games": 7,
    "/api/v1/games": 7,
    "/api/v1/webhooks": 2,
    "/api/v1/lobby": 3,
    "/api/v1/variants": 1,
    "/api/v1/variants/duo": 1,
    "/api/v1/games/{turn.slug}": 5,
    "/api/v1/games/{open.slug}": 5,
    "/api/v1/games/{finished.slug}": 6,
    "/api/v1/games/{turn.slug}/webhook": 4,
    "/api/v1/games/{turn.slug}/note": 4,
    "/api/v1/games/{turn.slug}/plan": 4,
    "/api/v1/games/{turn.slug}/branches": 5,
    "/api/v1/mistakes": 3,
    "/api/v1/puzzles": 5,
    "/api/v1/puzzles/2026-01-01": 4,
    "/api/v1/games/{turn.slug}/messages": 5,
    "/api/v1/games/{turn.slug}/reactions": 3,
    "/api/v1/phrases": 1,
    "/api/v1/games/{turn.slug}/placements": 5,
    "/api/v1/games/{turn.slug}/advice": 4,
    "/api/v1/games/{finished.slug}/record": 4,
    "/api/v1/games/{finished.slug}/review": 4,
    "/api/v1/me/games": 4,
    "/api/v1/bots": 1,
    "/api/v1/players/alice": 6,
    "/api/v1/ratings/duo": 3,
    "/api/v1/ratings/duo/movers": 3,
    "/api/v1/groups/{club.slug}/ratings/duo": 3,
    "/api/v1/players/alice/games": 6,
    "/api/v1/studies": 2,
    "/api/v1/studies/{study.slug}": 2,
    "/api/v1/studies/{study.slug}/record": 2,
    "/api/v1/studies/{study.slug}/comments": 2,
    "/api/v1/studies/{study.slug}/editors": 2,
    "/accounts/keys/": 8,
    "/healthz": 4,
    "/metrics": 7,
}
#: What the pages of the desk cost a moderator who has just shown a second factor. The session, the person and two looks
#: at the factor are four of the queries.
DESK_COSTS = {
    "/moderation/": 10,
    "/moderation/record/": 6,
    "/moderation/cases/{case}/": 10,
    "/moderation/appeals/{appeal}/": 10,
}
#: Addresses without a page of their own for a player who is logged in, or with a page that has nothing on it.
PAGELESS = {
    # Of a comment in a study, which is none here: test_comments.
    "study-comment-report",
    # Of a person with a rating: test_course.
    "player-rating",
    # It leads to the page of a day.
    "puzzle-today",
    # They lead to the page of a game's channel: test_channel_posts.
    "game-webhook",
    "game-webhook-part",
    # Their queries: test_feeds.
    "atom",
    "calendar",
    "security-txt",
    "change-password",
    "account_login",
    "account_signup",
    "account_set_password",
    "account_confirm_login_code",
    "account_confirm_email",
    "account_reset_password_from_key",
    "guest-claim",
    "own-name",
    "unsubscribe",
    "account-restore-address",
    # Likewise, or shown between a password and a code: test_codes, test_recovery_codes, test_passkeys, test_forgotten.
    "password-renew",
    "password-remove",
    "mfa_authenticate",
    "mfa_reauthenticate",
    "mfa_reauthenticate_webauthn",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_add_webauthn",
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
    "mfa_login_webauthn",
    "passkey-lost",
    # Of a site with a sign-on, and of a guest who has logged in: test_sign_on, test_bringing.
    "sign-on-back",
    "sign-on-name",
    "sign-on-again",
    "bring-guest",
    "signup-by-passkey",
    "signup-make-passkey",
    # Shown just after the password was given: test_tokens, test_bot_accounts.
    "api-tokens",
    *(
        "children",
        "child",
        "child-allow",
        "child-remove",
        "child-name",
        "child-phrases",
        "child-link",
        "child-password",
    ),
    *("child-logins-end", "child-archive-ask", "child-archive", "child-hand-over", "child-delete", "child-enter"),
    "own-bots",
    "own-bot",
    "own-bot-close",
    # Likewise: tests/games/archives/test_page.py.
    "own-archive",
    # It needs a line: test_reports.
    "talk-report",
    # Likewise: test_own_webhooks.
    "own-webhooks",
    "api-nowhere",
    # They stay open: test_game_stream, test_my_stream.
    "api-game-stream",
    "api-stream",
    # A few for each game, whose record it sends.
    "api-finished-lines",
}


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


def test_no_page_is_missing_here() -> None:
    pages = {
        name for (name, method, _), statuses in read_matrix().items() if method == "GET" and set(statuses) != {405}
    }
    asked = {resolve(path.split("?")[0].format(**SAMPLES)).url_name for path in (*COSTS, *DESK_COSTS)}
    assert asked | PAGELESS == pages


SAMPLES = dict.fromkeys(
    ("turn", "waiting", "open", "own", "invited", "finished", "duo", "study", "club", "door"),
    Game(slug="a", invite_token="a"),
) | {"case": 1, "appeal": 1}
