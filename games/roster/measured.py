"""How strong the bots of the house were measured, by `python -m games.arena`. Nothing of Django."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

#: The measured strength of the bots by variant and stored name.
RATINGS = Path(__file__).parents[1] / "bots" / "ratings.json"

#: By variant and bot: its rating, the bounds of the rating, and the number of games behind it.
Measured = Mapping[str, Mapping[str, Mapping[str, int]]]


@cache
def measured_bots() -> Measured:
    """Return what was measured, nothing where nothing was."""
    return json.loads(RATINGS.read_text("utf-8")) if RATINGS.exists() else {}
