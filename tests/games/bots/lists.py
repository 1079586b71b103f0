"""What the engines list in games by chance, beside what the rules list.

`python -m tests.games.bots.lists GAMES [VARIANT …]` plays so many games of each variant, by default of all, and ends
with a traceback at the first list that is not that of the rules.
"""

import random
import sys
from collections.abc import Sequence

from games.bots.engines.compiled import zeros
from games.bots.engines.playout import ENOUGH, SMALLEST_ANSWER
from games.bots.engines.state import (
    Rules,
    SearchState,
    answering,
    largest,
    legal,
    limit_reach,
    place_piece,
    rules_of,
    state_of,
)
from games.bots.engines.tables import Tables, tables_of
from games.rules import VARIANTS, Position
from games.rules.placement import table_for


class ListedGame:
    """A game by chance that the rules and an engine's state follow side by side."""

    def __init__(self, variant: str, seed: int) -> None:
        self.luck = random.Random(seed)
        self.position = Position.start(variant)
        self.tables: Tables = tables_of(self.position)
        self.rules: Rules = rules_of(self.position)
        self.state: SearchState = state_of(self.position, self.tables, self.rules)
        self.found = zeros(2 * len(self.tables.piece))
        #: The colour that placed last, and what.
        self.latest: tuple[int, int] | None = None
        #: How many lists of answers had any.
        self.answered = 0

    def play(self) -> int:
        """Play to the end, comparing every list; return how many lists there were."""
        lists = 0
        while not self.position.is_over:
            lists += 1
            colour = self.position.variant.colour_number(self.position.colour or "")
            if self.luck.random() < 0.2:
                limit_reach(self.tables, self.state, self.found)
            self.check_largest(colour)
            self.check_legal(colour)
            self.check_answering(colour)
            drawn = self.position.pick_legal_id(self.luck.random())
            if drawn is None:
                self.position = self.position.pass_turn()
            else:
                place_piece(self.tables, self.rules, self.state, colour, drawn)
                self.position = self.position.play_id(drawn)
                self.latest = colour, drawn
        return lists

    def check_legal(self, colour: int) -> None:
        """Fail unless the engine lists what is legal, each placement once."""
        count = legal(self.tables, self.rules, self.state, colour, self.found)
        assert sorted(map(int, self.found[:count])) == sorted(self.position.legal_ids())

    def check_largest(self, colour: int) -> None:
        """Fail unless what a simulated game draws from are the largest legal placements: enough of them, or all."""
        start = self.luck.randrange(1 << 20)
        count = largest(self.tables, self.rules, self.state, colour, start, ENOUGH, self.found)
        drawn = set(map(int, self.found[:count]))
        sizes = {placed: int(self.tables.size[placed]) for placed in self.position.legal_ids()}
        most = max(sizes.values(), default=0)
        every = {placed for placed, size in sizes.items() if size == most}
        assert drawn <= every
        assert count >= ENOUGH or drawn == every

    def check_answering(self, colour: int) -> None:
        """Fail unless the answers to the latest placement are the largest on the first corner that has such."""
        if self.latest is None or self.latest[0] == colour:
            return
        (whose, latest), start = self.latest, self.luck.randrange(1 << 20)
        count = answering(
            self.tables, self.rules, self.state, colour, latest, whose, start, SMALLEST_ANSWER, self.found
        )
        table = table_for(self.position.variant)
        first, end = self.tables.corners_at[latest], self.tables.cells_at[latest + 1]
        corners = [int(cell) for cell in self.tables.near[first:end]]
        turned = start % len(corners) if corners else 0
        attached = self.position.attach_mask(self.position.variant.colours[whose])
        legal_ids = list(self.position.legal_ids())
        on = {
            cell: [each for each in legal_ids if cell in table.cells_of(each)]
            for cell in corners[turned:] + corners[:turned]
            if attached >> cell & 1
        }
        most = max((len(table.cells_of(each)) for every in on.values() for each in every), default=0)
        largest_on = [[each for each in every if len(table.cells_of(each)) == most] for every in on.values()]
        answers = next(filter(None, largest_on), []) if most >= SMALLEST_ANSWER else []
        assert sorted(map(int, self.found[:count])) == sorted(answers)
        self.answered += bool(answers)


def compare(variant: str, games: int, seed: int = 0) -> int:
    """Compare every list of so many games, of which some are of answers; return how many lists there were."""
    lists = answered = 0
    for number in range(games):
        game = ListedGame(variant, seed + number)
        lists += game.play()
        answered += game.answered
    assert answered
    return lists


def main(arguments: Sequence[str]) -> None:
    """Compare lists of the variants named, and print how many."""
    for variant in arguments[1:] or VARIANTS:
        sys.stdout.write(f"{variant}: {compare(variant, int(arguments[0]))} lists\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
