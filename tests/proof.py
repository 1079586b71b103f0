"""Long proofs: what `make test` and the gate leave to `make proof`."""

from collections.abc import Iterable
from typing import Any

import pytest


def proof(*values: Any) -> list[Any]:
    """Return these values as parameters of tests that are long proofs."""
    return [pytest.param(value, marks=pytest.mark.proof) for value in values]


def mostly_proof(values: Iterable[Any], *quick: Any) -> list[Any]:
    """Return all the values as parameters; the tests of all but the quick ones are long proofs."""
    return [value if value in quick else pytest.param(value, marks=pytest.mark.proof) for value in values]
