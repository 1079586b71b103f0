"""Turning plain functions over flat arrays into machine code, where numba is installed.

Without it, or with `BOTS_COMPILED=0`, the same functions run as they are written, over lists instead of arrays: the
engines choose the same placements, and take thirty to sixty times as long. All arithmetic is therefore on integers
that fit into 64 bits and on doubles by + - * / and square roots, which are the same everywhere. Compiled code is kept
beside the source (`NUMBA_CACHE_DIR` names another place) and is loaded by the next process in a fraction of a second.
"""

import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

#: Whether the engines run as machine code in this process.
IS_COMPILED = find_spec("numba") is not None and os.environ.get("BOTS_COMPILED", "1") != "0"

if IS_COMPILED:
    import numba
    import numpy as np


def compiled(function: F) -> F:
    """Return the function as machine code, compiled when it is first called; itself where there is no compiler."""
    if not IS_COMPILED:
        return function
    return cast("F", numba.njit(cache=True, nogil=True, boundscheck=False)(function))


#: A sequence of numbers that compiled code reads and writes.
Numbers = Any


def numbers(values: Sequence[int], bits: int = 32) -> Numbers:
    """Return whole numbers as compiled code takes them: an array of signed integers of so many bits, or a list."""
    if IS_COMPILED:
        return np.array(values, dtype=f"int{bits}")
    return list(values)


def zeros(length: int, bits: int = 32) -> Numbers:
    """Return so many zeros: whole numbers of so many bits."""
    return np.zeros(length, dtype=f"int{bits}") if IS_COMPILED else [0] * length


def fractions(length: int) -> Numbers:
    """Return so many zeros, as doubles."""
    return np.zeros(length) if IS_COMPILED else [0.0] * length
