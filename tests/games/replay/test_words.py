"""Words in pictures: what fits, and what the font can write."""

import pytest

from games.drawing.raster.text import can_write, fitted, font


@pytest.mark.parametrize("width", [1, 60, 200, 10_000])
def test_what_is_too_long_ends_in_dots_and_fits(width: int) -> None:
    text, face = "A name that goes on and on", font(24)
    found = fitted(text, face, width)
    assert found == text or (found.endswith("…") and text.startswith(found[:-1]))
    assert face.getlength(found) <= max(width, face.getlength("…"))


@pytest.mark.parametrize("text", ["Été", "Łódź", "Ærøskøbing", "ñ ß ÿ œ", "Вечер", "Ωμέγα", "−12 · “a” … ’", ""])
def test_the_font_has_the_letters_of_europe(text: str) -> None:
    assert can_write(text)


@pytest.mark.parametrize("text", ["\u56f2\u7881", "a \u05e9", "\U0001f3b2"])
def test_it_says_when_it_has_not(text: str) -> None:
    assert not can_write(text)
