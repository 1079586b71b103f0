"""A picture of each board after the first turns of a game."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from games.drawing.thumbnails import Thumbnail, thumbnail
from games.rules import VARIANTS
from games.rules.notation import parse_placement

#: The first turns of a game of each variant, for its picture: no picture has to wait for an engine.
OPENINGS: Mapping[str, list[str]] = json.loads(Path(__file__).with_name("openings.json").read_text("utf-8"))


@lru_cache(maxsize=64)
def opening_thumbnail(variant_id: str) -> Thumbnail:
    """Return the variant's board after some first turns."""
    variant = VARIANTS[variant_id]
    board, playing = ["."] * variant.cell_count, variant.choosable_colours or len(variant.colours)
    for turn, text in enumerate(OPENINGS[variant_id]):
        for point in parse_placement(text.partition(":")[2], ())[1]:
            board[variant.grid.index[point]] = str(turn % playing)
    return thumbnail("".join(board), variant_id)
