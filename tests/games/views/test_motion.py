"""One language of motion: few durations, one easing, nothing that costs layout, nothing for those who ask for less."""

import re
from pathlib import Path

import pytest
from django.conf import settings

STATIC = Path(settings.BASE_DIR) / "static"
SHEETS = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.css"))
SCRIPTS = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))
#: What the browser can move without laying anything out or painting it again.
CHEAP = {"transform", "opacity"}
NAME, DURATION, EASE = r"[a-z][\w-]*", r"var\(--(?:drop|press|settle|wait)\)", r"var\(--ease\)"
#: What may be said of moving: a name or property with a duration and the easing from the tokens, or nothing at all.
ANIMATION = re.compile(
    rf"none(?: !important)?|inherit|{NAME} {DURATION} {EASE}(?: infinite)?(?: (?:both|backwards))?"
    # A bar that shows how much time is left runs evenly.
    r"|undo var\(--undo\) linear forwards"
)
TRANSITION = re.compile(rf"none(?: !important)?|(?:(?:transform|opacity) {DURATION} {EASE}(?:, |$))+")
KEYFRAMES = re.compile(r"@keyframes [\w-]+ \{((?:[^{}]*\{[^{}]*\})*)\s*\}")


def text_of(path: str) -> str:
    """Return a file without its comments."""
    return re.sub(r"/\*.*?\*/", "", (STATIC / path).read_text(), flags=re.DOTALL)


def said(sheet: str, name: str) -> list[str]:
    """Return every value that a stylesheet gives a property, white space as one blank."""
    return [" ".join(value.split()) for value in re.findall(rf"[\s;{{]{name}:([^;}}]*)", text_of(sheet))]


def test_the_tokens_are_short_enough_to_wait_for_and_long_enough_to_be_seen() -> None:
    tokens = dict(re.findall(r"--(drop|press|settle): (\d+)ms;", text_of("site/tokens.css")))
    assert set(tokens) == {"drop", "press", "settle"}
    # What falls is as quick as what falls: longer, it would float.
    assert all(120 <= int(duration) <= 250 for duration in tokens.values())


@pytest.mark.parametrize("sheet", SHEETS)
def test_whatever_moves_takes_its_duration_and_its_easing_from_the_tokens(sheet: str) -> None:
    assert [value for value in said(sheet, "animation") if not ANIMATION.fullmatch(value)] == []
    assert [value for value in said(sheet, "transition") if not TRANSITION.fullmatch(value)] == []
    assert said(sheet, "(?:animation|transition)-(?:name|property|duration|timing-function)") == []


@pytest.mark.parametrize("sheet", SHEETS)
def test_only_place_and_opacity_are_animated(sheet: str) -> None:
    text = text_of(sheet)
    blocks = KEYFRAMES.findall(text)
    assert len(blocks) == text.count("@keyframes")
    assert {name for block in blocks for name in re.findall(r"([\w-]+):", block)} <= CHEAP


def test_nothing_moves_for_those_who_asked_for_less_motion() -> None:
    _before, rule = text_of("site/reset.css").split("@media (prefers-reduced-motion: reduce) {")
    assert re.match(r"\s*\*,\s*\*::before,\s*\*::after \{", rule)
    assert "animation: none !important;" in rule
    assert "transition: none !important;" in rule


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_moves_things_as_the_tokens_say_and_only_if_it_may(script: str) -> None:
    text, tokens = text_of(script), text_of("site/tokens.css")
    if ".animate(" not in text:
        return
    duration, ease = re.search(r"SLIDE = (\d+);", text), re.search(r'EASE = "([^"]+)";', text)
    assert duration
    assert ease
    assert f"--settle: {duration[1]}ms;" in tokens
    assert f"--ease: {ease[1]};" in tokens
    assert "(prefers-reduced-motion: reduce)" in text
