"""Checks of the arguments of public calls, before compiled code reads them.

Compiled code looks at no bounds: an index that is too large reads and writes whatever lies there, and ends the process.
So every public call first checks its arguments in plain Python, and refuses in a sentence what would not fit.
"""

import operator
from collections.abc import Sequence
from numbers import Real
from typing import cast

from games.rules import Position
from games.rules.errors import shown

#: The largest number that a call takes where nothing else bounds it.
LARGEST_NUMBER = 10**9


class InvalidCallError(ValueError):
    """A call out of order, or with an argument of the wrong type, shape or range; nothing has changed.

    The message says in a sentence what would fit.
    """


def whole_number(what: str, value: object, least: int | None = None, most: int | None = None) -> int:
    """Return the argument as an integer from `least` to `most`; `what` begins the message of the error.

    Raises:
        InvalidCallError: it is something else, or out of bounds.

    """
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidCallError(f"{what} is a whole number{_between(least, most)}, not {shown(value)}.") from None
    if (least is not None and number < least) or (most is not None and number > most):
        raise InvalidCallError(f"{what} is a whole number{_between(least, most)}, not {number_text(number)}.")
    return number


def real_number(what: str, value: object, least: float, most: float) -> float:
    """Return the argument as a float, checked as by `whole_number`."""
    if not isinstance(value, Real):
        raise InvalidCallError(f"{what} is a number{_between(least, most)}, not {shown(value)}.")
    number = cast("float", value)
    # Not a number is in no order with any.
    if not least <= number <= most:
        raise InvalidCallError(f"{what} is a number{_between(least, most)}, not {number_text(number)}.")
    return float(number)


def true_or_false(what: str, value: object) -> bool:
    """Return the argument as a boolean, checked as by `whole_number`.

    Raises:
        InvalidCallError: it is neither.

    """
    # Those of numpy are no bool, but equal to one.
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        raise InvalidCallError(f"{what} is True or False, not {shown(value)}.")
    return bool(value)


def number_text(number: float) -> str:
    """Return a number as text for a message; a very long one as its order of magnitude."""
    if isinstance(number, int) and abs(number) >= 10**20:
        return f"one of {number.bit_length()} bits"
    return str(number)


def _between(least: float | None, most: float | None) -> str:
    if least is None or most is None:
        return "" if least is None else f" from {least} on"
    return f" from {least} to {most}"


def check_can_place(position: object) -> None:
    """Refuse anything but a position in which the colour to play has a legal placement.

    Raises:
        InvalidCallError: it is none.

    """
    if not isinstance(position, Position):
        raise InvalidCallError(f"An engine thinks about a position, not about a value {shown(position)}.")
    if position.is_over:
        raise InvalidCallError("The game is over: there is nothing to place.")
    if not position.has_legal():
        raise InvalidCallError("The colour to play can place nothing: pass first.")


def check_rows(what: str, rows: object, count: int, length: int, most: float) -> None:
    """Refuse anything but `count` rows of `length` numbers, none above `most` in absolute value.

    Raises:
        InvalidCallError: it is something else.

    """
    if not (isinstance(rows, Sequence) and len(rows) == count and all(_is_row(row, length, most) for row in rows)):
        raise InvalidCallError(f"{what} are {count} rows of {length} numbers each, from {-most} to {most}.")


def _is_row(row: object, length: int, most: float) -> bool:
    return (
        isinstance(row, Sequence)
        and not isinstance(row, str | bytes)
        and len(row) == length
        # Of a plain number the type says it soonest.
        and all(
            (type(number) is float or isinstance(number, Real)) and -most <= cast("float", number) <= most
            for number in row
        )
    )
