"""The bound for methods that learn strengths from games: an oracle that knows all of a community but one strength.

It knows how strengths spread and drift, what seats are worth, how chance and leavers work, and at every moment the true
strength of everybody except one person. It learns that one by Bayes' rule: a posterior over a fine grid of strengths is
widened by each month's drift and multiplied by the likelihood of the order of finish of each game. No method that knows
less has a lower expected log-loss.
"""

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from benchmarks.communities import DRIFT, GRAIN, LEAVERS, Community, Floats, Played
from games.ratings.scale import ELO_POINTS

#: The edges of the scores that can be told apart in a game, in units.
EDGES = GRAIN * np.arange(-32, 61)
#: How far the grid of strengths reaches, in standard deviations, and how fine it is, in drifts of a month.
REACH, FINE = 4.0, 2.0


class LeaveOneOutOracle:
    """Knows all of a community but the strength of one person, anyone, which it learns from the games."""

    def __init__(self, community: Community) -> None:
        self.community, drift = community, DRIFT / ELO_POINTS
        reach = REACH * math.hypot(community.spread, math.sqrt(len(community.strengths)) * drift)
        half = math.ceil(reach / (FINE * drift))
        self.grid: Floats = np.arange(-half, half + 1, dtype=np.float64) * (FINE * drift)
        first = np.exp(-0.5 * (self.grid / community.spread) ** 2)
        self.prior: Floats = np.asarray(first / first.sum(), np.float64)
        # What goes to each neighbour in a month, so that the variance is that of the drift.
        self.drift_share = 0.5 / FINE**2
        self.own = [self._scores(self.grid + worth) for worth in community.worth]
        self.posteriors: dict[int, tuple[int, Floats]] = {}
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
                    likely = self.belief(who, each) * order_likelihoods(game.places, rows)
                    self.posteriors[who] = each, likely / likely.sum()
        self.read_to = max(month, self.read_to)

    def belief(self, who: int, month: int) -> Floats:
        """Return the distribution of a person's strength over the grid in a month, after all games read."""
        since, belief = self.posteriors.get(who, (0, self.prior))
        for _month in range(since, month):
            moved = (1 - 2 * self.drift_share) * belief
            moved[1:] += self.drift_share * belief[:-1]
            moved[:-1] += self.drift_share * belief[1:]
            belief = moved / moved.sum()
        return belief

    def shares(self, game: Played, one: int, other: int) -> tuple[float, float, float]:
        """Return the expected score of the first of two seats: given the second's strength, the first's, and neither.

        The last combines two posteriors of which each is given the other strength: an estimate, no bound.
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

    def _scores(self, strengths: Floats) -> Floats:
        """Return the distribution of scores, a row for each strength, of a player who may leave."""
        below = self.community.noise_cdf(EDGES - strengths[:, None])
        below[:, 0], below[:, -1] = 0, 1
        scores: Floats = np.diff(below, axis=1) * (1 - LEAVERS)
        return scores


def order_likelihoods(places: Sequence[int], scores: Sequence[Floats]) -> Floats:
    """Return the likelihood of an order of finish, given for each seat the distribution of its scores, in rows."""
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
