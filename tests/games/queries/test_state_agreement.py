"""What a state says of a game is what the actions accept, and what the page shows."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from games.actions.analysis.ask_for_advice import ask_for_advice
from games.actions.moves.come_back import come_back
from games.actions.moves.pass_turn import pass_turn
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.actions.pauses.pause_game import pause_game
from games.actions.pauses.resume_game import resume_game
from games.actions.tables.open_rematch import open_rematch
from games.errors import GameError, WrongStatus
from games.models import Game, Player
from games.queries.play.state import GameState
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.queries.states import LATER, pass_due, state, two_late
from tests.games.tables import NOON, bot, due, fresh, key, large_first, open_table, play_out, running

pytestmark = pytest.mark.django_db


def accepts(action: Callable[[], object]) -> bool:
    """Return whether an action does what it is asked, and undo it."""
    point = transaction.savepoint()
    try:
        action()
    except GameError:
        return False
    finally:
        transaction.savepoint_rollback(point)
    return True


def return_to(game: Game, user: User) -> None:
    """Come back; a person who is not away has nothing to come back from."""
    if come_back(user, game.slug, now=LATER).is_repeat:
        raise WrongStatus("not away")


def accepted(game: Game, user: User, found: GameState) -> dict[str, bool]:
    """Return which actions on a game are accepted from a person."""
    request: dict[str, Any] = {"number": due(game), "key": key(), "now": LATER}
    legal = found.position.legal_placements()
    text = str(legal[0]) if legal else "1:a1"
    hold = resume_game if game.is_paused else pause_game
    return {
        "can_place": accepts(lambda: play_placement(user, game.slug, placement=text, **request)),
        "can_pass": accepts(lambda: pass_turn(user, game.slug, **request)),
        "can_return": accepts(lambda: return_to(game, user)),
        # Nothing is found where nothing fits, so that asking is accepted and no right.
        "can_advise": bool(legal) and accepts(lambda: ask_for_advice(user, game.slug, now=LATER)),
        "can_control": game.status == "running"
        and accepts(lambda: hold(user, game.slug, pause_version=game.pause_version, now=LATER)),
        "can_rematch": accepts(lambda: open_rematch(user, game.slug, now=LATER)),
    }


def test_rights_are_what_the_actions_accept(alice: User, bob: User, carol: User, eve: User) -> None:
    over, left = running(alice, bob), running(alice, bob, carol)
    resign(alice, over.slug, now=NOON)
    resign(bob, left.slug, now=NOON)
    bots, away = open_table(alice, bot(), bot()), running(alice, bob, carol)
    Player.objects.filter(game=away, user=bob).update(missed=2)
    games = [
        running(alice, bob), running(alice, bob, allows_advice=True), running(alice, bob, allows_hints=False),
        two_late(alice, bob), pass_due(alice, bob), over,
        left, away, bots, play_out(open_table(alice, bot(), bot()), 1), running(alice, bob, carol, variant="classic-3"),
    ]  # fmt: skip
    for game in map(fresh, games):
        for user in (alice, bob, carol, eve):
            found = state(game, user, LATER)
            with transaction.atomic():
                may = accepted(game, user, found)
            said = {name: holds for name, holds in asdict(found.rights).items() if name in may}
            assert said == may, (game.variant, game.status, user.username)


def facts_on(page: Element) -> list[tuple[str, bool]]:
    """Return how each player stands and whether it is their turn, as the page has them."""
    return [
        (player.find("data")["value"], "data-turn" in player.attributes)
        for player in page.find_all("li", class_="player")
    ]


def placed(found: GameState, colours: Sequence[str]) -> int:
    """Return how many cells of the board these colours hold."""
    held = Counter(found.position.board)
    return sum(held[str(found.position.variant.colours.index(colour))] for colour in colours)


@pytest.mark.parametrize("variant", ["blockyou-2", "classic-3", "classic-2", "trigon-3"])
def test_the_page_says_what_the_state_says(
    variant: str, alice: User, bob: User, carol: User, eve: User, log_in: LogIn
) -> None:
    people = (alice, bob, carol)[: int(variant[-1])]
    game = running(*people, variant=variant)
    for turns in (0, 9, 30, 1000):
        game = play_out(game, turns, large_first, turns=turns) if turns else game
        for user in (*people, eve):
            found, page = state(game, user), read(log_in(user).get(f"/games/{game.slug}/"))
            stands = [placed(found, seat.colours) for seat in found.seats]
            assert facts_on(page) == [(str(n), seat.is_to_play) for n, seat in zip(stands, found.seats, strict=True)]
            assert len(page.find_all("form", class_="tray")) == len(found.hand)
            assert forms_on(page, game) == forms_for(found)
            assert moves_on(page) == len(found.moves)


def moves_on(page: Element) -> int:
    """Return how many moves the list of moves tells of: automatic passes in a row are one line."""
    rows = [row.text.split("–") for row in page.find(class_="moves__list").find_all(class_="move__number")]
    return sum(1 + int(row[-1]) - int(row[0]) for row in rows)


def forms_on(page: Element, game: Game) -> set[str]:
    prefix = f"/games/{game.slug}/"
    actions = {form.attributes.get("action", "") for form in page.find_all("form", method="post")}
    return {action.removeprefix(prefix).strip("/") for action in actions if action.startswith(prefix)} - {"mode"}


def forms_for(found: GameState) -> set[str]:
    """Return which forms a page has for these rights; a player may choose a piece before it is their turn."""
    may = found.rights
    forms = {"pass"} if may.can_pass else {"place"} if may.is_playing else set()
    wanted = {"resign": may.can_resign, "advice": may.can_advise, "back": may.can_return, "rematch": may.can_rematch}
    wanted["study"] = found.is_over and may.is_seated
    # Of a game that no one has had reviewed.
    wanted["review/ask"] = found.is_over and found.reviewing.state == "none"
    pause = found.pause
    wanted |= {"pause/agree": pause.can_agree, "pause/drop": pause.can_drop}
    wanted["pause/end"] = pause.can_end
    return forms | {name for name, holds in wanted.items() if holds}
