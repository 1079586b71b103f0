"""Nobody waits long for SQLite's only lock: a transaction costs no more than some milliseconds, the first one too."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django_tasks.base import Task

from games import tasks
from tests.reliability.spent import MOST_ROUNDS

#: Where transactions of every kind begin: at a form, at actions of people and bots, in jobs.
KINDS = (
    "accounts.forms.entrance.save",
    "games.actions.tables.create_game._create",
    "games.actions.moves.play_placement.play_placement",
    "games.notifications.announce.announce_game",
    "accounts.erasure._close_alone",
)
#: Modules that this use of a site does not come to, and why.
LEFT_OUT = {
    "accounts.keys.sign_on": "an account made by a host's provider: three writes of others, each of them measured",
    "games.actions.analysis.retry_mistake": "a mistake is found by a review that has long thought",
    "games.jobs.database": "a job on PostgreSQL alone: one row, and a word to workers",
}
#: What is no part of serving people: migrations, commands of hosts, proofs of what is stored, and the site's health.
APART = ("migrations", "management", "audit", "health.py")

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.minutes
@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="counts on SQLite; run without DATABASE_URL")
def test_no_transaction_costs_more_than_so_much_like_work_on_the_same_machine() -> None:
    found = use_site()
    assert {*KINDS} <= {*found["spent"]}
    assert modules() - {*found["entered"]} == {*LEFT_OUT}
    assert jobs() <= {*found["jobs"]}
    dear = too_dear(found)
    # Most is measured once, and what else runs on the machine may hit it; what is dear is dear each time.
    for _ in range(2):
        again = too_dear(use_site()) if dear else {}
        dear = {name: min(cost, again[name]) for name, cost in dear.items() if name in again}
    assert dear == {}


def use_site() -> dict[str, Any]:
    """Return what `tests.reliability.spent` finds, in a process of its own."""
    command = [sys.executable, "-m", "tests.reliability.spent"]
    surroundings = os.environ | {"DJANGO_SETTINGS_MODULE": "blockyou.settings.test"}
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True, timeout=570)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def too_dear(found: dict[str, Any]) -> dict[str, float]:
    """Return the kinds of transactions that cost more rounds than they may, the first or usually, and how many."""
    costs = {name: max(spent[0], usual(spent)) for name, spent in found["spent"].items()}
    return {name: cost for name, cost in costs.items() if cost > MOST_ROUNDS}


def modules() -> set[str]:
    """Return the modules that begin a transaction, but for what is no part of serving people."""
    files = [file for room in ("accounts", "games") for file in (ROOT / room).rglob("*.py")]
    begin = [file.relative_to(ROOT) for file in files if "transaction.atomic" in file.read_text()]
    return {".".join(file.with_suffix("").parts) for file in begin if not {*APART} & {*file.parts}}


def jobs() -> set[str]:
    """Return the names of all jobs."""
    return {each.name for each in vars(tasks).values() if isinstance(each, Task)}


def usual(spent: list[float]) -> float:
    """Return what 99 of 100 transactions of a kind cost at most: one may meet a collection of memory."""
    return sorted(spent)[(99 * len(spent) - 1) // 100]
