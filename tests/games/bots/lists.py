"""What the engines list in games by chance, beside what the rules list.

`python -m tests.games.bots.lists GAMES [VARIANT …]` plays so many games of each variant, by default of all, and ends
with a traceback at the first list that is not that of the rules.
"""

import random
import sys
from collections.abc import Sequence

from games.bots.engines.compiled import zeros
from games.bots.engines.playout import ENOUGH
from games.bots.engines.state import Rules, SearchState, largest, legal, limit_reach, place_piece, rules_of, state_of
from games.bots.engines.tables import Tables, tables_of
from games.rules import VARIANTS, Position


class ListedGame:
    """A game by chance that the rules and an engine's state follow side by side."""

    def __init__(self, variant: str, seed: int) -> None:
        self.luck = random.Random(seed)
        self.position = Position.start(variant)
        self.tables: Tables = tables_of(self.position)
        self.rules: Rules = rules_of(self.position)
        self.state: SearchState = state_of(self.position, self.tables, self.rules)
        self.found = zeros(2 * len(self.tables.piece))

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
            drawn = self.position.pick_legal_id(self.luck.random())
            if drawn is None:
                self.position = self.position.pass_turn()
            else:
                place_piece(self.tables, self.rules, self.state, colour, drawn)
                self.position = self.position.play_id(drawn)
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


def compare(variant: str, games: int, seed: int = 0) -> int:
    """Compare every list of so many games; return how many lists there were."""
    return sum(ListedGame(variant, seed + number).play() for number in range(games))


def main(arguments: Sequence[str]) -> None:
    """Compare lists of the variants named, and print how many."""
    for variant in arguments[1:] or VARIANTS:
        sys.stdout.write(f"{variant}: {compare(variant, int(arguments[0]))} lists\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
