"""A bot that fails, cheats or dreams still moves: a greedy placement, and a line in the log."""

import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import pytest

from games.bots import limit, registry, turns
from games.bots.engines.greedy import GreedyEngine
from games.bots.engines.protocol import Answer, Engine
from games.bots.limit import OutOfThinkingTime, time_limit
from games.queries.turns import BotTurn
from games.rules import Placement, Position


class Raising:
    def think(self, position: Position, *, seed: int, number: int) -> Any:
        raise ZeroDivisionError


class Cheating:
    def think(self, position: Position, *, seed: int, number: int) -> Any:
        return Answer(Placement.parse("I1:b2", "blockyou-4"))


class Dreaming:
    """Thinks for ever, and shrugs off whatever it can."""

    def think(self, position: Position, *, seed: int, number: int) -> Any:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                sum(range(1000))
            except Exception:  # noqa: BLE001  (what an engine that will not be stopped does)
                continue


def turn_of(engine: Callable[[], Engine], monkeypatch: pytest.MonkeyPatch) -> BotTurn:
    bots = {"strange": registry.Bot("strange", "Strange", "", engine)}
    monkeypatch.setattr(turns, "engines", lambda: bots)
    return BotTurn("slug", 1, 0, "strange", 5, Position.start("blockyou-4"))


@pytest.mark.parametrize("engine", [Raising, Cheating, Dreaming])
def test_a_failing_engine_is_replaced_by_the_greedy_one(
    engine: Callable[[], Engine], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    turn = turn_of(engine, monkeypatch)
    began = time.monotonic()
    choice = turns.choose(turn, 1, seconds=0.2)
    assert time.monotonic() - began < 1.2
    greedy = GreedyEngine().think(turn.position, seed=turn.seed, number=1)
    assert choice.placement == str(greedy.placement)
    assert choice.thinking.engine == "fallback"
    assert "Bot strange" in caplog.text


def test_ten_seconds_are_a_quick_bots_and_thirty_a_slow_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[int, set[float]] = {}
    for bot in registry.engines().values():
        if bot.level is None:
            continue
        limits = given.setdefault(bot.level, set())
        monkeypatch.setattr(turns, "time_limit", partial(over_at_once, limits))
        turns.choose(BotTurn("slug", 1, 0, bot.name, 5, Position.start("junior")), 1)
    assert given == {level: {10.0} if level < 7 else {30.0} for level in range(10)}


def over_at_once(limits: set[float], seconds: float) -> NoReturn:
    """Note a limit, and let nobody think at all."""
    limits.add(seconds)
    raise OutOfThinkingTime


def test_a_bot_that_no_longer_exists_is_replaced(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    turn = BotTurn("slug", 1, 0, "retired-engine", 5, Position.start("blockyou-4"))
    turn.position.check(Placement.parse(turns.choose(turn, 1).placement, "blockyou-4"))
    assert "no bot retired-engine" in caplog.text


def test_outside_the_main_thread_there_is_no_limit() -> None:
    chosen: list[Answer] = []

    def think() -> None:
        with time_limit(0.001):
            chosen.append(GreedyEngine().think(Position.start("blockyou-4"), seed=1, number=1))

    thread = threading.Thread(target=think)
    thread.start()
    thread.join()
    assert len(chosen) == 1


def test_the_limit_ends_with_its_block() -> None:
    with pytest.raises(OutOfThinkingTime), time_limit(0.05):
        Dreaming().think(Position.start("blockyou-4"), seed=1, number=1)
    with time_limit(0.05):
        pass
    end = time.monotonic() + 0.1
    while time.monotonic() < end:
        pass


def test_an_alarm_at_the_very_end_of_a_think_ends_no_worker_later(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = []
    monkeypatch.setattr(limit.Process, "is_expendable", True)
    monkeypatch.setattr(
        "games.bots.limit.faulthandler.dump_traceback_later", lambda *_, **__: watched.append("watched")
    )
    monkeypatch.setattr("games.bots.limit.faulthandler.cancel_dump_traceback_later", lambda: watched.append("let go"))
    monkeypatch.setattr(
        "games.bots.limit.signal.setitimer", lambda _kind, seconds: None if seconds else limit._ring(14, None)
    )
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(OutOfThinkingTime), time_limit(5):
        pass
    assert watched == ["watched", "let go"]
    assert signal.getsignal(signal.SIGALRM) is before
