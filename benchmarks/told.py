"""What nobody can beat who has to learn strengths from games: somebody who is told everything else.

That one knows how strengths are spread and drift, what seats are worth, how chance and leavers work, and the true
strength of everybody but one, at every moment. Of that one it learns by the rule of Bayes: what is likely of the
strength is kept on a fine grid, spread out by each month's drift, and weighed by how likely the order of finish of
each game was. Whoever knows no more than that has on average no less log-loss, and every method that reads games
knows less.
"""

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from benchmarks.communities import DRIFT, GRAIN, LEAVERS, Community, Floats, Played
from games.ratings.scale import POINTS

#: The edges of the scores that can be told apart in a game, in units.
EDGES = GRAIN * np.arange(-32, 61)
#: How far the grid of strengths reaches, in standard deviations, and how fine it is, in drifts of a month.
REACH, FINE = 4.0, 2.0


class ToldAllButOne:
    """Knows all of a community but the strength of one person, whoever it is: that is learned from the games."""

    def __init__(self, community: Community) -> None:
        self.community, drift = community, DRIFT / POINTS
        reach = REACH * math.hypot(community.spread, math.sqrt(len(community.strengths)) * drift)
        half = math.ceil(reach / (FINE * drift))
        self.grid: Floats = np.arange(-half, half + 1, dtype=np.float64) * (FINE * drift)
        first = np.exp(-0.5 * (self.grid / community.spread) ** 2)
        self.first: Floats = np.asarray(first / first.sum(), np.float64)
        # What goes to each neighbour in a month, so that the variance is that of the drift.
        self.strays = 0.5 / FINE**2
        self.own = [self._scores(self.grid + worth) for worth in community.worth]
        self.known: dict[int, tuple[int, Floats]] = {}
        self.games: defaultdict[int, list[Played]] = defaultdict(list)
        for game in community.games:
            self.games[game.month].append(game)
        self.read_to = 0

    def read(self, month: int) -> None:
        """Learn from the games of all months before that one."""
        for each in range(self.read_to, month):
            for game in self.games[each]:
                now = self.community.strengths[each]
                sat = zip(game.people, self.community.worth, strict=True)
                scores = self._scores(np.array([now[who] + worth for who, worth in sat]))
                for seat, who in enumerate(game.people):
                    rows = [scores[at : at + 1] for at in range(len(game.people))]
                    rows[seat] = self.own[seat]
                    likely = self.belief(who, each) * likely_orders(game.places, rows)
                    self.known[who] = each, likely / likely.sum()
        self.read_to = max(month, self.read_to)

    def belief(self, who: int, month: int) -> Floats:
        """Return how likely each strength of the grid is for a person in a month, after all games read."""
        since, belief = self.known.get(who, (0, self.first))
        for _month in range(since, month):
            moved = (1 - 2 * self.strays) * belief
            moved[1:] += self.strays * belief[:-1]
            moved[:-1] += self.strays * belief[1:]
            belief = moved / moved.sum()
        return belief

    def shares(self, game: Played, one: int, other: int) -> tuple[float, float, float]:
        """Return what the first of two seats may expect: told the second's strength, told the first's, and untold.

        Untold takes each as far as it can be known by who is told the other, so it is no proof, but near.
        """
        community, now = self.community, self.community.strengths[game.month]
        mine, theirs = game.people[one], game.people[other]
        of_first, of_other = self.belief(mine, game.month), self.belief(theirs, game.month)
        advantage = community.worth[one] - community.worth[other]
        gaps = (self.grid[1] - self.grid[0]) * np.arange(1 - len(self.grid), len(self.grid))
        return (
            float(community.shares(self.grid - now[theirs] + advantage) @ of_first),
            float(community.shares(now[mine] - self.grid + advantage) @ of_other),
            float(community.shares(gaps + advantage) @ np.correlate(of_first, of_other, "full")),
        )

    def edge_of(self, one: int, other: int) -> Floats:
        """Return how much the seat of one is worth more than that of another, as a row."""
        return np.array([self.community.worth[one] - self.community.worth[other]])

    def _scores(self, strengths: Floats) -> Floats:
        """Return how likely each score is, a row for each strength, of somebody who may leave."""
        below = self.community.below(EDGES - strengths[:, None])
        below[:, 0], below[:, -1] = 0, 1
        scores: Floats = np.diff(below, axis=1) * (1 - LEAVERS)
        return scores


def likely_orders(places: Sequence[int], scores: Sequence[Floats]) -> Floats:
    """Return how likely this order of finish is; `scores` say for each seat how likely each score is, in rows."""
    placed, room = np.ones((1, 1)), np.ones((1, 1))
    for place in sorted(set(places)):
        group = [seat for seat, each in enumerate(places) if each == place]
        # How likely all so far is, with this group at each score.
        level = room * math.prod([scores[seat] for seat in group], start=np.ones((1, 1)))
        # Who has left is behind every score.
        gone = LEAVERS ** len(group) * placed
        placed = level.sum(axis=1, keepdims=True)
        room = placed - np.cumsum(level, axis=1)
    likely: Floats = (placed + gone)[:, 0]
    return likely
