"""Curves as a picture: a few lines over two axes. PNG."""

from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageDraw

from games.drawing.raster.board import FINE
from games.drawing.raster.colours import colours
from games.drawing.raster.text import write_line

WIDTH, HEIGHT = 800, 450
#: Left, top, right and bottom of the field in which the lines lie.
_FIELD = (70, 60, 780, 400)
_TINTS = ("blue", "red", "green", "yellow")
#: Parts that each axis is divided into.
_PARTS = 5
_TEXT = 16


class Curve(NamedTuple):
    """A curve: what it is called, and its points in the units of the axes, by x."""

    name: str
    spots: Sequence[tuple[float, float]]


def chart_png(title: str, lines: Sequence[Curve], *, top: float) -> bytes:
    """Return the picture of up to four curves. Both axes begin at 0; y ends at `top`, x with the last point."""
    image = Image.new("RGB", (FINE * WIDTH, FINE * HEIGHT), colours()["card"])
    draw = ImageDraw.Draw(image)
    last = max((x for line in lines for x, _y in line.spots), default=0.0) or 1.0
    left, high, right, low = _FIELD
    for part in range(_PARTS + 1):
        x, y = left + (right - left) * part / _PARTS, low - (low - high) * part / _PARTS
        draw.line([(FINE * left, FINE * y), (FINE * right, FINE * y)], colours()["grid"], FINE)
        _write(draw, (left - 8, y), f"{top * part / _PARTS:g}", "soft", "rm")
        _write(draw, (x, low + 18), f"{last * part / _PARTS:.3g}", "soft", "mm")
    for number, (line, tint) in enumerate(zip(lines, _TINTS, strict=False)):
        spots = [
            (FINE * (left + (right - left) * x / last), FINE * (low - (low - high) * y / top)) for x, y in line.spots
        ]
        draw.line(spots, colours()[tint], 3 * FINE, joint="curve")
        start = right - 180 * (len(lines) - number)
        draw.line([(FINE * start, FINE * 40), (FINE * (start + 24), FINE * 40)], colours()[tint], 4 * FINE)
        _write(draw, (start + 32, 40), line.name, "text", "lm")
    _write(draw, (left, 20), title, "text", "lm")
    file = BytesIO()
    image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
    return file.getvalue()


def _write(draw: ImageDraw.ImageDraw, spot: tuple[float, float], text: str, tint: str, anchor: str) -> None:
    at = (FINE * spot[0], FINE * spot[1])
    write_line(draw, at, text, colours()[tint], FINE * _TEXT, FINE * WIDTH, anchor=anchor)
