"""Puzzles in words: what to do, what a wrong try leaves, hints in steps, and why the answer is right."""

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.puzzles.puzzle import ENDING, PLACE_ALL, SHUT_OUT, WIN, Puzzle
from games.rules import Placement
from games.rules.variants import get_variant
from games.words import sentences

TITLES: dict[str, str | Promise] = {
    ENDING: _("The best ending"),
    PLACE_ALL: _("Place all that is left"),
    SHUT_OUT: _("Shut them out"),
    WIN: _("The only winning move"),
}

_WRONG: dict[str, str | Promise] = {
    ENDING: _("Another placement leaves more at the end. Look again."),
    PLACE_ALL: _("After that, not every other piece would fit any more. Try another place."),
    SHUT_OUT: _("After that, another player could still place a piece. Look again."),
    WIN: _("Against the best play, that does not win. Look again."),
}

#: The parts of a board, by its thirds from the top, each from the left.
_PARTS: tuple[tuple[str | Promise, ...], ...] = (
    (_("in the upper left"), _("at the top"), _("in the upper right")),
    (_("at the left"), _("in the middle"), _("at the right")),
    (_("in the lower left"), _("at the bottom"), _("in the lower right")),
)


def puzzle_title(kind: str) -> str:
    """Return what a kind of puzzle is called."""
    return str(TITLES.get(kind, kind))


def puzzle_task(puzzle: Puzzle) -> str:
    """Return what to do."""
    colour, pieces = sentences.colour(puzzle.colour), len(puzzle.solutions[0])
    if puzzle.kind == PLACE_ALL:
        said = ngettext(
            "Only %(colour)s can still place. Place the piece that is left.",
            "Only %(colour)s can still place. Place all %(n)d pieces that are left.",
            pieces,
        )
        return said % {"colour": colour, "n": pieces}
    if puzzle.kind == SHUT_OUT:
        return gettext("Place a piece for %(colour)s after which no other colour can place any.") % {"colour": colour}
    if puzzle.kind == WIN:
        return gettext("Find the only move that wins for %(colour)s, however the other side plays.") % {
            "colour": colour
        }
    said = (
        gettext("Find the placement that leaves %(colour)s with the best result, however the others play.")
        if get_variant(puzzle.variant).seats > 2
        else gettext("Find the placement that leaves %(colour)s with the best result, however the other side plays.")
    )
    return said % {"colour": colour}


def wrong_text(kind: str) -> str:
    """Return what is said of a placement that is legal and wrong."""
    return str(_WRONG[kind])


def piece_hint(placement: Placement) -> str:
    """Return the first hint: which piece."""
    return gettext("Take %(piece)s.") % {"piece": sentences.piece_called(placement.piece)}


def part_hint(placement: Placement, variant: str) -> str:
    """Return the second hint: on which part of the board, as it lies before it is turned."""
    board = get_variant(variant)
    x, y = (sum(point[axis] for point in placement.points) / len(placement.points) for axis in (0, 1))
    third = [min(2, int(3 * middle / size)) for middle, size in ((x, board.width), (y, board.height))]
    return gettext("It goes %(where)s of the board.") % {"where": _PARTS[2 - third[1]][third[0]]}


def answer_hint(placement: Placement) -> str:
    """Return the last hint: the answer."""
    return gettext("The answer is %(placement)s.") % {"placement": sentences.placement_label(placement)}


def answer_lines(puzzle: Puzzle) -> tuple[str, ...]:
    """Return why the answer is right, sentence by sentence, from what its proof counts."""
    colour, proof = sentences.colour(puzzle.colour), puzzle.proof
    if puzzle.kind == SHUT_OUT:
        before, legal = int(proof["before"]), int(proof["legal"])
        rivals = [sentences.colour(each) for each in puzzle.position.colours_in_play if each != puzzle.colour]
        if len(rivals) == 1:
            had = ngettext(
                "Before it, %(rival)s had %(n)d possible move; after it, none.",
                "Before it, %(rival)s had %(n)d possible moves; after it, none.",
                before,
            )
            alone = gettext("Of the %(n)d possible moves of %(colour)s, no other one shuts %(rival)s out.")
        else:
            had = ngettext(
                "Before it, the others had %(n)d possible move; after it, none.",
                "Before it, the others had %(n)d possible moves; after it, none.",
                before,
            )
            alone = gettext("Of the %(n)d possible moves of %(colour)s, no other one shuts everyone out.")
        values = {"colour": colour, "rival": rivals[0]}
        return had % {**values, "n": before}, alone % {**values, "n": legal}
    if puzzle.kind == PLACE_ALL:
        count, first = len(puzzle.solutions), int(proof["first"])
        ways = ngettext("All pieces fit in one way only.", "All pieces fit in %(n)d ways, and no others.", count)
        began = ngettext(
            "There was %(n)d possible move to begin with.", "There were %(n)d possible moves to begin with.", first
        )
        return ways % {"n": count}, began % {"n": first}
    return tuple(_best_play_lines(puzzle, colour))


def _best_play_lines(puzzle: Puzzle, colour: str) -> Iterable[str]:
    proof, variant = puzzle.proof, get_variant(puzzle.variant)
    yield gettext("If everyone plays their best from here, %(colour)s ends %(margin)s.") % {
        "colour": colour,
        "margin": margin_text(int(proof["margin"])),
    }
    other = Placement.parse(str(proof["other"]), variant)
    said = (
        gettext("No other move wins; the best of them, %(placement)s, ends %(margin)s.")
        if puzzle.kind == WIN
        else gettext("Every other placement ends worse; the next best, %(placement)s, ends %(margin)s.")
    )
    yield said % {"placement": sentences.placement_label(other), "margin": margin_text(int(proof["next"]))}
    moves = []
    for move in proof["line"]:
        who, _space, text = str(move).partition(" ")
        label = sentences.placement_label(Placement.parse(text, variant))
        moves.append(gettext("%(colour)s: %(what)s") % {"colour": sentences.colour(who), "what": label})
    if moves:
        yield gettext("Best play goes on with %(moves)s.") % {"moves": "; ".join(moves)}


def margin_text(margin: int) -> str:
    """Return how far a side is ahead of the best other one: "3 points ahead", "level", "1 point behind"."""
    if not margin:
        return gettext("level")
    count = abs(margin)
    said = (
        ngettext("%(n)d point ahead", "%(n)d points ahead", count)
        if margin > 0
        else ngettext("%(n)d point behind", "%(n)d points behind", count)
    )
    return said % {"n": count}


def first_try_text(share: int | None) -> str:
    """Return how hard a puzzle has proved to be, empty where too few have tried it."""
    if share is None:
        return ""
    return gettext("solved at the first try by %(share)s") % {"share": sentences.percent(share)}


def streak_text(days: int) -> str:
    """Return how many days on end a person has solved the puzzle of the day; nothing of a single one."""
    return ngettext("%(n)d day in a row", "%(n)d days in a row", days) % {"n": days} if days > 1 else ""


def own_result_text(*, tries: int, hints: int, is_solved: bool) -> str:
    """Return what a person has made of a puzzle; empty where they have not begun."""
    if is_solved and tries == 1 and not hints:
        return gettext("Solved at the first try")
    if is_solved:
        return gettext("Solved")
    return gettext("Not solved yet") if tries or hints else ""
