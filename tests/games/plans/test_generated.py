"""Whole tables by chance, with plans of several players: what each plan does is what a naive reading says."""

import random
from collections import Counter
from collections.abc import Iterator

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
KINDS = {"play", "wait", "stop"}


class Table:
    """One table: its position, what has happened, and the plans by seat."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        # Large boards are dear, and small ones are where plans collide.
        self.position = Position.start(rng.choice(VARIANTS if rng.random() < 0.1 else SMALL))
        self.past: list[Happened] = []
        self.plans: dict[int, TurnPlan] = {}
        self.declares = rng.random() < 0.3
        self.wanted: list[str] = []

    @property
    def due(self) -> int:
        return len(self.past) + 1

    def some_move(self, colour: str) -> str:
        found = self.position.legal_placements(colour)
        return str(self.rng.choice(found)) if found else "pass"

    def some_choice(self, colour: str, seat: int) -> PlannedMove:
        rng, move = self.rng, self.some_move(colour)
        if self.declares and rng.random() < 0.1:
            move = "pass"
        cells = [cell for cell in self.position.variant.cells if self.position.owner(self.index(cell)) is None]
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

    def index(self, cell: str) -> int:
        return self.position.variant.cell_index(cell)

    def set_plan(self, seat: int) -> None:
        hand = colours_to_place(self.position, seat)
        turns = tuple(
            PlannedTurn(colour, tuple(self.some_choice(colour, seat) for _ in range(self.rng.randint(1, 4))))
            for colour in self.rng.choices(hand, k=self.rng.randint(1, 8))
        )
        self.plans[seat] = TurnPlan(turns, number=self.due)

    def step(self, seat: int) -> tuple[str, str]:
        """Return what a seat's plan says now, having checked that the naive reading says the same."""
        plan = self.plans[seat]
        turns = [
            (turn.colour, [choice._asdict() | {"others": list(choice.others)} for choice in turn.choices])
            for turn in plan.turns
        ]
        # It says so once.
        wanted = (
            ("wait", "") if plan.stopped else naive_step(turns, plan.number, seat, self.past, self.position, self.due)
        )
        found = planned_step(plan, self.position, self.past, seat, 0)
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
        self.past.append(Happened(self.due, seat, colour, text, is_planned=is_planned, bot=bot))
        self.position = self.position.pass_turn() if text == "pass" else self.position.play(text)
        self.pass_on()

    def pass_on(self) -> None:
        """Let the colours that are blocked pass, as they do where passes are not declared."""
        while self.position.colour and not self.position.has_legal() and not self.declares:
            self.past.append(
                Happened(self.due, self.position.seat or 0, self.position.colour, "pass", is_automatic=True)
            )
            self.position = self.position.pass_turn()

    def leave(self, seat: int) -> None:
        if seat in self.position.retired:
            return
        self.past.append(Happened(self.due, seat, "", "retire"))
        self.position = self.position.retire(seat)
        self.plans.pop(seat, None)
        self.pass_on()

    def by_hand(self) -> str:
        """Choose a move, likely one on which a plan hangs or which takes a cell from it."""
        rng = self.rng
        legal = [str(each) for each in self.position.legal_placements()]
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
            for seat in set(range(len(self.position.seats))) - self.position.retired:
                if self.rng.random() < 0.25 and not (seat in self.plans and self.plans[seat].is_waiting):
                    self.set_plan(seat)
                if seat in self.plans and seat != self.position.seat:
                    yield self.step(seat)
            mover = self.position.seat
            assert mover is not None
            if self.rng.random() < 0.01:
                self.leave(self.rng.choice([one for one in range(len(self.position.seats)) if one != mover]))
                continue
            # Now and then a hand, or a bot that plays for its player, is quicker than the plan.
            is_late = self.rng.random() < 0.1
            said = ("wait", "") if is_late or mover not in self.plans else self.step(mover)
            yield said
            if said[0] == "play":
                self.moved(said[1], is_planned=True)
            else:
                self.moved(self.by_hand(), bot="sage-4" if self.rng.random() < 0.05 else "")


@pytest.mark.parametrize("lot", mostly_proof(range(100), 0))
def test_whatever_a_plan_does_is_what_a_naive_reading_of_it_says(lot: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(LOT if lot else 20):
        table = Table(random.Random(1000 * lot + number))
        for kind, why in table.play():
            seen[kind if kind != "stop" else why] += 1
    assert seen["play"] > 0
    assert {"covered", "corner", "undecided", "moved", "not-placed", "placed"} <= seen.keys()


def test_a_placement_has_the_cells_that_its_text_names() -> None:
    move = Happened(1, 0, "blue", "V3:a1,b1,a2")
    assert move.cells == {"a1", "b1", "a2"}
    assert str(Placement.parse("V3:a1,b1,a2")) == move.placement
