"""Errors say what is wrong in a sentence, and travel between processes."""

import copy
import pickle

import pytest

from games.rules import errors as kinds
from games.rules.errors import REASONS, IllegalPlacement, Phrase, RulesError, shown

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


def every_error() -> list[RulesError]:
    """Return an error of each kind that the rules have."""
    refused = IllegalPlacement(("overlap", "start-cell"), {"overlap": (3,)}, {"overlap": ("d1",)}, 2)
    special: list[RulesError] = [
        refused,
        kinds.UnreadablePlacement(3, "each cell once, but %(cell)s is given twice", cell="a1"),
        kinds.UnreadableFile(2, 7, Phrase("one of %(names)s", {"names": "a, b"})),
        kinds.IllegalRecord(4, Phrase("Line %(line)d", {"line": 2}), refused),
    ]
    every: list[type[RulesError]] = [RulesError, *RulesError.__subclasses__()]
    plain = [kind for kind in every if kind not in {type(error) for error in special}]
    return [*special, *(kind("No %(what)s.", what=shown("x")) for kind in plain)]


@pytest.mark.parametrize("error", every_error(), ids=lambda error: type(error).__name__)
def test_every_error_comes_back_from_pickling_with_all_that_it_says(error: RulesError) -> None:
    for again in (*(pickle.loads(pickle.dumps(error, protocol)) for protocol in PROTOCOLS), copy.copy(error)):
        assert type(again) is type(error)
        assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))


def test_every_kind_of_error_is_among_those_pickled() -> None:
    public = {kind for kind in vars(kinds).values() if isinstance(kind, type) and issubclass(kind, RulesError)}
    assert {type(error) for error in every_error()} == public


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_a_sentence(reason: str) -> None:
    text = str(IllegalPlacement((reason,), names={reason: ("a1", "b1")}))
    assert text[0].isupper()
    assert text.endswith(".")
    assert reason not in text
