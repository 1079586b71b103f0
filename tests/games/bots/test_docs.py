"""What docs/bots.md shows works as it is shown."""

import doctest
import json
import re
import shlex
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from games.arena.command import parser
from games.roster.entries import Bot
from games.roster.measured import RATINGS
from games.rules import VARIANTS, Position
from tests.games.bots.contract import lawful_answers

TEXT = (Path(__file__).parents[3] / "docs" / "bots.md").read_text()


def blocks(language: str) -> list[str]:
    """Return the blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def example() -> dict[str, Any]:
    """Return what the file of the example defines."""
    names: dict[str, Any] = {"__name__": "centre"}
    exec(compile(blocks("python")[0], "docs/bots.md", "exec"), names)
    return names


@pytest.mark.parametrize("board", ["duo", "trigon-3"])
def test_the_example_keeps_the_contract(example: dict[str, Any], board: str) -> None:
    assert lawful_answers(example["CentreEngine"], board) == 500


def test_the_example_answers_as_shown(example: dict[str, Any]) -> None:
    session = doctest.DocTestParser().get_doctest(blocks("pycon")[0], example, "docs/bots.md", None, 0)
    results = doctest.DocTestRunner(verbose=False).run(session)
    assert (results.failed, results.attempted) == (0, 6)


def test_every_command_of_the_arena_is_understood() -> None:
    commands = re.findall(r"python -m games\.arena (.+?)(?:`|$)", TEXT, flags=re.MULTILINE)
    assert len(commands) > 5
    for command in commands:
        parser().parse_args(shlex.split(command))


def test_the_ratings_shown_are_those_on_the_pages_of_the_bots() -> None:
    section = TEXT.partition("### Ratings of the all-rounder")[2].partition("\n#")[0]
    head, _line, *rows = re.findall(r"^\|(.+)\|$", section, re.MULTILINE)
    bots = ["random", "greedy", *(f"sage-{level.strip()}" for level in head.split("|")[3:])]
    kept = json.loads(RATINGS.read_text("utf-8"))
    shown = {}
    for row in rows:
        name, *cells = (cell.strip() for cell in row.split("|"))
        shown[name] = {bot: int(cell) for bot, cell in zip(bots, cells, strict=True) if cell}
    assert list(shown) == list(VARIANTS)
    assert shown == {
        variant: {bot: kept[variant][bot]["rating"] for bot in bots if bot in kept[variant]} for variant in VARIANTS
    }


def test_every_field_of_a_bot_is_told() -> None:
    assert [each.name for each in fields(Bot) if f"`{each.name}`" not in TEXT] == []


def test_every_question_to_a_position_exists() -> None:
    table = TEXT.partition("### What a position can be asked")[2].partition("\n\nNo engine")[0]
    names = set(re.findall(r"`(\w+)[(`]", table))
    assert len(names) > 15
    assert [name for name in sorted(names) if not hasattr(Position, name)] == []
