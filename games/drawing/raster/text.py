"""Words in pictures made here: Noto Sans, cut down to Latin, Greek and Cyrillic (licence: fonts/OFL.txt).

Titles and numbers that count are in the pages' own face, where it has every letter of them.
"""

from functools import lru_cache
from pathlib import Path

from PIL import ImageDraw, ImageFont

_FOLDER = Path(__file__).resolve().parent / "fonts"
_DISPLAY = Path(__file__).resolve().parents[3] / "static" / "site" / "fonts" / "young-serif.woff2"
_NOTHING = "\uffff"
_DOTS = "\N{HORIZONTAL ELLIPSIS}"


@lru_cache(maxsize=32)
def font(size: int, *, is_bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return the font in that size. It shapes letters one by one, alike on every machine."""
    name = "NotoSans-SemiBold.ttf" if is_bold else "NotoSans-Regular.ttf"
    return ImageFont.truetype(_FOLDER / name, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=16)
def display_font(size: int) -> ImageFont.FreeTypeFont:
    """Return the face of titles in that size."""
    return ImageFont.truetype(_DISPLAY, size, layout_engine=ImageFont.Layout.BASIC)


def can_write(text: str) -> bool:
    """Return whether the font has every letter of a text."""
    return all(map(_has, text))


@lru_cache(maxsize=2048)
def _has(letter: str) -> bool:
    return letter.isspace() or bytes(font(24).getmask(letter)) != bytes(font(24).getmask(_NOTHING))


def write_line(
    draw: ImageDraw.ImageDraw,
    spot: tuple[float, float],
    text: str,
    colour: str,
    size: int,
    width: float,
    *,
    is_bold: bool = False,
    is_title: bool = False,
    anchor: str = "lm",
) -> None:
    """Write a line, by default from a spot at its left and half its height; what is too long ends in dots."""
    has_letters = is_title and all(letter.isspace() or display_font(24).getmask(letter).size[1] for letter in text)
    face = display_font(size) if has_letters else font(size, is_bold=is_bold or is_title)
    draw.text(spot, fitted(text, face, width), fill=colour, font=face, anchor=anchor)


def fitted(text: str, face: ImageFont.FreeTypeFont, width: float) -> str:
    """Return as much of a text as fits into a width."""
    if face.getlength(text) <= width:
        return text
    ends = range(len(text), 0, -1)
    kept = next((end for end in ends if face.getlength(text[:end].rstrip() + _DOTS) <= width), 0)
    return text[:kept].rstrip() + _DOTS
