"""From a game to `.blksgf`."""

from collections.abc import Iterator

from games.rules.position import Position, Turn
from games.rules.records import dialect
from games.rules.records.game import GameRecord, seat_signs
from games.rules.records.sgf import written


def write_blksgf(game: GameRecord) -> str:
    """Return a game as a text of the dialect.

    Passes are left out, for they follow from the rules; but one with a comment, and those before a
    retirement, are written in a property of our own, as retirements are.

    Raises:
        UnwritableRecord: the dialect has no such game.
        RulesError: what is no game in the first place.

    """
    *_, last = game.positions()
    turns = last.history[len(game.placed) :]
    nodes = [_root(game), *_turns(game, last, turns)]
    return "(" + "\n".join(f";{node}" for node in nodes) + ")\n"


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


def _turns(game: GameRecord, position: Position, turns: tuple[Turn, ...]) -> Iterator[str]:
    """Yield a node for each turn that is written."""
    seats = seat_signs(game.variant.seats)
    for number, turn in enumerate(turns, 1):
        comment = written("C", [game.comments.get(number, "")])
        sign = dialect.colour_sign(game.variant, turn.colour) if turn.colour else ""
        if turn.seat is not None:
            yield written(dialect.RETIRES, [seats[turn.seat]]) + comment
        elif turn.placement is not None:
            yield written(sign, [str(turn.placement).partition(":")[2]]) + comment
        elif comment or _retires_next(turns[number:]):
            yield written(dialect.PASSES, [sign]) + comment


def _retires_next(turns: tuple[Turn, ...]) -> bool:
    return next((turn.seat is not None for turn in turns if turn.placement or turn.seat is not None), False)
