"""From a game to `.blksgf`."""

from collections.abc import Iterator, Sequence

from games.rules.position import Position, Turn
from games.rules.record import play_text
from games.rules.records import dialect
from games.rules.records.game import GameRecord, seat_signs
from games.rules.records.sgf import written
from games.rules.records.variations import VariedTurn


def write_blksgf(game: GameRecord) -> str:
    """Return a game as a text of the dialect.

    Passes are left out, for they follow from the rules; but one with a comment, and those before a
    retirement, are written in a property of our own, as retirements are.

    Raises:
        UnwritableRecord: the dialect has no such game.
        RulesError: what is no game in the first place.

    """
    stages = list(game.positions())
    turns = stages[-1].history[len(game.placed) :]
    nodes = [(0, _root(game)), *_turns(game, turns)]
    beside = _Variations(game, stages)
    # What follows a node: the rest of the game in brackets, then its variations in theirs.
    parts, rest = [], list[str]()
    for at, (number, node) in enumerate(nodes):
        until = nodes[at + 1][0] if at + 1 < len(nodes) else len(turns) + 1
        told = beside.texts(number, until)
        parts.append(f";{node}")
        if told:
            # The first that follows is the main line, even where nothing does.
            parts.append("(" if at + 1 < len(nodes) else "(;")
            rest.append(")\n" + "\n".join(f"({text})" for text in told))
    return "(" + "\n".join(parts) + "".join(rest[::-1]) + ")\n"


class _Variations:
    """Writes what could have been played instead, without recursion."""

    def __init__(self, game: GameRecord, stages: Sequence[Position]) -> None:
        self._game, self._stages = game, stages
        self._seats = seat_signs(game.variant.seats)
        self._following: dict[int, list[int]] = {}
        self._begins: dict[int, list[int]] = {}
        self._nodes: dict[int, str] = {}
        played: dict[int, Position] = {}
        for number, one in enumerate(game.varied, 1):
            before = played[one.parent] if one.parent else stages[one.after]
            played[number] = play_text(before, one.turn)
            self._nodes[number] = self._turn(played[number].history[-1], one)
            if one.parent:
                self._following.setdefault(one.parent, []).append(number)
            else:
                self._begins.setdefault(one.after, []).append(number)

    def texts(self, first: int, until: int) -> list[str]:
        """Return the variations that begin in the game after so many turns, or more, but fewer than `until`.

        The node after which they stand has the first of these turns; what the game passed since is written where the
        rules would not say it.
        """
        found = []
        for after in range(first, until):
            for number in self._begins.get(after, ()):
                passes = "".join(f";{self._turn(stage.history[-1])}" for stage in self._stages[first + 1 : after + 1])
                is_needed = self._game.varied[number - 1].turn.startswith("retire")
                found.append((passes if is_needed else "") + self._text(number))
        return found

    def _text(self, number: int) -> str:
        parts, waiting = [], list[int | str]([number])
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                parts.append(one)
                continue
            parts.append(f";{self._nodes[one]}")
            following = self._following.get(one, [])
            if len(following) == 1:
                waiting.append(following[0])
                continue
            for each in following[::-1]:
                waiting += [")", each, "\n("]
        return "".join(parts)

    def _turn(self, turn: Turn, told_of: VariedTurn | None = None) -> str:
        """Return a node; one of a variation says its passes too."""
        sign = dialect.colour_sign(self._game.variant, turn.colour) if turn.colour else ""
        if turn.seat is not None:
            told = written(dialect.RETIRES, [self._seats[turn.seat]])
        elif turn.placement is not None:
            told = written(sign, [str(turn.placement).partition(":")[2]])
        else:
            told = written(dialect.PASSES, [sign])
        return told + (written("N", [told_of.name]) + written("C", [told_of.comment]) if told_of else "")


def _root(game: GameRecord) -> str:
    variant, record = game.variant, game.record
    parts = [("GM", dialect.game_name(variant)), ("CA", "UTF-8"), ("AP", "Block-You")]
    parts += [(f"P{sign}", name) for sign, name in zip(seat_signs(variant.seats), game.players, strict=True)]
    parts += [(there, getattr(game, name)) for name, there in dialect.DETAIL_NAMES.items()]
    if record.scoring not in {None, variant.scorings[0]}:
        parts.append((dialect.SCORING, record.scoring or ""))
    parts.append((dialect.OPENERS, ",".join(variant.named_pieces)))
    text = "".join(written(name, [value]) for name, value in parts)
    return text + _setup(game) + written("C", [game.comments.get(0, "")])


def _setup(game: GameRecord) -> str:
    """Return what lies there before the first turn, and who has it."""
    variant = game.variant
    text = ""
    for colour in variant.colours:
        cells = [what.partition(":")[2] for own, what in game.placed if own == colour]
        text += written("A" + dialect.colour_sign(variant, colour), cells)
    first = game.to_play or (variant.colours[0] if game.placed else "")
    return text + (written("PL", [dialect.colour_sign(variant, first)]) if first else "")


def _turns(game: GameRecord, turns: tuple[Turn, ...]) -> Iterator[tuple[int, str]]:
    """Yield the number of each turn that is written, and its node."""
    seats = seat_signs(game.variant.seats)
    for number, turn in enumerate(turns, 1):
        comment = written("C", [game.comments.get(number, "")])
        sign = dialect.colour_sign(game.variant, turn.colour) if turn.colour else ""
        if turn.seat is not None:
            yield number, written(dialect.RETIRES, [seats[turn.seat]]) + comment
        elif turn.placement is not None:
            yield number, written(sign, [str(turn.placement).partition(":")[2]]) + comment
        elif comment or _retires_next(turns[number:]):
            yield number, written(dialect.PASSES, [sign]) + comment


def _retires_next(turns: tuple[Turn, ...]) -> bool:
    return next((turn.seat is not None for turn in turns if turn.placement or turn.seat is not None), False)
