"""A refusal as the play page shows it: what, where, what to do."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.drawing import outline
from games.errors import GameError, Refused
from games.rules.variants import get_variant
from games.words import sentences
from games.words.lessons import OF_REASON


@dataclass(frozen=True)
class NoticeView:
    """Sentences about what did not work; `faults` is a path of the cells at fault, empty if it is about none.

    `lesson` is the key of the lesson that shows why, empty where there is none.
    """

    tone: str
    sentences: tuple[str, ...]
    faults: str = ""
    lesson: str = ""


def notice_view(error: GameError, variant_id: str) -> NoticeView:
    """Return what to tell about an error on the game's page: for a refused move a sentence for each reason."""
    if not isinstance(error, Refused) or not error.reasons:
        return NoticeView("bad", sentences_of(error))
    variant = get_variant(variant_id)
    cells = sorted({cell for found in error.cells.values() for cell in found})
    points = [variant.grid.points[cell] for cell in cells]
    faults = outline.cells_path(points, variant.height, variant.grid.lattice)
    return NoticeView("bad", sentences_of(error), faults, lesson_of(error.reasons))


def sentences_of(error: GameError) -> tuple[str, ...]:
    """Return what an error says to the player: for a refused move a sentence for each reason."""
    if not isinstance(error, Refused) or not error.reasons:
        return (str(error.sentence),)
    return tuple(sentences.reason(code, error.names.get(code, ())) for code in error.reasons)


def lesson_of(reasons: Iterable[str]) -> str:
    """Return the key of the lesson about the first of these reasons that has one, else an empty text."""
    return next((OF_REASON[code] for code in reasons if code in OF_REASON), "")
