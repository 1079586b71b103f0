"""How long a planned move takes from the commit of the move before it, in a chain of four players too, beside a bot's.

A planned move waits as long as a ready hand would take (decision 73); beyond that it is to take as long as a quick
bot's move, which comes by the same queue, and to be there within a second. The workers and the sweep are those of
`make run`. On SQLite, or on a database of its own beside the one that DATABASE_URL names, with jobs where JOB_QUEUE
says. Linux only.

    python -m benchmarks.planned
"""

import argparse
import itertools
import os
import random
import secrets
import statistics
import tempfile
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.aims import judge
from benchmarks.bots import serving, words
from benchmarks.fairness import database

if TYPE_CHECKING:
    from games.models import Game

#: Within so many seconds of the turn's beginning a planned move is there (A14).
THERE = 1
#: By so many seconds the median of planned moves, without their wait, may differ from that of a quick bot's moves: by
#: half of what the wait itself is drawn from.
ALIKE = 0.15


class Wait(NamedTuple):
    """The seconds from one move to the next: as somebody sees them who looks all the time, and as they are stored."""

    seen: float
    stored: float


def main() -> None:
    """Measure, and print."""
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="block-you-planned-") as folder, database(folder) as url:
        os.environ.update(
            DATABASE_URL=url,
            DJANGO_SETTINGS_MODULE="blockyou.settings.prod",
            SECRET_KEY=secrets.token_urlsafe(64),
            VAR_DIR=folder,
        )
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        with serving(options.workers, 0):
            alone = [delay for number in range(options.games) for delay in delays(number, planners=1)]
            chained = [delay for number in range(options.games) for delay in delays(number, planners=3)]
            of_bots = [bot_delay(number) for number in range(options.games)]
        for what, waited in (
            ("one planned move after a move by hand: ", alone),
            ("each of three planned moves in a row:  ", chained),
            ("a quick bot's move after one by hand:  ", of_bots),
        ):
            print(f"{what}{words(sorted(each.seen for each in waited))}")
        aims = aims_of([*alone, *chained], of_bots)
    judge(aims)


def aims_of(planned: Sequence[Wait], of_bots: Sequence[Wait]) -> dict[str, bool]:
    """Return what planned moves are to come to beside those of quick bots, and whether they do."""
    from games.tasks import READY_HAND

    soonest, latest = READY_HAND
    stored = [each.stored for each in planned]
    beyond = statistics.median(stored) - (soonest + latest) / 2
    return {
        f"no planned move sooner than a ready hand, {soonest:g} s": min(stored) >= soonest,
        f"every planned move within {THERE:g} s": max(each.seen for each in planned) <= THERE,
        "each after a wait of its own": max(stored) - min(stored) >= (latest - soonest) / 2,
        f"beyond that wait as long as a quick bot's move, to {ALIKE:g} s": abs(
            beyond - statistics.median(each.stored for each in of_bots)
        )
        <= ALIKE,
    }


def read_options() -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def delays(number: int, planners: int) -> list[Wait]:
    """Return the seconds from one commit to the next for the planned moves after one by hand, in a new game of four."""
    from accounts.models import User
    from games.actions.moves.play_placement import play_placement
    from games.actions.plans.set_plan import set_plan
    from games.actions.tables.create_game import create_game
    from games.actions.tables.join_game import join_game
    from games.base.plans import PlannedMove, PlannedTurn
    from games.base.setup import GameSetup, SeatSetup
    from games.rules import Position

    rng = random.Random(number)
    # Nobody has more than 40 games at once: others for each length of a chain, and others beside bots.
    names = (f"{name}{planners}" for name in ("first", "second", "third", "fourth"))
    people = [User.objects.get_or_create(username=name)[0] for name in names]
    seats = (SeatSetup(kind="me"), *[SeatSetup(kind="open")] * 3)
    game = create_game(people[0], GameSetup(variant="blockyou-4", seats=seats, is_shuffled=False))
    for user in people[1:]:
        game = join_game(user, game.slug, token=game.invite_token)
    position, line = Position.start("blockyou-4"), []
    for _ in range(planners + 1):
        line.append(rng.choice(position.legal_placements()))
        position = position.play(line[-1])
    for user, move in zip(people[1:], line[1:], strict=False):
        set_plan(user, game.slug, [PlannedTurn("", (PlannedMove(str(move)),))], number=1, edition=0)
    play_placement(people[0], game.slug, placement=line[0], number=1, key=f"by-hand-{number:06}")
    return waits(game, planners)


def bot_delay(number: int) -> Wait:
    """Return the seconds from a move by hand to the answer of a bot that plays at once, in a new game of two."""
    from accounts.models import User
    from games.actions.moves.play_placement import play_placement
    from games.actions.tables.create_game import create_game
    from games.base.setup import GameSetup, SeatSetup
    from games.rules import Position

    user, _is_new = User.objects.get_or_create(username="beside")
    seats = (SeatSetup(kind="me"), SeatSetup(kind="bot", bot="random", seed=number))
    game = create_game(user, GameSetup(variant="duo", seats=seats, is_shuffled=False))
    placement = random.Random(number).choice(Position.start("duo").legal_placements())
    play_placement(user, game.slug, placement=placement, number=1, key=f"by-hand-{number:06}")
    return waits(game, 1)[0]


def waits(game: "Game", coming: int) -> list[Wait]:
    """Return the seconds between the commits of so many moves that follow the first of a game, which was just made."""
    from games.models import Move

    moments, stored = [time.perf_counter()], 1
    while stored <= coming and time.perf_counter() < moments[0] + 60:
        time.sleep(0.002)
        found = Move.objects.filter(game=game).count()
        moments += [time.perf_counter()] * (found - stored)
        stored = found
    if stored <= coming:
        raise TimeoutError(f"A move of {game.slug} was not made within a minute.")
    kept = Move.objects.filter(game=game).order_by("number").values_list("played_at", flat=True)
    seen = (after - before for before, after in itertools.pairwise(moments))
    between = ((after - before).total_seconds() for before, after in itertools.pairwise(kept))
    return [Wait(*each) for each in zip(seen, between, strict=True)]


if __name__ == "__main__":
    main()
