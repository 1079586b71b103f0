"""Turning plain functions over flat arrays into machine code, where numba is installed.

Without it, or with `BOTS_COMPILED=0`, the same functions run as they are written, over lists instead of arrays: the
engines choose the same placements, and take thirty to sixty times as long. All arithmetic is therefore on integers
that fit into 64 bits and on doubles by + - * / and square roots, which are the same everywhere. Compiled code is kept
in `VAR_DIR` (`NUMBA_CACHE_DIR` names another place) and is loaded by the next process in a fraction of a second. Where
nothing can be written there, every process compiles for itself.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from games.bots.engines.kept import cache_folder, can_keep, is_compiler_used

F = TypeVar("F", bound=Callable[..., Any])

#: Whether the engines run as machine code in this process.
IS_COMPILED = is_compiler_used()

#: Whether other processes will find here what this one compiles.
IS_KEPT = IS_COMPILED and can_keep(cache_folder())


if IS_COMPILED:
    import numba
    import numpy as np
    from numba.cpython.unsafe.numbers import trailing_zeros

    setattr(numba.config, "CACHE_DIR", str(cache_folder()))  # noqa: B010  (numba makes its settings as it starts)


def _lowest_bit(bits: int) -> int:
    """Return the place of the lowest 1 among the bits of a number that is not 0."""
    return int(bits & -bits).bit_length() - 1


#: One instruction of the processor, where there is a compiler.
lowest_bit = cast("Callable[[int], int]", trailing_zeros) if IS_COMPILED else _lowest_bit


def _options() -> dict[str, Any]:
    return {"cache": IS_KEPT, "nogil": True, "boundscheck": False, "_nrt": False}


def compiled(function: F) -> F:
    """Return the function as machine code, compiled when it is first called; itself where there is no compiler.

    It may make no arrays, and return to Python none: references to arrays are not counted. Whoever calls from Python
    holds all that is handed over, and counting each view of it took half of the time.
    """
    if not IS_COMPILED:
        return function
    return cast("F", numba.njit(**_options())(function))


def inlined(function: F) -> F:
    """Return the function as `compiled` does, for calls from compiled code alone: it becomes a part of its callers.

    A call hands over every array of every table, some two hundred numbers, which costs more than most functions do.
    """
    if not IS_COMPILED:
        return function
    return cast("F", numba.njit(forceinline=True, **_options())(function))


def _same(number: int) -> int:
    return number


def _unsigned(number: int) -> int:
    return np.uint64(number)  # type: ignore[return-value]


def _signed(number: int) -> int:
    return np.int64(number)  # type: ignore[return-value]


#: A number that is not negative, as a place in an array: compiled code need not ask whether it counts from the end. It
#: takes part in no arithmetic (with a signed number it would become a fraction), but begins and ends ranges.
index = cast("Callable[[int], int]", numba.njit(forceinline=True)(_unsigned)) if IS_COMPILED else _same

#: A number of 64 bits: a function that is handed constants or numbers of other sizes too is compiled for each of them.
whole = cast("Callable[[int], int]", numba.njit(forceinline=True)(_signed)) if IS_COMPILED else _same


#: A sequence of numbers that compiled code reads and writes.
Numbers = Any


def numbers(values: Sequence[int], bits: int = 32) -> Numbers:
    """Return whole numbers as compiled code takes them: an array of signed integers of `bits` bits, or a list."""
    if IS_COMPILED:
        return np.array(values, dtype=f"int{bits}")
    return list(values)


def unsigned_numbers(values: Sequence[int], bits: int = 32) -> Numbers:
    """Return whole numbers of which none is negative, to be used as places in arrays (`index`)."""
    if IS_COMPILED:
        return np.array(values, dtype=f"uint{bits}")
    return list(values)


def zeros(length: int, bits: int = 32) -> Numbers:
    """Return `length` zeros: whole numbers of `bits` bits."""
    return np.zeros(length, dtype=f"int{bits}") if IS_COMPILED else [0] * length


def fractions(length: int) -> Numbers:
    """Return `length` zeros, as doubles."""
    return np.zeros(length) if IS_COMPILED else [0.0] * length
