"""Every sentence of a hint, word by word, against a second engine that shares no code with the rules."""

import random
import re
from collections.abc import Iterator
from math import hypot

import pytest
from django.utils import translation

from games.bots import adviser
from games.bots.engines.protocol import Answer, Candidate
from games.rules import Placement, Position
from games.words.reasons import reasons_text
from tests.proof import mostly_proof
from tests.rules.naive import Board, Cell, Cells, NaiveGame, touching
from tests.rules.naive_variants import RULES

VARIANTS = ("blockyou-2", "blockyou-4", "classic-3", "duo", "trigon-3")
#: How every clause begins, and what it is about.
CLAUSES = {
    "places": r"places (?P<n>\d+) cells?",
    "takes": r"(takes )?(?P<n>\d+|one) of ((?P<colour>\w+)'s|its) corners",
    "hampers": r"blocks (?P<n>\d+) of (?P<colour>\w+)'s moves",
    "opens": r"opens (?P<n>\d+) new corners? for you",
    "nears": r"opens (?P<n>\d+) corners? closer to the middle than any you had",
    "gives": r"gives you (?P<n>\d+) more moves?",
    "closes none": r"closes (?P<n>none) of your corners",
    "spares": r"leaves your (?P<colour>\w+) (?P<n>\d+) moves?",
}


class AnyThree:
    """Takes any three placements for the best, and plays nothing in thought."""

    def __init__(self, simulations: int) -> None:
        self.simulations = simulations

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        legal = position.legal_placements()
        some = random.Random(number).sample(legal, min(3, len(legal)))
        return Answer(some[0], candidates=tuple(Candidate(placement, 1 / 3, 0.5) for placement in some))


def played(variant: str) -> Iterator[tuple[Position, NaiveGame]]:
    """Play a game by chance on both engines; yield it before every turn in which something can be placed."""
    rng, position, naive = random.Random(variant), Position.start(variant), NaiveGame(RULES[variant])
    while not position.is_over:
        chosen = position.pick_legal_id(rng.random())
        if chosen is None:
            position = position.pass_turn()
            naive.pass_turn()
            continue
        yield position, naive
        naive.play(frozenset(position.placement(chosen).points))
        position = position.play_id(chosen)


def corners(naive: NaiveGame, colour: str) -> set[Cell]:
    """Return the free cells that touch the colour at a corner and at no side; before its first piece, its starts."""
    near, own = touching(naive.rules.board), naive.owned[colour]
    closed = set().union(*naive.owned.values(), *(near[2][cell] for cell in own))
    return (set().union(*(near[1][cell] for cell in own)) if own else set(naive.rules.starts[colour])) - closed


def nearer(board: Board, some: set[Cell], others: set[Cell]) -> int:
    """Return how many of some cells lie nearer to the middle of the board than all the others."""
    columns, rows = ([cell[axis] for cell in board.corners] for axis in (0, 1))
    middle = (min(columns) + max(columns)) / 2, (min(rows) + max(rows)) / 2
    away = {cell: round(hypot(cell[0] - middle[0], (cell[1] - middle[1]) * board.rise), 9) for cell in some | others}
    return sum(all(away[cell] < away[other] for other in others) for cell in some)


def counted(kind: str, colour: str, naive: NaiveGame, cells: Cells) -> int:
    """Return what a clause should say, -1 where it should not be said."""
    after, mine, own = naive.after(cells), naive.colour or "", naive.rules.seats[naive.seat or 0]
    before, then = corners(naive, mine), corners(after, mine)
    is_rival = colour in naive.rules.colours and colour not in own and colour != mine and bool(naive.legal(colour))
    is_partner = colour in own and colour != mine
    goes_on = bool(after.legal(mine))
    counts = {
        "places": lambda: len(cells),
        "takes": lambda: len(corners(naive, colour) & cells) if is_rival else -1,
        "hampers": lambda: len(naive.legal(colour)) - len(after.legal(colour)) if is_rival else -1,
        "opens": lambda: len(then - before) if goes_on else -1,
        "nears": lambda: nearer(naive.rules.board, then - before, before) if goes_on else -1,
        "gives": lambda: len(after.legal(mine)) - len(naive.legal(mine)),
        "closes none": lambda: len(before - then - cells) if goes_on else -1,
        "spares": lambda: len(after.legal(colour)) if is_partner else -1,
    }
    return counts[kind]()


def clauses(sentence: str) -> Iterator[tuple[str, str, int]]:
    """Yield what each clause of a sentence is about, its colour and its number."""
    assert re.fullmatch(r"[A-Z].*\w\.", sentence)
    colour = ""
    for clause in (sentence[0].lower() + sentence[1:-1]).split(" and "):
        ((kind, said),) = [(kind, said) for kind, way in CLAUSES.items() if (said := re.fullmatch(way, clause))]
        groups = said.groupdict()
        # Where a colour's moves are blocked too, its corners are "its".
        colour = (groups["colour"] or colour).lower() if "colour" in groups else ""
        yield kind, colour, int(groups["n"].replace("none", "0").replace("one", "1"))


@pytest.mark.parametrize("variant", mostly_proof(VARIANTS, "duo"))
def test_every_number_of_a_sentence_is_what_a_second_engine_counts(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: set[str] = set()
    monkeypatch.setattr(adviser, "strong_engine", AnyThree)
    for turn, (position, naive) in enumerate(played(variant)):
        if turn % 5 and position.legal_count() > 12:
            continue
        for choice in adviser.good_placements(position, turn):
            with translation.override("en"):
                said = list(clauses(reasons_text(choice.reasons, is_yours=True)))
            cells = frozenset(Placement.parse(choice.placement, variant).points)
            assert said == [(kind, colour, counted(kind, colour, naive, cells)) for kind, colour, _ in said]
            assert len(said) == len({(kind, colour) for kind, colour, _ in said}) in (1, 2)
            heard.update(kind for kind, _, _ in said)
    # A check of what was never said would prove nothing.
    has_partners = any(len(seat) > 1 for seat in position.seats) or bool(naive.rules.shared)
    assert heard == set(CLAUSES) - (set() if has_partners else {"spares"})
