"""How long a planned move takes from the commit of the move before it, in a chain of four players too, beside a bot's.

The workers and the sweep are those of `make run`. On SQLite, or on a database of its own beside the one that
DATABASE_URL names, with jobs where JOB_QUEUE says. Linux only.

    python -m benchmarks.planned
"""

import argparse
import itertools
import os
import random
import secrets
import tempfile
import time
from typing import TYPE_CHECKING

from benchmarks.bots import serving, words
from benchmarks.fairness import database

if TYPE_CHECKING:
    from games.models import Game


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
        print(f"one planned move after a move by hand: {words(sorted(alone))}")
        print(f"each of three planned moves in a row:  {words(sorted(chained))}")
        print(f"a quick bot's move after one by hand:  {words(sorted(of_bots))}")


def read_options() -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def delays(number: int, planners: int) -> list[float]:
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
    people = [User.objects.get_or_create(username=name)[0] for name in ("first", "second", "third", "fourth")]
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


def bot_delay(number: int) -> float:
    """Return the seconds from a move by hand to the answer of a bot that plays at once, in a new game of two."""
    from accounts.models import User
    from games.actions.moves.play_placement import play_placement
    from games.actions.tables.create_game import create_game
    from games.base.setup import GameSetup, SeatSetup
    from games.rules import Position

    user, _is_new = User.objects.get_or_create(username="first")
    seats = (SeatSetup(kind="me"), SeatSetup(kind="bot", bot="random", seed=number))
    game = create_game(user, GameSetup(variant="duo", seats=seats, is_shuffled=False))
    placement = random.Random(number).choice(Position.start("duo").legal_placements())
    play_placement(user, game.slug, placement=placement, number=1, key=f"by-hand-{number:06}")
    return waits(game, 1)[0]


def waits(game: "Game", coming: int) -> list[float]:
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
    return [after - before for before, after in itertools.pairwise(moments)]


if __name__ == "__main__":
    main()
