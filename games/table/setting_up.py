"""A position that is set up by hand: pieces colour by colour, without an order. What they touch does not matter."""

from urllib.parse import urlencode

from games.errors import BadRequest, Refused
from games.rules import Position
from games.rules.errors import IllegalPlacement, RulesError
from games.rules.record import Record
from games.rules.records import GameRecord
from games.rules.variants import Variant
from games.table.records import unreadable_text
from games.table.typed import read_typed

#: Pieces of a position: the colour and the canonical text of each.
Placed = tuple[tuple[str, str], ...]


def colours_to_set_up(variant: Variant) -> tuple[str, ...]:
    """Return the colours with which a position is set up: those that play if no one chooses any."""
    return Position.start(variant).colours_in_play


def set_up_record(variant: Variant, placed: Placed, to_play: str) -> GameRecord:
    """Return the record of a position that is set up. Whether its pieces can lie so, its `start` says.

    Raises:
        RulesError: there are more pieces than the board has.

    """
    return GameRecord(Record(variant.id, ()), placed=placed, to_play=to_play)


def with_piece(variant: Variant, placed: Placed, colour: str, typed: str) -> Placed:
    """Return the pieces with one more of a colour.

    Raises:
        BadRequest: what is typed is no placement, or there are no more pieces.
        Refused: it cannot lie there.

    """
    piece = str(read_typed(typed, variant))
    try:
        record = set_up_record(variant, (*placed, (colour, piece)), colours_to_set_up(variant)[0])
        record.start()
    except IllegalPlacement as illegal:
        raise Refused.of(illegal) from illegal
    except RulesError as error:
        raise BadRequest(unreadable_text(error), field="placement") from error
    return record.placed


def without_piece(placed: Placed, colour: str, piece: str) -> Placed:
    """Return the pieces without one of a colour; the same where it has none there."""
    return tuple(one for one in placed if one != (colour, piece))


def field_of(colour: str) -> str:
    """Return the name of the field with the pieces of a colour."""
    return f"placed-{colour}"


def state_query(variant: Variant, placed: Placed, to_play: str, title: str, colour: str) -> str:
    """Return a position as its page's address carries it, with the colour whose pieces are in the hand."""
    pieces = {code: "\n".join(piece for held, piece in placed if held == code) for code in colours_to_set_up(variant)}
    fields = {
        "board": variant.id,
        "colour": colour,
        "to_play": to_play,
        "title": title,
        **{field_of(code): texts for code, texts in pieces.items()},
    }
    return urlencode({name: value for name, value in fields.items() if value}, safe=":,")
