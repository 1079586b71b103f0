"""Of a move that was made nobody else can tell whether it was planned: games alike but for that are told alike."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.guests import create_guest
from accounts.models import Scope, User
from games import events
from games.api.topics import GameTopic, MyTopic
from games.models import Delivery, Game, ListVersion, Notification
from games.queries.people.happenings import see_games
from tests.conftest import LogIn
from tests.games.api.conftest import Program
from tests.games.plans.test_playing import a_placement, cells, colour_of, plan, run_chain, turn
from tests.games.tables import fresh, place, play_out, running
from tests.games.tasks.workers import forget_jobs

pytestmark = pytest.mark.django_db(transaction=True)

#: What differs from one request, or from one second, to the next.
TOKEN = re.compile(r"[A-Za-z0-9]{64}")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")

Story = Callable[[bool], Game]


@pytest.fixture
def story(alice: User, bob: User) -> Story:
    """Return how a duel is begun, in which alice's second move is planned, or made by hand."""

    def played(is_planned: bool) -> Game:
        now = timezone.now()
        game = play_out(running(alice, bob, variant="duo", is_public=True, now=now), turns=1, now=now)
        answer = a_placement(game, colour_of(game, bob))
        wanted = a_placement(game, colour_of(game, alice), 0, cells(answer))
        forget_jobs()
        if is_planned:
            plan(alice, game, turn(wanted))
        place(game, answer, bob, now=timezone.now())
        if is_planned:
            run_chain()
        else:
            place(game, wanted, alice, now=timezone.now())
        run_chain()
        assert [move.placement for move in game.moves.all()][1:] == [answer, wanted]
        return fresh(game)

    return played


def plain(said: object, game: Game) -> str:
    """Return what is said without what differs between any two games, and between any two seconds."""
    text = said.decode() if isinstance(said, bytes) else str(said)
    for part, name in ((game.slug, "SLUG"), (game.invite_token, "LINK")):
        text = text.replace(part, name)
    return re.sub(r"\b\d+ (seconds?|minutes?) ago\b|just now", "NOW", MOMENT.sub("MOMENT", TOKEN.sub("TOKEN", text)))


def forget(game: Game) -> None:
    """Take a game away, with all that was told of it."""
    Notification.objects.all().delete()
    Delivery.objects.all().delete()
    ListVersion.objects.all().delete()
    game.delete()


def compared(story: Story, tell: Callable[[Game], dict[str, Any]]) -> dict[str, str]:
    """Return what is told of a game with a planned move, after it was found to be as of one made by hand."""
    found = []
    for is_planned in (True, False):
        game = story(is_planned)
        found.append({name: plain(said, game) for name, said in tell(game).items()})
        forget(game)
    assert found[0] == found[1]
    return found[0]


def test_pages_parts_and_files_are_the_same(bob: User, story: Story, log_in: LogIn) -> None:
    readers = {"an opponent": log_in(bob), "a watcher": log_in(create_guest())}

    def tell(game: Game) -> dict[str, Any]:
        said = {}
        for who, browser in readers.items():
            for rest in ("", "board/", "replay/", "away/", "record.json", "record.blksgf"):
                answer = browser.get(f"/games/{game.slug}/{rest}")
                assert answer.status_code == 200, rest
                said[f"{who} at {rest}"] = answer.content
        said["my games"] = readers["an opponent"].get("/games/").content
        said["notices"] = readers["an opponent"].get("/notices/").content
        return said

    assert len(compared(story, tell)) == 14


def test_programs_streams_and_webhooks_are_told_the_same(
    bob: User, story: Story, program: Callable[..., Program]
) -> None:
    opponent = program(bob, [Scope.READ, Scope.PLAY])

    def tell(game: Game) -> dict[str, Any]:
        happened = see_games(bob, {})
        return {
            "the game": opponent.get(f"games/{game.slug}").json(),
            "its record": opponent.get(f"games/{game.slug}/record").json(),
            "my games": opponent.get("games").json(),
            "the game's stream": GameTopic(bob, None, game.slug).news().lines,
            "my stream": MyTopic(bob, None).news().lines,
            "webhooks": [(each.kind, each.line) for each in happened.happenings],
        }

    assert "my_turn" in compared(story, tell)["webhooks"]


def test_notices_messages_and_sockets_are_the_same(story: Story, heard: list[events.GameEvent]) -> None:
    def tell(game: Game) -> dict[str, Any]:
        told = [(type(event).__name__, event.version) for event in heard if event.game_id == game.pk]
        heard.clear()
        columns = ("user__username", "occasion", "event", "other", "detail", "is_due")
        return {
            "notices": list(Notification.objects.order_by("pk").values_list(*columns)),
            "messages": list(Delivery.objects.order_by("pk").values_list("notification__user__username", "channel")),
            "sockets": told,
            "lists": list(ListVersion.objects.order_by("owner").values_list("owner", "version")),
        }

    assert "MovePlayed" in compared(story, tell)["sockets"]
