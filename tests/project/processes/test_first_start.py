"""The first start of all: bots answer while their engines are still being compiled."""

import os
import signal
from pathlib import Path
from threading import Event

import pytest

from accounts.models import User
from blockyou.processes.meanwhile import running_beside
from tests.games.tables import ME, bot, fresh, open_table
from tests.games.tasks.workers import jobs, manage, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

#: One of each kind that is quick: by chance, by the rules, by a policy, by a search.
QUICK = ("random", "greedy", "sage-3", "sage-5")


def test_quick_bots_answer_before_the_engines_are_compiled_and_strong_ones_after(alice: User, tmp_path: Path) -> None:
    quick = [open_table(alice, bot(name), ME, variant="duo") for name in QUICK]
    strong = open_table(alice, bot("sage-7"), ME, variant="duo")
    process = manage("work", "--no-reload", "--skip-checks", NUMBA_CACHE_DIR=str(tmp_path), BOTS_COMPILED="1")
    try:
        wait_until(lambda: all(fresh(game).move_count == 1 for game in quick))
        # By then the strong one waits: nothing that could think for so long is there yet.
        assert ("play_bot_turn", [strong.pk, 1]) in jobs("READY")
        wait_until(lambda: fresh(strong).move_count == 1, 240)
        assert [*tmp_path.rglob("*.nbi")]
    finally:
        process.terminate()
        assert process.wait(30) == 0
    assert jobs("FAILED") == []


def test_what_runs_meanwhile_ends_with_the_block_and_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    note = tmp_path / "note"

    def run() -> None:
        is_over = Event()
        signal.signal(signal.SIGTERM, lambda *_: is_over.set())
        note.write_text(str(os.getpid()))
        is_over.wait(60)
        note.write_text("ended")

    with running_beside(run):
        wait_until(lambda: note.exists() and note.read_text() != "")
        assert note.read_text() != str(os.getpid())
    assert note.read_text() == "ended"
