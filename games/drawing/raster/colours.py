"""The colours of the pages for pictures made here, read from the one stylesheet that holds them.

A picture is passed on, so it has the usual colours, whatever the preferences of the person who asks for it.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_STYLES = Path(__file__).resolve().parents[3] / "static" / "site" / "tokens.css"
_TOKEN = re.compile(r"--([\w-]+):\s*(?:light-dark\(\s*)?(#[0-9a-fA-F]{6})\b")


@lru_cache(maxsize=1)
def colours() -> Mapping[str, str]:
    """Return the colour of every token in the light theme: `{"page": "#f4eee2", …}`."""
    text = _STYLES.read_text(encoding="utf-8")
    # The first value of a token is the usual one; later ones are for those who ask for something else.
    return dict(reversed(_TOKEN.findall(text)))


def fill_of(colour: str) -> str:
    """Return what the pieces of a colour are filled with."""
    return colours().get(colour, colours()["soft"])


def glyph_of(colour: str) -> str:
    """Return the colour of the glyphs on these pieces."""
    return colours().get(f"glyph-on-{colour}", colours()["outline"])
