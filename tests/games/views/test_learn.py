"""The lessons: each refuses what breaks its rule, in the words of play, and goes on after what keeps it."""

import re
from html import unescape

import pytest
from django.test import Client

from games.pages.board.refusal import lesson_of
from games.pages.guide.learn import lesson_page
from games.rules import IllegalPlacement, Placement, errors
from games.rules.variants import get_variant
from games.words.lessons import COLOUR, LESSONS, OF_REASON, RIVAL, VARIANT, lesson_position
from games.words.sentences import reason
from tests.games.views.conftest import QueryCount
from tests.rules.reference import beside, diagonal

KEYS = list(LESSONS)
MOVED = [key for key in KEYS if LESSONS[key].begin]
CHOICES = [(key, text) for key in KEYS for text in LESSONS[key].choices]
#: What goes wrong in each lesson at first, and where.
BEGINNINGS = {
    "start": (errors.START_CELL, ["a7"]),
    "corner": (errors.NO_CORNER_CONTACT, ["e3", "d4", "e4", "f4"]),
    "edge": (errors.EDGE_CONTACT, ["d5"]),
}
BEGINNINGS_BY_CODE = {code: key for key, (code, _cells) in BEGINNINGS.items()}


def shown(query: str = "", **headers: str) -> str:
    """Return the page as a stranger gets it, white space as one blank."""
    answer = Client().get(f"/learn/?{query}", headers=headers)
    assert answer.status_code == 200
    return " ".join(unescape(answer.content.decode()).split())


def is_legal(key: str, text: str) -> bool:
    return Placement.parse(text, VARIANT) in lesson_position(key).legal_placements(COLOUR)


@pytest.mark.parametrize("key", KEYS)
def test_every_lesson_is_a_game_that_could_be_and_has_its_own_colour_to_play(key: str) -> None:
    position = lesson_position(key)
    assert position.colour == COLOUR
    assert position.move_count == LESSONS[key].moves
    assert position.variant is get_variant(VARIANT)


@pytest.mark.parametrize(("key", "fault"), BEGINNINGS.items())
def test_where_the_piece_lies_at_first_it_breaks_this_rule_alone(key: str, fault: tuple[str, list[str]]) -> None:
    code, cells = fault
    with pytest.raises(IllegalPlacement) as refused:
        lesson_position(key).check(Placement.parse(LESSONS[key].begin, VARIANT))
    assert refused.value.names == {code: tuple(cells)}


@pytest.mark.parametrize(("key", "fault"), BEGINNINGS.items())
def test_a_wrong_attempt_is_answered_with_the_reason_of_play(key: str, fault: tuple[str, list[str]], db: None) -> None:
    text = shown(f"lesson={key}&placement={LESSONS[key].begin}")
    assert reason(*fault) in text
    assert "data-next" not in text
    assert re.search(r'class="ghost__fault" fill="url\(#hatch\)" d="M', text)


def test_a_lesson_says_to_fingers_and_mice_how_a_piece_is_put_where_it_should_go(db: None) -> None:
    assert "Tap or click where it should go, or drag it." in shown("lesson=corner")


@pytest.mark.parametrize(("key", "text"), CHOICES)
def test_a_choice_is_right_where_the_rules_allow_it(key: str, text: str) -> None:
    page = lesson_page(key, text)
    assert (page.notice is not None and page.notice.tone == "bad") is not is_legal(key, text)
    if not LESSONS[key].counts:
        assert page.is_done is is_legal(key, text)


@pytest.mark.parametrize("key", MOVED)
def test_right_and_wrong_places_are_among_the_choices(key: str) -> None:
    answers = [is_legal(key, text) for text in LESSONS[key].choices]
    assert answers.count(True) >= 1
    assert answers.count(False) >= 1


@pytest.mark.parametrize("key", MOVED)
def test_the_piece_of_a_lesson_fits_somewhere_and_every_such_place_is_right(key: str) -> None:
    piece = Placement.parse(LESSONS[key].begin, VARIANT).piece
    legal = [str(each) for each in lesson_position(key).legal_placements() if each.piece == piece]
    assert legal
    assert all(lesson_page(key, text).is_done for text in legal)


@pytest.mark.parametrize("key", ["corner", "edge", "lanes", "block"])
def test_right_places_touch_corners_and_no_edges_as_anybody_can_count(key: str) -> None:
    position = lesson_position(key)
    points = position.variant.grid.points
    taken = {points[cell] for cell, held in enumerate(position.board) if held != "."}
    own = {points[cell] for cell, held in enumerate(position.board) if held == "0"}
    for text in LESSONS[key].choices:
        piece = set(Placement.parse(text, VARIANT).points)
        touches = any(diagonal(cell) & own for cell in piece)
        rubs = any(beside(cell) & own for cell in piece)
        assert (touches and not rubs and not piece & taken) is is_legal(key, text), text


def test_both_lanes_are_counted_and_only_the_wider_one_is_right(db: None) -> None:
    before, after = lesson_position("lanes"), {}
    for text in LESSONS["lanes"].choices:
        after[text] = len(before.play(Placement.parse(text, VARIANT)).legal_placements(COLOUR))
    narrow, wide = sorted(after, key=after.__getitem__)
    assert after[narrow] * 3 < after[wide]
    for text in (narrow, wide):
        page = shown(f"lesson=lanes&placement={text}")
        assert {f"{count} possible moves left" in page for count in after.values()} == {True}
        assert ("data-next" in page) is (text == wide)


def test_only_the_place_that_leaves_the_opponent_the_least_is_right_and_it_costs_nothing(db: None) -> None:
    before = lesson_position("block")
    after = {text: before.play(Placement.parse(text, VARIANT)) for text in LESSONS["block"].choices}
    left = {text: len(position.legal_placements(RIVAL)) for text, position in after.items()}
    best, *others = sorted(left, key=left.__getitem__)
    assert all(left[best] * 5 < left[text] for text in others)
    assert all(len(after[best].legal_placements(COLOUR)) > len(after[text].legal_placements(COLOUR)) for text in others)
    assert [("data-next" in shown(f"lesson=block&placement={text}")) for text in (best, *others)] == [
        True,
        False,
        False,
    ]
    assert f"Another place leaves only {left[best]}. Choose that one." in shown(f"lesson=block&placement={others[0]}")


def test_the_rings_of_the_lesson_on_blocking_are_the_opponents_corners() -> None:
    for text in ("", "1:d6", "1:e5"):
        corners = lesson_page("block", text).board.corners
        assert corners is not None
        assert corners.colour == RIVAL


def test_the_lessons_follow_each_other_and_end_in_a_game_and_the_rules(db: None) -> None:
    right = {key: next(text for text in LESSONS[key].choices if lesson_page(key, text).is_done) for key in KEYS}
    for number, key in enumerate(KEYS[:-1]):
        assert f'href="/learn/?lesson={KEYS[number + 1]}" data-next' in shown(f"lesson={key}&placement={right[key]}")
    end = shown(f"lesson={KEYS[-1]}&placement={right[KEYS[-1]]}")
    assert 'action="/play-bots/"' in end
    assert "Read all the rules" in end


@pytest.mark.parametrize("key", KEYS)
def test_without_scripts_each_lesson_is_a_form_that_is_answered_by_a_whole_page(key: str, db: None) -> None:
    page = shown(f"lesson={key}")
    assert 'method="get" action="/learn/"' in page
    assert f'name="lesson" value="{key}"' in page
    assert re.findall(r'name="placement" value="([^"]+)"', page) == list(LESSONS[key].choices)
    assert "<title>" in page


def test_with_scripts_the_lesson_alone_is_answered(db: None) -> None:
    part = shown("lesson=edge&placement=1:a1", HX_Request="true")
    assert part.startswith('<article id="lesson"')
    assert "HX-Request" in Client().get("/learn/").headers["Vary"]


def test_progress_is_shown_and_a_lesson_that_is_not_there_is_the_first(db: None) -> None:
    assert "3 of 5" in shown("lesson=edge")
    assert "1 of 5" in shown("lesson=nowhere")


@pytest.mark.parametrize("text", ["nonsense", "P:zz99,zz98,zz97,zy97,zy98", "P", "9" * 5000, "L4:a1", "V3:a7,b7,a6,c9"])
def test_nonsense_is_answered_in_words_and_the_piece_stays_where_it_was(text: str, db: None) -> None:
    page = lesson_page("corner", text)
    assert page.notice is not None
    assert all(page.notice.sentences)
    assert page.ghost is not None
    assert (page.ghost.piece, page.ghost.anchor) == ("T4", 2 * 7 + 3)


def test_every_refusal_leads_to_its_lesson_or_on_purpose_to_none() -> None:
    told_in_full = {
        errors.GAME_OVER,
        errors.NOT_YOUR_TURN,
        errors.UNKNOWN_PIECE,
        errors.WRONG_SHAPE,
        errors.ALREADY_PLACED,
        errors.OFF_BOARD,
        errors.OVERLAP,
        errors.OPENING_PIECE,
        errors.MUST_PLACE,
    }
    assert told_in_full | set(OF_REASON) == set(errors.REASONS)
    assert not told_in_full & set(OF_REASON)
    assert {code: lesson_of([errors.OVERLAP, code]) for code in BEGINNINGS_BY_CODE} == BEGINNINGS_BY_CODE


def test_no_query_is_needed(query_count: QueryCount) -> None:
    assert query_count(Client(), "/learn/?lesson=edge&placement=L4:d5,d6,d7,e7") == 0
