"""Games as files: Pentobi's `.blksgf` and JSON, read and written. docs/notation.md describes both.

`read(data, name)` makes a `GameRecord` of the text or the bytes of either. Whatever is wrong with them, it
raises a `RulesError`: `UnreadableRecord` (`UnreadableFile` with `line` and `column`) for what cannot be
read, `IllegalRecord` with the turn's `number`, `where` and `reasons` for what the rules refuse. The error
is a sentence. `write_blksgf(game)` and `write_json(game)` make the texts; what a format has no words for is
an `UnwritableRecord`. `has_blksgf(variant)` says whether `.blksgf` knows a variant.

A `GameRecord` holds the `record` (variant, moves, colours, scoring), what is `placed` before the first turn
and the colour `to_play`, `comments` by number of the turn, `players` by seat, `title`, `event`, `round`,
`date` and `result`, and turns that were `varied`; and, in JSON alone, `bots` by seat, `thoughts` by number of the
turn, how many turns were `given`, when the game was `opened`, `started` and `ended`, when each turn was `played`, and
which were `taken_back`. `GameRecord.of(position, players=…)` makes one of a game so far; `positions()` plays it;
`result_text(position)` is what may stand as result.
"""

from dataclasses import replace

from games.rules.errors import UnreadableRecord
from games.rules.records.data import change_texts, read_json, write_json
from games.rules.records.dialect import has_blksgf
from games.rules.records.game import LONGEST_NAME, GameRecord, TurnsTakenBack, clean_line, result_text
from games.rules.records.reading import read_blksgf
from games.rules.records.sgf import decoded
from games.rules.records.thinking import SeatedBot, Thinking
from games.rules.records.variations import VariationPlace, VariationTree, VariedTurn
from games.rules.records.writing import write_blksgf

__all__ = [
    "GameRecord",
    "SeatedBot",
    "Thinking",
    "TurnsTakenBack",
    "VariationPlace",
    "VariationTree",
    "VariedTurn",
    "change_texts",
    "has_blksgf",
    "read",
    "result_text",
    "write_blksgf",
    "write_json",
]


def read(data: bytes | str, name: str = "") -> GameRecord:
    """Return the game in a file of either format, which is recognised by its first character.

    `name` is that of the file; without its ending it becomes the title of a game that has none.

    Raises:
        RulesError: it cannot be read, or its game breaks the rules.

    """
    text = decoded(data)
    first = text.lstrip()[:1]
    if first not in {"(", "{"}:
        raise UnreadableRecord(
            "This is not a game record. A .blksgf file begins with a bracket, a JSON file with a brace."
        )
    game = read_blksgf(text) if first == "(" else read_json(text)
    title = clean_line(name.rpartition(".")[0] or name)[:LONGEST_NAME]
    return game if game.title else replace(game, title=title)
