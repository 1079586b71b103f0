"""Every engine that is registered keeps the contract. One bot stands for its family: the code is the same."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from games.bots.engines.protocol import Answer, Candidate, Engine
from games.bots.engines.randomly import RandomEngine
from games.bots.factory import make_engine
from games.roster.entries import Bot
from games.roster.offered import offered_bots
from games.rules import Position
from tests.games.bots.contract import BOARDS, lawful_answers, positions, small

ROOT = Path(__file__).parents[3]
BOTS = list(offered_bots().values())
FAMILIES = list({bot.family or bot.name: bot for bot in reversed(BOTS)}.values())


def name(bot: object) -> str:
    """Return what a bot is called in the tests' names."""
    return bot.name if isinstance(bot, Bot) else str(bot)


@pytest.mark.parametrize("board", ["duo", "blockyou-4", "trigon-3"])
@pytest.mark.parametrize("bot", FAMILIES, ids=name)
@pytest.mark.slow
def test_the_first_positions_of_games_are_answered_lawfully(bot: Bot, board: str) -> None:
    assert lawful_answers(partial(make_engine, bot), board, 50) == 50


@pytest.mark.proof
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("bot", FAMILIES, ids=name)
def test_500_positions_of_every_variant_are_answered_lawfully(bot: Bot, board: str) -> None:
    assert lawful_answers(partial(make_engine, bot), board) == 500


@pytest.mark.parametrize("bot", BOTS, ids=name)
def test_every_bot_answers_with_an_engine_of_its_own(bot: Bot) -> None:
    for number, position in enumerate(positions("duo")[:40:13], start=1):
        position.check(small(make_engine(bot)).think(position, seed=3, number=number).placement)


@pytest.mark.parametrize("bot", [bot for bot in BOTS if not bot.is_slow], ids=name)
def test_a_bot_thinks_of_no_more_than_it_promises(bot: Bot) -> None:
    for number in (1, 20):
        answer = make_engine(bot).think(positions("duo")[number], seed=1, number=number)
        assert answer.simulations <= bot.simulations


@pytest.mark.proof
def test_another_process_answers_alike() -> None:
    """Nothing may hang on the order of sets or on memory addresses, which differ from process to process."""
    program = (
        "import django; django.setup()\n"
        "from tests.games.bots.contract import positions, small\n"
        "from games.bots.factory import make_engine\n"
        "from games.roster.offered import offered_bots\n"
        "for bot in {bot.family or bot.name: bot for bot in offered_bots().values()}.values():\n"
        "    for number in (1, 20, 40):\n"
        "        print(small(make_engine(bot)).think(positions('duo')[number], seed=1, number=number))\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={
                "PYTHONHASHSEED": seed,
                "DJANGO_SETTINGS_MODULE": "blockyou.settings.test",
                "PYTHONPATH": str(ROOT),
            },
            cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(answers) == 1
    assert len(answers.pop().splitlines()) == 3 * len(FAMILIES)


class Unlawful:
    """Answers with what could be placed at the start, for ever."""

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        return RandomEngine().think(Position.start(position.variant), seed=seed, number=number)


class Forgetful:
    """Throws other dice each time."""

    calls = 0

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        Forgetful.calls += 1
        return RandomEngine().think(position, seed=Forgetful.calls, number=number)


class Meddling:
    """Leaves the turn to another seat."""

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        answer = RandomEngine().think(position, seed=seed, number=number)
        if position.history:
            self.meddle(position)
        return answer

    def meddle(self, position: Position) -> None:
        position.retired = position.retired | {1}


class Burgling(Meddling):
    """Does so although positions cannot be changed."""

    def meddle(self, position: Position) -> None:
        object.__setattr__(position, "retired", position.retired | {1})


class Boastful:
    """Reports more than it was allowed."""

    simulations = 3

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        return Answer(RandomEngine().think(position, seed=seed, number=number).placement, simulations=4)


class Surprising:
    """Tells of a candidate that nobody may place."""

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        placement = RandomEngine().think(position, seed=seed, number=number).placement
        return Answer(placement, candidates=(Candidate(placement, 1.5, 0.5),))


@pytest.mark.parametrize("engine", [Unlawful, Forgetful, Boastful, Surprising])
def test_the_contract_is_broken_by_whoever_breaks_it(engine: Callable[[], Engine]) -> None:
    with pytest.raises((AssertionError, ValueError)):
        lawful_answers(engine, "duo")


def test_an_engine_that_changes_the_position_is_stopped() -> None:
    with pytest.raises(AttributeError, match="retired"):
        lawful_answers(Meddling, "duo")


def test_an_engine_that_changes_the_position_by_force_breaks_the_contract() -> None:
    try:
        with pytest.raises(AssertionError, match="the position was changed"):
            lawful_answers(Burgling, "duo")
    finally:
        positions.cache_clear()
