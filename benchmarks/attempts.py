"""What one step on an analysis board costs: `python -m benchmarks.attempts`.

CPU time of this process for one request through Django's ASGI handler, as medians, on every board with a third of all
pieces on it: a placement is tried and answered with the part of the page that changes, one is refused by the rules, the
page of a place is asked for again, a placement is tried on the board of a study, that is undone, a piece is laid where
a position is set up, and a branch is compared with the game. Beside them the rules' own share: the position from its
moves, the placement judged, and where everything fits then. At last a placement that is tried at the puzzle of today.
Production settings on SQLite.
"""

import argparse
import asyncio
import statistics
from collections.abc import Awaitable, Callable, Mapping
from time import process_time
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from benchmarks.aims import judge
from benchmarks.site import Reply, ask, installation

if TYPE_CHECKING:
    from games.models import Game
    from games.rules import Placement, Position

#: The bound, in CPU milliseconds.
MOST_CPU_MS = 20
COLUMNS = ("tried", "refused", "looked at", "in a study", "undone there", "set up", "compared", "the rules alone")
PUZZLE = "the puzzle of today"

Step = Callable[[int], Awaitable[Reply]]


def main() -> None:
    """Print a line for each board."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--boards", nargs="*", default=[], help="ids of boards; all that tables are opened on by default"
    )
    options = parser.parse_args()
    with installation():
        from django.core.management import call_command

        from games.rules.variants import VARIANTS

        call_command("prepare")
        print(f"{'CPU ms a step, medians':26}{''.join(f'{name:>17}' for name in COLUMNS)}   bound: {MOST_CPU_MS}")
        worst = [0.0] * len(COLUMNS)
        for board in options.boards or VARIANTS:
            costs = measure(board, options.rounds)
            worst = list(map(max, worst, costs))
            print(f"{board:26}{''.join(f'{cost:17.2f}' for cost in costs)}", flush=True)
        print(f"{'the most':26}{''.join(f'{cost:17.2f}' for cost in worst)}", flush=True)
        puzzle = of_puzzle(options.rounds)
        print(f"{PUZZLE:26}{puzzle:17.2f}", flush=True)
    judge(aims_of({**dict(zip(COLUMNS[:-1], worst, strict=False)), PUZZLE: puzzle}))


def aims_of(most: Mapping[str, float]) -> dict[str, bool]:
    """Return what each step is to come to, and whether its median does on the board where it costs most."""
    return {f"{step}: at most {MOST_CPU_MS} CPU ms on every board": cost <= MOST_CPU_MS for step, cost in most.items()}


def measure(board: str, rounds: int) -> list[float]:
    """Return the medians on a board."""
    from django.core.cache import cache

    from accounts.models import User
    from benchmarks.site_setup import browser, our_application
    from games.actions.studies.create_study import create_study
    from games.base import positions
    from games.models import Study
    from games.rules.variants import SIZED
    from games.table.records import game_record
    from games.table.setting_up import state_query
    from games.table.studies.undoing import RecordChanges

    app, game, user = our_application(), midgame(board), User.objects.get(username="alice")
    person, position = browser(user), positions.position_of(game)
    legal, covered = position.legal_placements(), next(turn.placement for turn in position.history if turn.placement)
    study = create_study(user, game_record(user, game.slug))
    path, of_study = f"/games/{game.slug}/analysis/", f"/studies/{study.slug}/board/"

    def post(to: str, placement: object, **more: str) -> Awaitable[Reply]:
        # Limits of what may be tried are counted there.
        cache.clear()
        return ask(app, person, to, {"placement": str(placement), **more}, hx_request="true")

    def varied(number: int) -> Awaitable[Reply]:
        edition = Study.objects.values_list("edition", flat=True).get(pk=study.pk)
        return post(f"{of_study}try/", legal[number % len(legal)], move=str(game.move_count), edition=str(edition))

    def undone(_number: int) -> Awaitable[Reply]:
        there = Study.objects.get(pk=study.pk)
        what = "undo" if RecordChanges.from_data(there.changes).done else "redo"
        cache.clear()
        sent = {"what": what, "move": "0", "edition": str(there.edition)}
        return ask(app, person, f"{of_study}undo/", sent, hx_request="true")

    # As on the page, whose form sends what lies there along.
    lying = state_query(position.variant, placed_of(position), position.colour or "", "", position.colour or "")

    def laid(number: int) -> Awaitable[Reply]:
        query = urlencode({"placement": str(legal[number % len(legal)]), "hand": position.colour or ""}, safe=":,")
        return ask(app, person, f"/studies/set-up/?{lying}&{query}", hx_request="true")

    steps: tuple[tuple[Step, int], ...] = (
        (lambda number: post(f"{path}try/", legal[number % len(legal)]), 200),
        (lambda _number: post(f"{path}try/", covered), 422),
        (lambda _number: ask(app, person, path, hx_request="true"), 200),
        (varied, 200),
        (undone, 200),
    )
    costs = [asyncio.run(median(*step, rounds)) for step in steps]
    # Where boards have many sizes, none is set up.
    costs.append(asyncio.run(median(laid, 200, rounds)) if position.variant.family not in SIZED else 0.0)
    costs.append(asyncio.run(median(lambda _number: ask(app, person, f"{path}compare/"), 200, rounds)))
    return [*costs, of_rules(game, legal[-1], rounds)]


def of_puzzle(rounds: int) -> float:
    """Return what it costs to try a placement at the puzzle of today."""
    from django.core.cache import cache
    from django.utils import timezone

    from accounts.models import User
    from benchmarks.site_setup import browser, our_application
    from games.queries.puzzles.days import puzzle_of, today_of

    today, app, person = today_of(timezone.now()), our_application(), browser(User.objects.get(username="alice"))
    legal = puzzle_of(today, today).puzzle.position.legal_placements()

    def tried(number: int) -> Awaitable[Reply]:
        cache.clear()
        sent = {"placement": str(legal[number % len(legal)])}
        return ask(app, person, f"/puzzles/{today}/try/", sent, hx_request="true")

    return asyncio.run(median(tried, 200, rounds))


def placed_of(position: "Position") -> tuple[tuple[str, str], ...]:
    """Return what lies on the board as a position that is set up has it."""
    return tuple((turn.colour, str(turn.placement)) for turn in position.history if turn.colour and turn.placement)


def midgame(board: str) -> "Game":
    """Return a game of people on that board, a third of whose pieces are placed, the largest by a seeded chance."""
    from accounts.models import User
    from benchmarks.site_setup import play
    from games.actions.tables.create_game import create_game
    from games.actions.tables.join_game import join_game
    from games.base.setup import GameSetup, SeatSetup
    from games.rules import get_variant

    variant = get_variant(board)
    names = ("alice", "bob", "carol", "dave")[: variant.seats]
    people = [User.objects.get_or_create(username=name)[0] for name in names]
    seats = (SeatSetup(kind="me"), *(SeatSetup(kind="open"),) * (len(people) - 1))
    game = create_game(people[0], GameSetup(variant=board, seats=seats, is_shuffled=False))
    for user in people[1:]:
        game = join_game(user, game.slug, token=game.invite_token)
    return play(game, people, len(variant.colours) * len(variant.pieces) // 3)


async def median(step: Step, status: int, rounds: int) -> float:
    """Return what a step costs; the first rounds, a sixth, are not counted."""
    from asgiref.sync import sync_to_async

    costs, warm_up = [], 1 + rounds // 6
    for number in range(warm_up + rounds):
        reply = await (await sync_to_async(step)(number))
        if reply.status != status:
            raise RuntimeError(f"{reply.status}: {reply.body[:500]!r}")
        costs.append(reply.cost)
    return statistics.median(costs[warm_up:])


def of_rules(game: "Game", placement: "Placement", rounds: int) -> float:
    """Return what the rules do of it: the position from its moves, the placement judged, and where all fits then."""
    from games.base import positions
    from games.pages.board.board_data import Reach, position_data

    moves, costs = list(game.moves.all()), []
    for _ in range(rounds):
        began = process_time()
        after = positions.position_of(game, moves).play(placement)
        if after.colour:
            position_data(after, {after.colour: Reach.of(after, after.colour)})
        costs.append((process_time() - began) * 1000)
    return statistics.median(costs)


if __name__ == "__main__":
    main()
