"""The colours, recomputed from the stylesheet: readable, and told apart by every kind of eye."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from django.conf import settings

from tests.games.views.colours import ciede2000, contrast, difference

SITE = Path(settings.BASE_DIR) / "static"
TOKEN = re.compile(r"--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));")
LIGHT: dict[str, str] = {}
DARK: dict[str, str] = {}
for name, light, dark, both in TOKEN.findall((SITE / "site/tokens.css").read_text()):
    LIGHT[name], DARK[name] = light or both, dark or both
COLOURS = ("blue", "yellow", "red", "green")
TEXT = [(ink, paper) for ink in ("text", "soft", "accent", "urgent", "good") for paper in ("page", "card")]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "paper"), [*TEXT, ("on-accent", "accent"), ("text", "board")])
def test_text_can_be_read(theme: dict[str, str], ink: str, paper: str) -> None:
    assert contrast(theme[ink], theme[paper]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("paper", ["page", "card"])
def test_the_border_of_a_control_can_be_seen(theme: dict[str, str], paper: str) -> None:
    assert contrast(theme["control-line"], theme[paper]) >= 3


@pytest.mark.parametrize("colour", COLOURS)
def test_every_piece_stands_out_by_its_outline_and_its_glyph(colour: str) -> None:
    assert contrast(LIGHT[colour], LIGHT["outline"]) >= 3
    assert contrast(LIGHT[f"glyph-on-{colour}"], LIGHT[colour]) >= 3


def test_the_outline_stands_out_on_the_light_board() -> None:
    assert contrast(LIGHT["outline"], LIGHT["board"]) >= 3


@pytest.mark.parametrize(
    ("eye", "least"), [("normal", 35), ("protan", 24), ("deutan", 24), ("tritan", 24), ("grey", 12)]
)
def test_no_two_colours_of_play_look_alike_to_any_eye(eye: str, least: float) -> None:
    assert min(difference(LIGHT[one], LIGHT[two], eye) for one, two in combinations(COLOURS, 2)) >= least - 0.05


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ],
)
def test_differences_agree_with_the_published_pairs(
    one: tuple[float, float, float], other: tuple[float, float, float], expected: float
) -> None:
    assert ciede2000(one, other) == pytest.approx(expected, abs=1e-4)


def test_raw_colours_are_in_one_stylesheet_only() -> None:
    raw = re.compile(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(")
    found = {
        str(path.relative_to(SITE)): raw.findall(path.read_text())
        for path in SITE.rglob("*.css")
        if path.name != "tokens.css" and raw.search(path.read_text())
    }
    assert found == {}
