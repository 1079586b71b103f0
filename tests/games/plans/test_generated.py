"""Whole tables by chance, with plans of several players: what each plan does is what a naive reading says.

Ten thousand as a proof, in a hundred lots that are tests of their own: each of them has every board in it, people who
play two colours, a shared colour, bots that answer at once, declared passes, moves taken back, players who leave, and
hands that are quicker than a plan.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

import pytest

from games.base.plans import (
    OtherMove,
    PlannedMove,
    PlannedTurn,
    PlanPlay,
    PlanStop,
    TurnPlan,
    planned_step,
)
from games.queries.play.players import colours_to_place
from games.rules import Placement, Position
from games.rules.errors import REASONS
from tests.games.plans.naive import Happened, naive_step
from tests.proof import mostly_proof

VARIANTS = [f"{board}-{people}" for board in ("blockyou", "classic", "trigon") for people in (2, 3, 4)]
SMALL = ["codingame-2:9:42", "codingame-3:9:0", "codingame-4:9:1", "duo", "junior"]

#: Tables of one lot: 100 lots are ten thousand.
LOT = 100

SEEN_IN_EACH_LOT = {
    "a shared colour that was placed",
    "two colours a seat",
    "bots",
    "passes",
    "declared passes",
    "taken back",
    "left",
    "a chain",
    "a chain of three",
}


class Table:
    """One table: its position, what has happened, and the plans by seat."""

    def __init__(self, rng: random.Random, variant: str) -> None:
        self.rng = rng
        self.position = Position.start(variant)
        self.cells = [(cell, self.position.variant.cell_index(cell)) for cell in self.position.variant.cells]
        self.past: list[Happened] = []
        self.spent = 0
        self.taken_back: list[int] = []
        self.plans: dict[int, TurnPlan] = {}
        self.declares = rng.random() < 0.3
        # Seats in which a bot sits, who plans nothing; never all of them.
        seats = range(len(self.position.seats))
        self.bots = set(rng.sample(seats, rng.randrange(len(seats)))) if rng.random() < 0.3 else set()
        self.wanted: list[str] = []
        self._possible: tuple[Position, dict[str, tuple[str, ...]]] = (self.position, {})

    @property
    def due(self) -> int:
        return len(self.past) + 1 + self.spent

    def possible(self, colour: str) -> tuple[str, ...]:
        """Return what a colour can place, found once a position."""
        position, known = self._possible
        if position is not self.position:
            self._possible = (self.position, known := {})
        if colour not in known:
            known[colour] = tuple(map(str, self.position.legal_placements(colour)))
        return known[colour]

    def some_move(self, colour: str) -> str:
        found = self.possible(colour)
        return self.rng.choice(found) if found else "pass"

    def some_choice(self, colour: str, seat: int) -> PlannedMove:
        rng, move = self.rng, self.some_move(colour)
        if self.declares and rng.random() < 0.1:
            move = "pass"
        cells = [cell for cell, index in self.cells if self.position.owner(index) is None]
        near = move.partition(":")[2].split(",") if ":" in move else cells[:1]
        others = [other for other in self.position.colours_in_play if other not in self.position.seats[seat]]
        other = rng.choice(others)
        named = OtherMove(other, self.some_move(other), rng.random() < 0.5)
        self.wanted += [named.move]
        return PlannedMove(
            move,
            free=tuple(rng.sample(cells, min(2, len(cells)))) if rng.random() < 0.3 else (),
            corners=(rng.choice(near),) if rng.random() < 0.2 and near else (),
            others=(named,) if rng.random() < 0.3 else (),
        )

    def set_plan(self, seat: int) -> None:
        hand = colours_to_place(self.position, seat)
        turns = tuple(
            PlannedTurn(colour, tuple(self.some_choice(colour, seat) for _ in range(self.rng.randint(1, 4))))
            for colour in self.rng.choices(hand, k=self.rng.randint(1, 8))
        )
        self.plans[seat] = TurnPlan(turns, number=self.due, spent=self.spent)

    def step(self, seat: int) -> tuple[str, str]:
        """Return what a seat's plan says now, having checked that the naive reading says the same."""
        plan = self.plans[seat]
        turns = [
            (turn.colour, [choice._asdict() | {"others": list(choice.others)} for choice in turn.choices])
            for turn in plan.turns
        ]
        # It says so once.
        wanted = ("wait", "")
        if not plan.stopped:
            wanted = naive_step(
                turns, plan.number, seat, self.past, self.position, self.due, self.possible, self.taken_back
            )
        found = planned_step(plan, self.position, self.past, seat, self.spent)
        match found:
            case PlanPlay(_turn, move):
                said = ("play", move)
            case PlanStop(number, obstacles):
                assert number == self.due
                code = obstacles[-1].code
                said = ("stop", "rules" if code in REASONS else code)
            case _:
                said = ("wait", "")
        assert said == wanted, (plan, self.past)
        if isinstance(found, PlanPlay):
            self.plans[seat] = plan.after(found.turn, self.due)
        elif isinstance(found, PlanStop):
            self.plans[seat] = plan.stop(found)
        assert TurnPlan.from_data(self.plans[seat].to_data()) == self.plans[seat]
        return said

    def moved(self, text: str, *, is_planned: bool = False, bot: str = "") -> None:
        colour, seat = self.position.colour, self.position.seat
        assert colour
        assert seat is not None
        self.past.append(Happened(len(self.past) + 1, seat, colour, text, is_planned=is_planned, bot=bot))
        self.position = self.position.pass_turn() if text == "pass" else self.position.play(text)
        self.pass_on()

    def pass_on(self) -> None:
        """Let the colours that are blocked pass: where passes are not declared, and everywhere once none can place."""
        while self.position.colour and not self.possible(self.position.colour):
            if self.declares and any(map(self.possible, self.position.colours_in_play)):
                return
            passed = Happened(
                len(self.past) + 1, self.position.seat or 0, self.position.colour, "pass", is_automatic=True
            )
            self.past.append(passed)
            self.position = self.position.pass_turn()

    def leave(self, seat: int) -> None:
        if seat in self.position.retired:
            return
        self.past.append(Happened(len(self.past) + 1, seat, "", "retire"))
        self.position = self.position.retire(seat)
        self.plans.pop(seat, None)
        self.pass_on()

    def take_back(self) -> None:
        """Take the last moves back, down to a placement; no one's leaving is taken back."""
        back = self.rng.randint(1, 4)
        gone = self.past[-back:]
        if len(gone) < back or gone[0].kind != "place" or any(one.text == "retire" for one in gone):
            return
        self.go_back(gone)

    def go_back(self, gone: Sequence[Happened]) -> None:
        """Let these last moves be gone, and their numbers used up."""
        kept = self.past[: -len(gone)]
        self.taken_back.append(self.due)
        self.spent += len(gone) + 1
        self.past, self.position = kept, Position.start(self.position.variant)
        for one in kept:
            if one.text == "retire":
                self.position = self.position.retire(one.seat)
            else:
                self.position = self.position.pass_turn() if one.text == "pass" else self.position.play(one.text)

    def by_hand(self) -> str:
        """Choose a move, likely one on which a plan hangs or which takes a cell from it."""
        rng = self.rng
        legal = self.possible(self.position.colour) if self.position.colour else ()
        if not legal:
            return "pass"
        named = [move for move in self.wanted if move in legal]
        if named and rng.random() < 0.5:
            return rng.choice(named)
        cells = {
            cell
            for plan in self.plans.values()
            for turn in plan.turns
            for choice in turn.choices
            for cell in (*choice.corners, *choice.move.partition(":")[2].split(","))
        }
        rude = [move for move in legal if cells & set(move.partition(":")[2].split(","))]
        return rng.choice(rude if rude and rng.random() < 0.3 else legal)

    def play(self) -> Iterator[tuple[str, str]]:
        while not self.position.is_over:
            for seat in set(range(len(self.position.seats))) - self.position.retired - self.bots:
                if self.rng.random() < 0.25 and not (seat in self.plans and self.plans[seat].is_waiting):
                    self.set_plan(seat)
                if seat in self.plans and seat != self.position.seat:
                    yield self.step(seat)
            mover = self.position.seat
            assert mover is not None
            if self.rng.random() < 0.01:
                self.leave(self.rng.choice([one for one in range(len(self.position.seats)) if one != mover]))
                continue
            if self.rng.random() < 0.01 and len(self.taken_back) < 3:
                self.take_back()
                continue
            if mover in self.bots:
                self.moved(self.by_hand(), bot="greedy")
                continue
            # Now and then a hand, or a bot that plays for its player, is quicker than the plan.
            is_late = self.rng.random() < 0.1
            said = ("wait", "") if is_late or mover not in self.plans else self.step(mover)
            yield said
            if said[0] == "play":
                self.moved(said[1], is_planned=True)
            else:
                self.moved(self.by_hand(), bot="sage-4" if self.rng.random() < 0.05 else "")

    @property
    def longest_chain(self) -> int:
        """Return how many planned moves of how many people have followed one another, at most."""
        runs = [list(run) for is_planned, run in groupby(self.past, key=lambda one: one.is_planned) if is_planned]
        return max((len({one.seat for one in run}) for run in runs), default=0)


def variant_of(lot: int, number: int) -> str:
    """Return the board of a table: every tenth is a large one, which are dear; plans collide on the small ones."""
    return VARIANTS[(lot + number // 10) % len(VARIANTS)] if number % 10 == 0 else SMALL[number % len(SMALL)]


@pytest.mark.parametrize("lot", mostly_proof(range(100), 0))
def test_whatever_a_plan_does_is_what_a_naive_reading_of_it_says(lot: int) -> None:
    seen: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for number in range(LOT if lot else 20):
        variant = variant_of(lot, number)
        table = Table(random.Random(1000 * lot + number), variant)
        for kind, why in table.play():
            seen[kind if kind != "stop" else why] += 1
        seats = table.position.seats
        shared = set(table.position.colours_in_play).difference(*seats)
        met += Counter(
            {
                variant.partition(":")[0]: 1,
                "a shared colour that was placed": any(one.colour in shared for one in table.past),
                "two colours a seat": any(len(seat) > 1 for seat in seats),
                "bots": bool(table.bots),
                "passes": any(one.text == "pass" for one in table.past),
                "declared passes": table.declares,
                "taken back": bool(table.taken_back),
                "left": any(one.text == "retire" for one in table.past),
                "a chain": table.longest_chain > 1,
                "a chain of three": table.longest_chain > 2,
            }
        )
    assert {"play", "covered", "corner", "undecided", "moved", "not-placed", "placed"} <= seen.keys()
    if lot:
        assert {*SEEN_IN_EACH_LOT, *(one.partition(":")[0] for one in (*VARIANTS, *SMALL))} <= met.keys(), met
        assert {"taken-back", "stood-in", "can-place", "blocked", "rules"} <= seen.keys(), seen


def test_a_placement_has_the_cells_that_its_text_names() -> None:
    move = Happened(1, 0, "blue", "V3:a1,b1,a2")
    assert move.cells == {"a1", "b1", "a2"}
    assert str(Placement.parse("V3:a1,b1,a2")) == move.placement
