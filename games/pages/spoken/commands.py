"""Commands of a word or two that a game replies to, as lichess has them for players who do not see the board.

A reply is lines to read, and what is said aloud at once. Words are understood in English, and in
the reader's language where it has its own.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.base.terms import explains_in_play
from games.pages.analysis.explanation import NO_BOT_YET, ONLY_LATER, explained_lines, is_bots
from games.pages.spoken.news import Narrator
from games.pages.spoken.textboard import row_lines
from games.queries.play.bot_thoughts import thought_at
from games.queries.play.moves import MoveRow
from games.queries.play.since import moves_since
from games.queries.play.state import GameState
from games.rules import Position, UnreadablePlacement
from games.rules.notation import format_cells
from games.words import sentences

#: No command is longer.
LONGEST_COMMAND = 40
#: The moves that the history of a reply shows.
HISTORY_MOVES = 5


@dataclass(frozen=True)
class Reply:
    """What was asked, and the reply in lines; `said` is what is said at once, by default all of the lines."""

    asked: str
    lines: tuple[str, ...]
    said: str = ""

    @property
    def aloud(self) -> str:
        """Return what a screen reader says as soon as the reply is there."""
        return self.said or " ".join(self.lines)


@dataclass(frozen=True)
class Context:
    """What commands are answered from. `colour` is the viewer's to play, or to play soonest; empty without one."""

    narrator: Narrator
    colour: str

    @property
    def state(self) -> GameState:
        """Return the game as the viewer sees it."""
        return self.narrator.state

    @property
    def position(self) -> Position:
        """Return the position now."""
        return self.state.position


def reply(context: Context, text: str) -> Reply:
    """Return the reply to a command, or which commands there are."""
    written = " ".join(text[:LONGEST_COMMAND].split())
    word, _space, rest = written.partition(" ")
    for command, (words, _meaning) in WORDS.items():
        if word.casefold() in (*command.split(), *str(words).split()):
            return Reply(written, *_REPLIES[command](context, rest))
    return Reply(written, *(_cell(context, written) or _unknown(context, written)))


def piece_to_list(text: str) -> str:
    """Return the piece whose places the command asks for, empty for any other command."""
    word, _space, rest = text.strip().partition(" ")
    return rest.strip() if word.casefold() in ("legal", *str(WORDS["legal"][0]).split()) else ""


#: The lines of a reply, and what is said of them at once (empty for all of them).
Lines = tuple[tuple[str, ...], str]


def _last(context: Context, _rest: str) -> Lines:
    lines = last_moves(context.narrator, HISTORY_MOVES)
    if not lines:
        return (gettext("No moves yet."),), ""
    return lines, lines[0]


def last_moves(narrator: Narrator, count: int) -> tuple[str, ...]:
    """Return the last moves, the latest first: "12. Bob placed F at e5 (Yellow): e5,f5,f6,g6,f7."."""
    return _lines(narrator, narrator.state.moves[-count:][::-1])


def _new(context: Context, _rest: str) -> Lines:
    since = moves_since(context.state)
    lines = _lines(context.narrator, since.moves)
    if not lines:
        return (gettext("Nothing has happened since your last turn."),), ""
    return (gettext("The last round:") if since.is_round else gettext("Since your last turn:"), *lines), ""


def _why(context: Context, _rest: str) -> Lines:
    """Return why a bot made its last move. One query where it may be told."""
    state = context.state
    if not (state.is_over or explains_in_play(state.game)):
        return (str(ONLY_LATER),), ""
    last = next(filter(is_bots, reversed(state.moves)), None)
    if last is None:
        return (str(NO_BOT_YET),), ""
    thought = thought_at(state.game.slug, last.number)
    return (*_lines(context.narrator, [last]), *explained_lines(thought)), ""


def _lines(narrator: Narrator, moves: Sequence[MoveRow]) -> tuple[str, ...]:
    lines = []
    for move in moves:
        cells = move.placement.partition(":")[2].replace(",", ", ")
        values = {"number": move.number, "what": narrator.deed(move), "cells": cells}
        lines.append(
            (gettext("%(number)d. %(what)s: %(cells)s.") if cells else gettext("%(number)d. %(what)s.")) % values
        )
    return tuple(lines)


def _scores(context: Context, _rest: str) -> Lines:
    line = gettext("%(name)s: %(score)s, %(left)s.")
    return tuple(
        line
        % {
            "name": player.name,
            "score": player.score_text if context.state.is_over else player.placed_text,
            "left": player.left.replace(" · ", ", "),
        }
        for player in context.narrator.players
    ), ""


def _pieces(context: Context, rest: str) -> Lines:
    colours = [found] if (found := _colour(context, rest)) else context.position.colours_in_play
    if rest and not found:
        names = sentences.listed([sentences.colour(colour) for colour in context.position.colours_in_play])
        return (gettext("There is no such colour here. The colours are %(names)s.") % {"names": names},), ""
    if not rest and context.colour:
        colours = [context.colour]
    return tuple(stock_line(context.position, colour) for colour in colours), ""


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


def _colour(context: Context, rest: str) -> str:
    """Return the colour meant by its name or the beginning of it, empty if that fits none or several."""
    wanted = rest.casefold()
    found = [
        colour
        for colour in context.position.colours_in_play
        if wanted and (colour.startswith(wanted) or sentences.colour(colour).casefold().startswith(wanted))
    ]
    return found[0] if len(found) == 1 else ""


def _board(context: Context, _rest: str) -> Lines:
    position = context.position
    taken = position.variant.cell_count - position.board.count(".")
    first = ngettext("%(n)d of %(of)d cells is taken.", "%(n)d of %(of)d cells are taken.", taken) % {
        "n": taken,
        "of": position.variant.cell_count,
    }
    return (first, *row_lines(position)), ""


def _legal(context: Context, rest: str) -> Lines:
    position, colour = context.position, context.colour
    if not colour:
        return (gettext("You cannot place a piece in this game right now."),), ""
    counts = Counter(placement.piece for placement in position.legal_placements(colour))
    if not counts:
        return (gettext("%(colour)s has no moves left.") % {"colour": sentences.colour(colour)},), ""
    piece = next((name for name in counts if name.casefold() == rest.casefold()), "")
    if rest and not piece:
        return (gettext("%(piece)s does not fit anywhere now.") % {"piece": rest},), ""
    if piece:
        return (f"{_counted(piece, counts[piece])}.",), ""
    return (", ".join(_counted(name, count) for name, count in counts.most_common()) + ".",), ""


def _counted(piece: str, count: int) -> str:
    return ngettext("%(piece)s: %(n)d place", "%(piece)s: %(n)d places", count) % {"piece": piece, "n": count}


def _corners(context: Context, rest: str) -> Lines:
    if not context.state.game.allows_hints:
        return (gettext("Hints are not allowed at this table."),), ""
    colour = _colour(context, rest) or context.colour or context.position.colour or ""
    if not colour:
        return (gettext("The game is over."),), ""
    points = context.position.variant.grid.points
    cells = format_cells([points[cell] for cell in context.position.attach_points(colour)]).replace(",", ", ")
    line = (
        gettext("Corners that %(colour)s can use: %(cells)s.") if cells else gettext("%(colour)s has no corner to use.")
    )
    return (line % {"colour": sentences.colour(colour), "cells": cells},), ""


def _turn(context: Context, _rest: str) -> Lines:
    return (context.narrator.turn(),), ""


def _shape(context: Context, rest: str) -> Lines:
    piece = next((one for one in context.position.variant.pieces if one.name.casefold() == rest.casefold()), None)
    if piece is None:
        names = ", ".join(one.name for one in context.position.variant.pieces)
        return (gettext("The pieces are %(pieces)s.") % {"pieces": names},), ""
    cells = format_cells(piece.cells).replace(",", ", ")
    return (gettext("%(piece)s before it is turned: %(cells)s.") % {"piece": piece.name, "cells": cells},), ""


def _cell(context: Context, text: str) -> Lines | None:
    """Return what is on a cell, None if this is no cell of the board."""
    variant = context.position.variant
    try:
        cell = variant.cell_index(text)
    except (UnreadablePlacement, KeyError):
        return None
    colour = context.position.owner(cell)
    held = sentences.colour(colour) if colour else gettext("empty")
    return (gettext("%(cell)s: %(what)s.") % {"cell": variant.cells[cell], "what": held},), ""


def _help(_context: Context, _rest: str) -> Lines:
    line = gettext("%(command)s: %(told)s")
    return tuple(line % {"command": words, "told": meaning} for words, meaning in WORDS.values()), ""


def _unknown(context: Context, text: str) -> Lines:
    first = gettext("There is no command “%(asked)s”.") % {"asked": text} if text else gettext("Enter a command.")
    return (first, *_help(context, "")[0]), first + " " + gettext("Enter ? for a list of commands.")


#: Every command with what else may be written for it in the reader's language, and what the reply shows.
WORDS: Mapping[str, tuple[Promise | str, Promise | str]] = {
    "l last": (_("l last"), _("the last moves")),
    "n new": (_("n new"), _("the moves since your last turn")),
    "s scores": (_("s scores"), _("scores and pieces left")),
    "p pieces": (_("p pieces"), _("the pieces of a colour, such as p red")),
    "t turn": (_("t turn"), _("whose turn it is, and the time left")),
    "c corners": (_("c corners"), _("the corners you can use, or those of a colour")),
    "legal": (_("legal"), _("which pieces fit, and in how many places; with a piece, a list of its places")),
    "why": (_("why"), _("why a bot made its last move")),
    "shape": (_("shape"), _("the cells of a piece, such as shape F")),
    "b board": (_("b board"), _("the board, row by row")),
    "? help": (_("? help"), _("this list; enter a cell, such as e5, to find out what is on it")),
}

_REPLIES: Mapping[str, Callable[[Context, str], Lines]] = {
    "l last": _last,
    "n new": _new,
    "s scores": _scores,
    "p pieces": _pieces,
    "t turn": _turn,
    "c corners": _corners,
    "legal": _legal,
    "why": _why,
    "shape": _shape,
    "b board": _board,
    "? help": _help,
}
