"""What transactions cost: `python -m tests.reliability.spent` uses a site by its actions, jobs and forms, as JSON.

The first line is what plain loops cost that the figures are compared with, then the CPU milliseconds of every
transaction, by where it began, the first one of the process included. What a process of a site loads as it starts is
loaded before.
"""

import gc
import json
import os
import secrets
import tempfile
import time
from collections import defaultdict
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any

import django

#: Steps of the plain loops that cost as much as a transaction may: some 25 ms on a quick machine.
STEPS = 1_500_000


def main() -> None:
    """Use a new site, and print what its transactions cost."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder, 'db.sqlite3')}"
        # What engines take is thought about outside of all transactions.
        os.environ["BOTS_COMPILED"] = "0"
        django.setup()
        from django.conf import settings

        settings.HINT_SIMULATIONS = 20
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        spent = use()
    print(json.dumps({"loops": loops(), "spent": spent}))  # noqa: T201


def loops() -> float:
    """Return the CPU milliseconds of plain loops, the least of five."""

    def once() -> float:
        began, number = time.thread_time(), 0
        for step in range(STEPS):
            number ^= step
        return 1000 * (time.thread_time() - began)

    return min(once() for _ in range(5))


def use() -> dict[str, list[float]]:
    """Use the site, and return the CPU milliseconds of its transactions in order, by where each began."""
    import sys

    from django.db import connection
    from django.db.transaction import Atomic

    from games.background.worker import load_what_jobs_use

    load_what_jobs_use()
    # As processes of a site do: a collection of all that was loaded takes longer than any transaction.
    gc.collect()
    gc.freeze()
    spent: defaultdict[str, list[float]] = defaultdict(list)
    begun: list[tuple[str, float]] = []
    enter, leave = Atomic.__enter__, Atomic.__exit__

    def entering(block: Atomic) -> None:
        is_outer = not connection.in_atomic_block
        enter(block)
        if is_outer:
            begun.append((name_of(sys._getframe(1)), time.thread_time()))

    def leaving(block: Atomic, *error: Any) -> None:
        if len(connection.atomic_blocks) == 1:
            # What follows the commit is no part of it.
            name, since = begun.pop()
            spent[name].append(1000 * (time.thread_time() - since))
        leave(block, *error)

    Atomic.__enter__ = entering  # type: ignore[method-assign]
    Atomic.__exit__ = leaving  # type: ignore[method-assign]
    play()
    return spent


def name_of(frame: FrameType) -> str:
    """Return what began a transaction: a function that is one, or one with a block that is."""
    inner = frame.f_locals.get("func")
    if inner:
        return f"{inner.__module__}.{inner.__qualname__}"
    return f"{frame.f_globals['__name__']}.{frame.f_code.co_name}"


def play() -> None:
    """Do once or more what people, bots and jobs do."""
    from django.core.cache import cache
    from django.test import Client
    from django.utils import timezone

    from accounts.erasure import close_account
    from accounts.models import User
    from games.actions.analysis.ask_for_advice import ask_for_advice
    from games.actions.analysis.ask_for_review import ask_for_review
    from games.actions.moves.resign import resign
    from games.actions.pauses.ask_for_pause import ask_for_pause
    from games.actions.tables.cancel_game import cancel_game
    from games.actions.tables.join_game import join_game
    from games.actions.tables.open_rematch import open_rematch
    from games.background.sweep import sweep
    from games.models import Game
    from tests.games.tables import ME, OPEN, bot, fresh, open_table, play_out, running
    from tests.games.tasks.workers import run_jobs

    word = secrets.token_urlsafe(12)
    for name in ("anna", "bert"):
        form = {"username": name, "email": f"{name}@example.org", "password1": word}
        assert Client().post("/accounts/signup/", form).status_code == 302
    Client().post("/play/bots/")
    run_jobs()
    anna, bert = User.objects.get(username="anna"), User.objects.get(username="bert")
    now = timezone.now()
    for variant in ("blockyou-2", "duo", "classic-2", "junior", "trigon-2", "codingame-2:20:5"):
        cache.clear()
        game = running(anna, bert, variant=variant, now=now)
        play_out(game, now=now)
        run_jobs()
    open_table(anna, *(bot("greedy", seed) for seed in range(4)), now=now)
    run_jobs()
    waiting = open_table(anna, ME, OPEN, now=now)
    cancel_game(anna, waiting.slug)
    game = running(anna, bert, variant="duo", now=now)
    ask_for_pause(anna, game.slug, pause_version=fresh(game).pause_version, now=now)
    ask_for_advice(anna, open_table(anna, ME, bot("greedy"), variant="duo", now=now).slug, now=now)
    run_jobs()
    resign(anna, game.slug, now=now)
    again = open_rematch(bert, game.slug, now=now)
    join_game(anna, again.slug, now=now)
    ask_for_review(bert, Game.objects.filter(status="finished", variant="duo").order_by("pk")[0].slug, now=now)
    run_jobs()
    sweep(now + timedelta(days=3))
    run_jobs()
    close_account(bert)


if __name__ == "__main__":
    main()
