"""What one may ask a game in a word or two, as lichess does for players who do not see the board.

A command is answered with lines to read and with what is said aloud at once. Words are understood in English, and in
the reader's language where it has its own.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.queries import sentences
from games.queries.news import Events
from games.queries.textboard import row_lines
from games.rules import Position, UnreadablePlacement
from games.rules.notation import format_cells

#: No command is longer.
LONGEST = 40
#: Of the history so many moves are told at once.
LAST = 5


@dataclass(frozen=True)
class Answer:
    """What was asked, and the answer in lines; `said` is what is said at once, all of it where the lines are few."""

    asked: str
    lines: tuple[str, ...]
    said: str = ""

    @property
    def aloud(self) -> str:
        """Return what a screen reader says as soon as the answer is there."""
        return self.said or " ".join(self.lines)


@dataclass(frozen=True)
class Scene:
    """What commands are answered from. `colour` is the one whose corners and pieces the asker thinks of."""

    events: Events
    colour: str
    allows_hints: bool = True

    @property
    def position(self) -> Position:
        """Return the position now."""
        return self.events.position


def answer(scene: Scene, text: str) -> Answer:
    """Return the answer to a command, or which commands there are."""
    asked = " ".join(text[:LONGEST].split())
    word, _space, rest = asked.partition(" ")
    for command, (words, _told) in WORDS.items():
        if word.casefold() in (*command.split(), *str(words).split()):
            return Answer(asked, *_ANSWERS[command](scene, rest))
    return Answer(asked, *(_cell(scene, asked) or _unknown(scene, asked)))


def piece_to_list(text: str) -> str:
    """Return the piece whose places the command asks for, empty for any other command."""
    word, _space, rest = text.strip().partition(" ")
    return rest.strip() if word.casefold() in ("legal", *str(WORDS["legal"][0]).split()) else ""


Told = tuple[tuple[str, ...], str]


def _last(scene: Scene, _rest: str) -> Told:
    lines = last_moves(scene.events, LAST)
    if not lines:
        return (gettext("Nobody has moved yet."),), ""
    return lines, lines[0]


def last_moves(events: Events, count: int) -> tuple[str, ...]:
    """Return the last moves, the latest first: "12. Bob placed F at e5 (Yellow): e5,f5,f6,g6,f7."."""
    lines = []
    for move in reversed(events.moves[-count:]):
        cells = move.placement.partition(":")[2].replace(",", ", ")
        values = {"number": move.number, "what": events.told(move), "cells": cells}
        lines.append(
            (gettext("%(number)d. %(what)s: %(cells)s.") if cells else gettext("%(number)d. %(what)s.")) % values
        )
    return tuple(lines)


def _scores(scene: Scene, _rest: str) -> Told:
    told = gettext("%(name)s: %(score)s, %(left)s.")
    return tuple(
        told % {"name": player.name, "score": player.score_text, "left": player.left.replace(" · ", ", ")}
        for player in scene.events.players
    ), ""


def _pieces(scene: Scene, rest: str) -> Told:
    colours = [found] if (found := _colour(scene, rest)) else scene.position.colours_in_play
    if rest and not found:
        names = sentences.listed([sentences.colour(colour) for colour in scene.position.colours_in_play])
        return (gettext("There is no such colour here. The colours are %(names)s.") % {"names": names},), ""
    if not rest and scene.colour:
        colours = [scene.colour]
    return tuple(stock_line(scene.position, colour) for colour in colours), ""


def stock_line(position: Position, colour: str) -> str:
    """Return the pieces that a colour still has: "Blue: 1, 2, I3, 2 times O."."""
    return gettext("%(colour)s: %(pieces)s.") % {
        "colour": sentences.colour(colour),
        "pieces": stock_text(position, colour),
    }


def stock_text(position: Position, colour: str) -> str:
    """Return the pieces that a colour still has, by name."""
    stock = Counter(position.stock(colour))
    twice = gettext("%(count)d times %(piece)s")
    names = [piece if count == 1 else twice % {"count": count, "piece": piece} for piece, count in stock.items()]
    return ", ".join(names) or sentences.pieces(0)


def _colour(scene: Scene, rest: str) -> str:
    """Return the colour somebody means by its name, or by the beginning of it."""
    wanted = rest.casefold()
    found = [
        colour
        for colour in scene.position.colours_in_play
        if wanted and (colour.startswith(wanted) or sentences.colour(colour).casefold().startswith(wanted))
    ]
    return found[0] if len(found) == 1 else ""


def _board(scene: Scene, _rest: str) -> Told:
    position = scene.position
    taken = position.variant.cell_count - position.board.count(".")
    first = ngettext("%(n)d cell of %(of)d is taken.", "%(n)d cells of %(of)d are taken.", taken) % {
        "n": taken,
        "of": position.variant.cell_count,
    }
    return (first, *row_lines(position)), ""


def _legal(scene: Scene, rest: str) -> Told:
    position, colour = scene.position, scene.colour
    if not colour:
        return (gettext("You have nothing to place in this game now."),), ""
    counts = Counter(placement.piece for placement in position.legal_placements(colour))
    if not counts:
        return (gettext("%(colour)s has no place left.") % {"colour": sentences.colour(colour)},), ""
    piece = next((name for name in counts if name.casefold() == rest.casefold()), "")
    if rest and not piece:
        return (gettext("%(piece)s fits nowhere now.") % {"piece": rest},), ""
    if piece:
        return (f"{_counted(piece, counts[piece])}.",), ""
    return (", ".join(_counted(name, count) for name, count in counts.most_common()) + ".",), ""


def _counted(piece: str, count: int) -> str:
    return ngettext("%(piece)s %(n)d place", "%(piece)s %(n)d places", count) % {"piece": piece, "n": count}


def _corners(scene: Scene, rest: str) -> Told:
    if not scene.allows_hints:
        return (gettext("This table is played without hints."),), ""
    colour = _colour(scene, rest) or scene.colour or scene.position.colour or ""
    if not colour:
        return (gettext("The game is over."),), ""
    points = scene.position.variant.grid.points
    cells = format_cells([points[cell] for cell in scene.position.attach_points(colour)]).replace(",", ", ")
    told = (
        gettext("Corners that %(colour)s can use: %(cells)s.") if cells else gettext("%(colour)s has no corner to use.")
    )
    return (told % {"colour": sentences.colour(colour), "cells": cells},), ""


def _turn(scene: Scene, _rest: str) -> Told:
    return (scene.events.turn(),), ""


def _shape(scene: Scene, rest: str) -> Told:
    piece = next((one for one in scene.position.variant.pieces if one.name.casefold() == rest.casefold()), None)
    if piece is None:
        names = ", ".join(one.name for one in scene.position.variant.pieces)
        return (gettext("The pieces are %(pieces)s.") % {"pieces": names},), ""
    cells = format_cells(piece.cells).replace(",", ", ")
    return (gettext("%(piece)s before it is turned: %(cells)s.") % {"piece": piece.name, "cells": cells},), ""


def _cell(scene: Scene, asked: str) -> Told | None:
    """Return what is on a cell, None if this is no cell of the board."""
    variant = scene.position.variant
    try:
        cell = variant.cell_index(asked)
    except (UnreadablePlacement, KeyError):
        return None
    colour = scene.position.owner(cell)
    held = sentences.colour(colour) if colour else gettext("empty")
    return (gettext("%(cell)s: %(what)s.") % {"cell": variant.cells[cell], "what": held},), ""


def _help(_scene: Scene, _rest: str) -> Told:
    line = gettext("%(command)s: %(told)s")
    return tuple(line % {"command": words, "told": told} for words, told in WORDS.values()), ""


def _unknown(scene: Scene, asked: str) -> Told:
    first = gettext("There is no command “%(asked)s”.") % {"asked": asked} if asked else gettext("Write a command.")
    return (first, *_help(scene, "")[0]), first + " " + gettext("Write ? for all commands.")


#: Every command with what else may be written for it in the reader's language, and what it tells.
WORDS: Mapping[str, tuple[Promise | str, Promise | str]] = {
    "l last": (_("l last"), _("the last moves")),
    "s scores": (_("s scores"), _("scores and pieces left")),
    "p pieces": (_("p pieces"), _("the pieces of a colour, such as p red")),
    "t turn": (_("t turn"), _("whose turn it is, and the time left")),
    "c corners": (_("c corners"), _("the corners you can use, or those of a colour")),
    "legal": (_("legal"), _("which pieces fit, and how often; with a piece, a list of its places")),
    "shape": (_("shape"), _("the cells of a piece, such as shape F")),
    "b board": (_("b board"), _("the board, row by row")),
    "? help": (_("? help"), _("this list; the name of a cell, such as e5, tells what is on it")),
}

_ANSWERS: Mapping[str, Callable[[Scene, str], Told]] = {
    "l last": _last,
    "s scores": _scores,
    "p pieces": _pieces,
    "t turn": _turn,
    "c corners": _corners,
    "legal": _legal,
    "shape": _shape,
    "b board": _board,
    "? help": _help,
}
