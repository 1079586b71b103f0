"""A bot that fails, cheats or dreams still moves: a random legal placement, and a line in the log."""

import time

import pytest

from games.bots import registry, turns
from games.bots.limit import OutOfThinkingTime, time_limit
from games.queries.turns import BotTurn
from games.rules import Placement, Position


class Raising:
    def choose(self, position, *, seed, number):
        raise ZeroDivisionError


class Cheating:
    def choose(self, position, *, seed, number):
        return Placement.parse("I1:b2", "blockyou-4")


class Dreaming:
    """Thinks for ever, and shrugs off whatever it can."""

    def choose(self, position, *, seed, number):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                sum(range(1000))
            except Exception:
                continue


def turn_of(engine, monkeypatch):
    bots = {"strange": registry.Bot("strange", "Strange", "", engine)}
    monkeypatch.setattr(turns, "engines", lambda: bots)
    return BotTurn("slug", 1, 0, "strange", 5, Position.start("blockyou-4"))


@pytest.mark.parametrize("engine", [Raising, Cheating, Dreaming])
def test_a_failing_engine_is_replaced_by_a_legal_random_placement(engine, monkeypatch, caplog):
    turn = turn_of(engine, monkeypatch)
    began = time.monotonic()
    placement = turns.choose(turn, 1, seconds=0.2)
    assert time.monotonic() - began < 1.2
    turn.position.check(placement)
    assert placement == turns.choose(turn, 1, seconds=0.2)
    assert "Bot strange" in caplog.text


def test_a_bot_that_no_longer_exists_is_replaced(monkeypatch, caplog):
    turn = BotTurn("slug", 1, 0, "retired-engine", 5, Position.start("blockyou-4"))
    turn.position.check(turns.choose(turn, 1))
    assert "no bot retired-engine" in caplog.text


def test_the_limit_ends_with_its_block():
    with pytest.raises(OutOfThinkingTime), time_limit(0.05):
        while True:
            pass
    with time_limit(0.05):
        pass
    end = time.monotonic() + 0.1
    while time.monotonic() < end:
        pass
