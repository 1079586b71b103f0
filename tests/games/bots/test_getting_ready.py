"""What a board costs once is no part of the time that thinking may take."""

import signal
import time
from functools import partial

import pytest

from games.bots import adviser, reviewer, turns
from games.bots.engines.protocol import Answer
from games.queries.analysis.advising import JudgedPlacement, ReviewWork
from games.queries.tables.turns import BotTurn
from games.roster.entries import Bot
from games.rules import Position
from tests.games.bots.fakes import FirstFew

START = Position.start("duo")


def is_timed() -> bool:
    return signal.getitimer(signal.ITIMER_REAL)[0] > 0


class Noting(FirstFew):
    """Answers at once, and notes whether its time was limited."""

    def __init__(self, met: list[tuple[str, bool]], simulations: int) -> None:
        super().__init__(simulations)
        self.met = met

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        self.met.append(("thinks", is_timed()))
        return super().think(position, seed=seed, number=number)


def offer(bot: Bot, met: list[tuple[str, bool]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this bot alone be seated, with an engine that notes what it meets."""
    monkeypatch.setattr(turns, "make_engine", lambda _bot: Noting(met, 1))
    monkeypatch.setattr(turns, "offered_bots", lambda: {bot.name: bot})


@pytest.mark.parametrize("who", [adviser, reviewer])
def test_a_board_is_got_ready_before_the_time_runs(who: object, monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[tuple[str, bool]] = []
    monkeypatch.setattr(who, "strong_engine", partial(Noting, met))
    monkeypatch.setattr(who, "get_ready", lambda position: met.append((position.variant.id, is_timed())))
    if who is adviser:
        adviser.find_placements(START, 1)
    else:
        reviewer.judge_positions(ReviewWork("slug", 1, 10, (JudgedPlacement(1, START, START.legal_placements()[0]),)))
    assert met == [("duo", False), ("thinks", True)]


@pytest.mark.parametrize("family", ["prior", "search"])
def test_a_bot_that_needs_the_board_has_it_before_its_time_runs(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[tuple[str, bool]] = []
    offer(Bot("noting", "", family=family), met, monkeypatch)
    monkeypatch.setattr(turns, "get_ready", lambda position: met.append((position.variant.id, is_timed())))
    turns.choose(BotTurn("slug", 1, 0, "noting", 1, START), 1)
    assert met == [("duo", False), ("thinks", True)]


def test_what_a_board_costs_once_is_not_told_as_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(Bot("noting", "", family="search"), [], monkeypatch)
    monkeypatch.setattr(turns, "get_ready", lambda _position: spend(1.0))
    choice = turns.choose(BotTurn("slug", 1, 0, "noting", 1, START), 1)
    assert choice.thinking.milliseconds < 1000


def spend(seconds: float) -> None:
    """Take so much CPU time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
