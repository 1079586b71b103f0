"""The colours, recomputed from the stylesheets: readable, and told apart by every kind of eye."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from django.conf import settings

from games.pages.board.faces import TINTS
from games.rules.variants import VARIANTS
from tests.games.views.colours import ciede2000, contrast, difference

SITE = Path(settings.BASE_DIR) / "static"
TOKENS = (SITE / "site/tokens.css").read_text()
TOKEN = re.compile(r"--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));")
USUAL, OTHER = '\n[data-colours="blue-yellow"] {', '\n[data-colours="cyan-violet"] {'
MORE = '\n:root[data-contrast="more"] {'
THEMES = ["light", "dark"]
CODES = ("blue", "yellow", "red", "green", "purple", "orange")
INKS = ("text", "soft", "accent", "urgent", "good")
#: Text, and what it stands on.
WRITTEN = [
    *((ink, paper) for ink in INKS for paper in ("page", "card")),
    ("on-accent", "accent"),
    ("text", "board"),
    ("on-rim", "rim"),
]
#: The least difference that each kind of eye sees.
LEAST = {"normal": 24, "protan": 24, "deutan": 24, "tritan": 24, "grey": 12}
#: Every set of colours that meets on a board; each is looked at in both traditions.
MEETING = sorted({kind.colours for kind in VARIANTS.values()})


def rule(head: str) -> str:
    """Return what the only rule with this head says."""
    (_before, rest) = TOKENS.split(head)
    return rest.split("}")[0]


def colours(theme: str, *rules: str) -> dict[str, str]:
    """Return each colour of a theme as the root says it, then as these rules do."""
    found: dict[str, str] = {}
    for text in (TOKENS.split("}")[0], rule(USUAL), *map(rule, rules)):
        for name, *pair, both in TOKEN.findall(text):
            found[name] = both or pair[THEMES.index(theme)]
    return found


PLAY = {"blue-yellow": colours("light"), "cyan-violet": colours("light", OTHER)}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("rules", "least"), [([], 4.5), ([MORE], 7)], ids=["usual", "more"])
def test_text_can_be_read(theme: str, rules: list[str], least: float) -> None:
    shown = colours(theme, *rules)
    faint = {(ink, paper): contrast(shown[ink], shown[paper]) for ink, paper in WRITTEN}
    assert {pair: ratio for pair, ratio in faint.items() if ratio < least} == {}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("rules", "least"), [([], 4.5), ([MORE], 7)], ids=["usual", "more"])
def test_the_letters_of_a_face_can_be_read_on_every_colour(theme: str, rules: list[str], least: float) -> None:
    shown = [colours(theme, *rules, f'\n[data-tint="{tint}"] {{') for tint in range(TINTS)]
    assert min(contrast(each["text"], each["tint"]) for each in shown) >= least


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("rules", "least"), [([], 3), ([MORE], 7)], ids=["usual", "more"])
def test_the_border_of_a_control_can_be_seen(theme: str, rules: list[str], least: float) -> None:
    shown = colours(theme, *rules)
    assert min(contrast(shown["control-line"], shown[paper]) for paper in ("page", "card")) >= least


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("rules", "least"), [([], 3), ([MORE], 7)], ids=["usual", "more"])
def test_the_corners_that_hold_something_can_be_seen(theme: str, rules: list[str], least: float) -> None:
    shown = colours(theme, *rules)
    assert min(contrast(shown["brass"], shown[paper]) for paper in ("page", "card")) >= least


@pytest.mark.parametrize("theme", THEMES)
def test_more_contrast_draws_every_line_so_that_it_can_be_seen(theme: str) -> None:
    shown = colours(theme, MORE)
    lines = [contrast(shown["line"], shown[paper]) for paper in ("page", "card")]
    assert min(*lines, contrast(shown["grid"], shown["cells"])) >= 3
    assert "--stroke: 3px;" in rule(MORE)


def test_more_contrast_is_the_same_by_device_and_by_preference() -> None:
    asked = TOKENS.split("@media (prefers-contrast: more) {\n  :root {")[1].split("}")[0]
    assert asked.split() == rule(MORE).split()


@pytest.mark.parametrize("tradition", PLAY)
@pytest.mark.parametrize("code", CODES)
def test_every_piece_stands_out_by_its_outline_and_its_glyph(tradition: str, code: str) -> None:
    shown = PLAY[tradition]
    assert contrast(shown[code], shown["outline"]) >= 3
    assert contrast(shown[f"glyph-on-{code}"], shown[code]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("rules", [[], [MORE]], ids=["usual", "more"])
def test_the_outline_of_a_piece_stands_out_on_the_board(theme: str, rules: list[str]) -> None:
    shown = colours(theme, *rules)
    assert contrast(shown["outline"], shown["cells"]) >= 9


@pytest.mark.parametrize("theme", THEMES)
def test_the_wood_of_a_board_stands_out_from_the_page_by_its_frame(theme: str) -> None:
    shown = colours(theme)
    assert contrast(shown["rim"], shown["cells"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
def test_the_ring_around_the_piece_in_hand_differs_in_lightness_from_the_wood_and_is_no_outline(theme: str) -> None:
    shown = colours("light")
    assert contrast(shown["rim"], colours(theme)["cells"]) >= 4.5, "told apart without any hue"
    text = (SITE / "board/board.css").read_text()
    widths = [
        float(text.split(f"\n.ghost__{part} {{")[1].split("stroke-width: ")[1].split("px")[0])
        for part in ("halo", "gap")
    ]
    assert widths[0] - widths[1] >= 4
    assert widths[1] >= 4


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("rules", [[], [OTHER]], ids=PLAY)
@pytest.mark.parametrize("code", CODES)
def test_the_marks_of_every_colour_can_be_seen_on_the_empty_board(theme: str, rules: list[str], code: str) -> None:
    # All that is drawn on a board is as by day.
    assert contrast(colours("light", *rules)[f"mark-{code}"], colours(theme)["cells"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("rules", [[], [OTHER]], ids=PLAY)
@pytest.mark.parametrize("code", CODES)
def test_the_lines_of_every_colour_can_be_seen_in_a_graph(theme: str, rules: list[str], code: str) -> None:
    shown = colours(theme, *rules)
    assert contrast(shown[f"mark-{code}"], shown["card"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("rules", [[], [OTHER], [MORE]], ids=[*PLAY, "more"])
@pytest.mark.parametrize("code", CODES)
def test_how_much_a_player_has_placed_can_be_seen_on_the_track_of_the_bar(
    theme: str, rules: list[str], code: str
) -> None:
    shown = colours(theme, *rules)
    assert contrast(shown[f"mark-{code}"], shown["track"]) >= 3
    bars = (SITE / "board/players.css").read_text()
    assert bars.count("background: var(--mark);") == bars.count("background: var(--track);") == 2


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("rules", [[], [MORE]], ids=["usual", "more"])
def test_cells_that_are_counted_at_the_end_look_as_the_pieces_and_stand_out_by_their_outline(
    theme: str, rules: list[str]
) -> None:
    shown = colours(theme, *rules)
    assert min(contrast(shown["icon-line"], shown[ground]) for ground in ("track", "page", "card")) >= 3
    bars = (SITE / "board/after.css").read_text()
    assert bars.count("var(--fill) 0 7px, var(--icon-line) 0 9px") == 2
    assert bars.count("box-shadow: inset 0 0 0 1.5px var(--icon-line);") == 2
    assert "var(--mark" not in bars


def test_boards_and_small_pictures_are_drawn_as_by_day() -> None:
    for file, selector in [("board/board", ".board"), ("site/blocks/thumb", ".thumb")]:
        text = (SITE / f"{file}.css").read_text()
        assert "color-scheme: light;" in text.split(f"\n{selector} {{")[1].split("}")[0]
    kept = {"cells", "grid", "name"}
    assert set(re.findall(r"@property --(\w+)", TOKENS)) == kept


@pytest.mark.parametrize("tradition", PLAY)
@pytest.mark.parametrize("eye", LEAST)
@pytest.mark.parametrize("codes", MEETING, ids="-".join)
def test_no_two_colours_that_meet_look_alike_to_any_eye(tradition: str, eye: str, codes: tuple[str, ...]) -> None:
    fills = [PLAY[tradition][code] for code in codes]
    assert min(difference(one, two, eye) for one, two in combinations(fills, 2)) >= LEAST[eye]


def test_a_piece_has_an_outline_of_two_pixels_at_least_wherever_it_is_drawn() -> None:
    assert re.findall(r"--stroke: (\d)px", TOKENS) == ["2", "3", "3"]
    for file, selector in [("board/board", ".piece"), ("board/board", ".ghost__shape"), ("play/tray", ".slot__icon")]:
        text = (SITE / f"{file}.css").read_text()
        assert "stroke-width: var(--stroke);" in text.split(f"\n{selector} {{")[1].split("}")[0]


def test_what_a_colour_looks_like_is_said_in_one_stylesheet() -> None:
    said = re.compile(rf"var\(--glyph-on-|var\(--(?:{'|'.join(CODES)})\)")
    found = {path.name for path in SITE.rglob("*.css") if said.search(path.read_text())}
    assert found == {"colours.css"}


@pytest.mark.parametrize("code", CODES)
def test_every_colour_has_a_fill_a_glyph_and_a_mark(code: str) -> None:
    text = (SITE / "site/colours.css").read_text().split(f'[data-colour="{code}"] {{')[1].split("}")[0]
    assert f"--fill: var(--{code});" in text
    assert f"--glyph: var(--glyph-on-{code});" in text
    assert f"--mark: var(--mark-{code});" in text


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
        ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (61.0, -5.0, 29.0), 22.8977),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
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
