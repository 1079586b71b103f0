"""What may be concluded from some games: shares and means with two-sided 95 % intervals."""

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

Z: float = NormalDist().inv_cdf(0.975)

#: Fewer values have a mean, but no interval worth telling.
FEWEST = 5


class Estimate(NamedTuple):
    """A value and the interval that holds the true one in 95 of 100 cases."""

    value: float
    low: float
    high: float


def wilson_interval(points: Sequence[float]) -> Estimate:
    """Return the mean of points of which each lies from 0 to 1, with Wilson's score interval in a form that knows ties.

    Wilson's interval takes n p (1 - p) for the sum of squared deviations, which is what wins and losses alone have.
    Here that sum is counted, so ties narrow the interval as they should; without ties it is Wilson's own.
    """
    n, mean = len(points), fmean(points)
    deviation = sum((point - mean) ** 2 for point in points)
    middle = (n * mean + Z**2 / 2) / (n + Z**2)
    reach = Z * math.sqrt(deviation + Z**2 / 4) / (n + Z**2)
    return Estimate(mean, max(0.0, middle - reach), min(1.0, middle + reach))


def average(values: Sequence[float]) -> Estimate:
    """Return the mean of any values, with Student's interval; without bounds where there are too few."""
    mean = fmean(values) if values else math.nan
    if len(values) < FEWEST:
        return Estimate(mean, -math.inf, math.inf)
    reach = student(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return Estimate(mean, mean - reach, mean + reach)


def student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's distribution for at least 4 degrees of freedom, to within half a percent.

    By Cornish's and Fisher's expansion around the normal quantile.
    """
    terms: tuple[float, ...] = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
    )
    return Z + math.fsum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))
