"""How far ratings can be believed: communities whose strengths are known, because they are drawn.

Each has 12 to 2,000 people who play for two years at tables of two to four: some often, some seldom, some from later
on. Strengths drift, seats are worth something, equal scores are ties, and some people leave in the middle of a game.
From the sixteenth month on, every two months, the ratings of that day foretell who of each pair at each table of the
next two months finishes before the other; the truth, which knows every strength, seat and habit, foretells the same.
The others read the games one after the other, as they ended. Their figures stand there if they are installed.

Between the truth and all that reads games stands an oracle that knows every strength but one of the two's
(benchmarks/oracle.py): no method can come nearer to the truth than that.

    python -m benchmarks.ratings                       # 200 communities, some ten minutes of CPU time
    python -m benchmarks.ratings --communities 40
    python -m benchmarks.ratings --communities 1 --stored 100000   # from a database, as every night, and of a quarter
    PYTHONPATH=elsewhere/site-packages python -m benchmarks.ratings   # with trueskill and openskill installed there
"""

import argparse
import importlib.util
import math
import os
import random
import secrets
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.aims import judge
from benchmarks.communities import MONTHS, Community, Played, draw_community, draw_places
from benchmarks.merging import costs_of_transactions
from benchmarks.oracle import LeaveOneOutOracle
from games.ratings.fit import Fitted, fit_ratings
from games.ratings.scale import ELO_POINTS, NEWCOMER, RatedPlace, RatedTable, Strength
from games.ratings.step import expected_share

#: Foretold from this month on, every so many months.
FORETOLD_FROM, FORETOLD_EVERY = 16, 2
BINS = 20
#: How far what is foretold may lie from what comes, on average.
MISCALIBRATED = 0.02
#: In how many seconds of CPU time 100,000 games are fitted, and how many times as much a game may cost among `TIMES`
#: as many.
LONGEST_FIT, STEEPEST, TIMES = 10, 1.5, 4
#: For how many seconds a fit may hold SQLite's lock at once.
LONGEST_HELD = 5
#: Who foretells beside the ratings: who knows all strengths, all but one of the two's, and all but the two's.
TRUTH, TOLD_ONE, UNTOLD = "the truth", "told one of two", "told the others"
#: What pairs are told apart by: how many games of both are known at least.
KNOWN = {120: "both 120 games", 60: "both 60 games", 20: "both 20 games", 5: "both 5 games", 0: "one is new"}


#: Foretells what the first of two seats may expect of the point between them.
Foretells = Callable[[Played, int, int], float]


def tables(games: Sequence[Played], month: int) -> list[RatedTable]:
    """Return the games as the fit takes them, in a month."""
    return [
        RatedTable(
            f"{len(game.people)}",
            month - game.month,
            tuple(RatedPlace(who, seat, game.places[seat]) for seat, who in enumerate(game.people)),
        )
        for game in games
    ]


class Batch:
    """Our ratings, fitted anew before each span."""

    def __init__(self, community: Community) -> None:
        self.fitted = Fitted({}, {})

    def read(self, games: Sequence[Played], month: int) -> None:
        """Learn from all games up to that month."""
        self.fitted = fit_ratings(tables(games, month))

    def estimate(self, who: int) -> Strength:
        """Return the rating of a person."""
        return self.fitted.ratings.get(who, NEWCOMER)

    def __call__(self, game: Played, one: int, other: int) -> float:
        """Return what the first of two seats may expect."""
        worth = [self.fitted.seats.get((f"{len(game.people)}", seat), 0.0) for seat in (one, other)]
        mine, theirs = (self.estimate(game.people[seat]) for seat in (one, other))
        return expected_share(mine, theirs, worth[0] - worth[1])


class TrueSkill:
    """The package of that name, as it comes, with the share of ties of the first games."""

    def __init__(self, community: Community) -> None:
        module: Any = importlib.import_module("trueskill")
        self.env = module.TrueSkill(draw_probability=_ties(community))
        self.known: defaultdict[int, Any] = defaultdict(self.env.create_rating)
        self.done = 0

    def read(self, games: Sequence[Played], _month: int) -> None:
        """Learn from the games that are new."""
        for game in games[self.done :]:
            rated = self.env.rate([(self.known[who],) for who in game.people], ranks=game.places)
            for who, (rating,) in zip(game.people, rated, strict=True):
                self.known[who] = rating
        self.done = len(games)

    def __call__(self, game: Played, one: int, other: int) -> float:
        """Return what the first of two seats may expect."""
        mine, theirs = self.known[game.people[one]], self.known[game.people[other]]
        spread = math.sqrt(2 * self.env.beta**2 + mine.sigma**2 + theirs.sigma**2)
        return 0.5 * (1 + math.erf((mine.mu - theirs.mu) / spread / math.sqrt(2)))


class OpenSkill:
    """The package of that name with its usual model."""

    def __init__(self, community: Community) -> None:
        module: Any = importlib.import_module("openskill.models")
        self.model = module.PlackettLuce()
        self.known: defaultdict[int, Any] = defaultdict(self.model.rating)
        self.done = 0

    def read(self, games: Sequence[Played], _month: int) -> None:
        """Learn from the games that are new."""
        for game in games[self.done :]:
            rated = self.model.rate([[self.known[who]] for who in game.people], ranks=list(game.places))
            for who, (rating,) in zip(game.people, rated, strict=True):
                self.known[who] = rating
        self.done = len(games)

    def __call__(self, game: Played, one: int, other: int) -> float:
        """Return what the first of two seats may expect."""
        mine, theirs = self.known[game.people[one]], self.known[game.people[other]]
        spread = math.sqrt(2 * self.model.beta**2 + mine.sigma**2 + theirs.sigma**2)
        return 0.5 * (1 + math.erf((mine.mu - theirs.mu) / spread / math.sqrt(2)))


def _ties(community: Community) -> float:
    first = [game for game in community.games if game.month < FORETOLD_FROM]
    pairs = [pair for game in first for pair in zip(sorted(game.places), sorted(game.places)[1:], strict=False)]
    return max(0.01, sum(one == other for one, other in pairs) / max(1, len(pairs)))


@dataclass
class Judged:
    """What somebody foretold, and what came of it."""

    lost: float = 0.0
    number: int = 0
    bins: list[list[float]] = field(default_factory=lambda: [[0.0, 0.0, 0.0] for _ in range(BINS)])
    seconds: float = 0.0
    games: int = 0

    def note(self, foretold: float, came: float) -> None:
        """Note both."""
        sure = min(1 - 1e-9, max(1e-9, foretold))
        self.lost -= came * math.log(sure) + (1 - came) * math.log(1 - sure)
        self.number += 1
        each = self.bins[min(BINS - 1, int(sure * BINS))]
        each[0] += 1
        each[1] += sure
        each[2] += came

    @property
    def log_loss(self) -> float:
        """Return the mean surprise of a pair."""
        return self.lost / max(1, self.number)

    @property
    def calibration(self) -> float:
        """Return how far what was foretold lies from what came, over bins, each by its number."""
        return sum(abs(foretold - came) for _number, foretold, came in self.bins) / max(1, self.number)


def main() -> None:
    """Draw communities, let each way foretell, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--communities", type=int, default=200)
    parser.add_argument("--largest", type=int, default=2000, help="people of the largest community")
    parser.add_argument("--games", type=int, default=100_000, help="of the fit whose CPU time is measured")
    parser.add_argument("--stored", type=int, default=0, help="games of a database whose ratings are fitted")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    ways = {
        name: way
        for name, way in {"Block-You": Batch, "TrueSkill": TrueSkill, "openskill": OpenSkill}.items()
        if _is_there(name)
    }
    judged: defaultdict[str, defaultdict[str, Judged]] = defaultdict(lambda: defaultdict(Judged))
    within = [0, 0]
    for number in range(options.communities):
        size = round(math.exp(dice.uniform(math.log(12), math.log(options.largest))))
        foretell_community(draw_community(dice, size), ways, judged, within)
        if (number + 1) % 20 == 0:
            print(f"{number + 1} communities of up to {options.largest:,} people", flush=True)
            report(judged, ways)
    if options.communities % 20:
        report(judged, ways)
    print(f"strengths within the deviation that is shown: {within[0] / max(1, within[1]):.1%} (68 % were right)")
    print_lastdrawn_places(dice, min(40, options.communities))
    calibration = judged["all"]["Block-You"].calibration
    times = {number: time_fit(dice, number, options.largest) for number in (options.games // TIMES, options.games)}
    nights = stored_nights(dice, options.stored) if options.stored else []
    judge(aims_of(calibration, times, nights))


def _is_there(name: str) -> bool:
    return name == "Block-You" or importlib.util.find_spec(name.lower()) is not None


def foretell_community(
    community: Community,
    ways: Mapping[str, Callable[[Community], Any]],
    judged: Mapping[str, Mapping[str, Judged]],
    within: list[int],
) -> None:
    """Predict the last months of a community in each way, and note the results beside the predictions."""
    kinds = ["all", _class(community.size), f"{community.seats} seats"]
    ready = {name: way(community) for name, way in ways.items()}
    oracle = LeaveOneOutOracle(community)
    for month in range(FORETOLD_FROM, MONTHS, FORETOLD_EVERY):
        before = [game for game in community.games if game.month < month]
        count = Counter(who for game in before for who in game.people)
        for name, way in ready.items():
            read_before([judged[kind][name] for kind in kinds], way, before, month)
        oracle.read(month)
        coming = [game for game in community.games if month <= game.month < month + FORETOLD_EVERY]
        for game in coming:
            for one, other in pairs(game):
                least = min(count[game.people[one]], count[game.people[other]])
                known = _known_as(least)
                foretold = foretell(game, one, other, ready, oracle)
                foretold.append((TRUTH, community.truth(game, one, other)))
                note_foretold([judged[kind] for kind in [*kinds, known]], foretold, _came(game, one, other))
        note_certainty(ready["Block-You"].fitted.ratings, community.strengths[month - 1], within)


def read_before(judged: Iterable[Judged], way: Any, before: Sequence[Played], month: int) -> None:
    """Feed a way the games before a month, and note in each of `judged` how long that took."""
    started = time.process_time()
    way.read(before, month)
    for one in judged:
        one.seconds += time.process_time() - started
        one.games += len(before)


def foretell(
    game: Played, one: int, other: int, ways: Mapping[str, Any], oracle: LeaveOneOutOracle
) -> list[tuple[str, float]]:
    """Return what each way foretells of a pair of seats, and what those who know all strengths but theirs do."""
    told = [(name, way(game, one, other)) for name, way in ways.items()]
    return [*told, *zip((TOLD_ONE, TOLD_ONE, UNTOLD), oracle.shares(game, one, other), strict=True)]


def note_foretold(judged: Iterable[Mapping[str, Judged]], foretold: Sequence[tuple[str, float]], came: float) -> None:
    """Note in each of these tables what each way has foretold of a pair of seats, and what came."""
    for of_kind in judged:
        for name, share in foretold:
            of_kind[name].note(share, came)


def note_certainty(ratings: Mapping[int, Any], strengths: Sequence[float], within: list[int]) -> None:
    """Count how many of the true strengths lie within the deviation of their estimate, and of how many."""
    for who, estimate in ratings.items():
        true = 1500 + strengths[who] * ELO_POINTS
        within[0] += abs(true - estimate.points) <= estimate.deviation
        within[1] += 1


def pairs(game: Played) -> Iterator[tuple[int, int]]:
    """Yield the pairs of seats, each once, in an order that says nothing."""
    seats = len(game.people)
    for one in range(seats):
        for other in range(one):
            yield (one, other) if game.people[one] < game.people[other] else (other, one)


def _came(game: Played, one: int, other: int) -> float:
    mine, theirs = game.places[one], game.places[other]
    return 0.5 if mine == theirs else float(mine < theirs)


def _known_as(games: int) -> str:
    return next(name for least, name in KNOWN.items() if games >= least)


def _class(size: int) -> str:
    return "12 to 49 people" if size < 50 else "50 to 299 people" if size < 300 else "300 to 2,000 people"


def report(judged: Mapping[str, Mapping[str, Judged]], ways: Mapping[str, Any]) -> None:
    """Print what each way came to."""
    names = [TRUTH, TOLD_ONE, UNTOLD, *ways]
    print(f"{'log-loss of pairs':22}" + "".join(f"{name:>20}" for name in names))
    for kind, found in judged.items():
        truth = found[TRUTH].log_loss
        line = [f"{found[name].log_loss:.4f} ({found[name].log_loss / truth:.3f})" for name in names]
        print(f"{kind:22}" + "".join(f"{each:>20}" for each in line) + f"   {found['the truth'].number:,} pairs")
    print(f"{'calibration error':22}")
    for kind, found in judged.items():
        print(f"{kind:22}" + "".join(f"{found[name].calibration:>20.4f}" for name in names))
    print(f"{'CPU ms a game read':22}" + " " * 60 + "".join(f"{_cost(judged['all'][name]):>20.3f}" for name in ways))


def _cost(judged: Judged) -> float:
    return 1000 * judged.seconds / max(1, judged.games)


def print_lastdrawn_places(dice: random.Random, communities: int) -> None:
    """Print how often one more game raises who finished last in the fit of all games, or lowers who won.

    The others' results among themselves at that table are news too, and those who play with them rise with them.
    """
    wrong, most, tries = 0, 0.0, 0
    for _number in range(communities):
        community = draw_community(dice, dice.randrange(12, 60))
        games = community.games[-400:]
        before = fit_ratings(tables(games, MONTHS)).ratings
        for _try in range(5):
            people = tuple(dice.sample(range(community.size), community.seats))
            scores = dice.sample(range(1, community.seats + 1), community.seats)
            after = fit_ratings(tables([*games, Played(MONTHS, people, tuple(scores))], MONTHS)).ratings
            for who, place in zip(people, scores, strict=True):
                if who in before and place in (1, community.seats):
                    change = after[who].points - before[who].points
                    amiss = -change if place == 1 else change
                    tries, wrong, most = tries + 1, wrong + (amiss > 0.5), max(most, amiss)
    print(
        f"one more game: last and higher, or first and lower, by more than half a point: {wrong} of {tries}; "
        f"most {most:.1f} points"
    )


def time_fit(dice: random.Random, number: int, people: int) -> float:
    """Print and return the CPU time of the fit of many games of four."""
    strengths = [dice.gauss(0, 1.2) for _ in range(people)]
    games = []
    for _game in range(number):
        sat = tuple(dice.sample(range(people), 4))
        games.append(
            Played(dice.randrange(MONTHS), sat, draw_places(dice, [strengths[who] for who in sat], [0.0] * 4, False))
        )
    rows = tables(games, MONTHS)
    started = time.process_time()
    fit_ratings(rows)
    seconds = time.process_time() - started
    print(f"{number:,} games of four among {people:,} people fitted in {seconds:.2f} s of CPU time")
    return seconds


@dataclass(frozen=True)
class Night:
    """What a fit of stored games took: CPU time, and how long its longest transaction held the lock, in seconds.

    `is_usual` says that all games had been counted before, but in another month, so that every rating changes. Where
    games have come to count the fit writes a row for every seat besides, as it does on no usual night.
    """

    games: int
    seconds: float
    held: float
    is_usual: bool


def aims_of(calibration: float, times: Mapping[int, float], nights: Iterable[Night]) -> dict[str, bool]:
    """Return whether each aim is met, given the CPU time of fits by their number of games, and fits of stored ones."""
    few, many = sorted(times)
    aims = {
        f"calibration error at most {MISCALIBRATED}": calibration <= MISCALIBRATED,
        f"a fit of {many:,} games costs no more than {STEEPEST} times as much a game as one of {few:,}": times[many]
        <= STEEPEST * times[few] * many / max(1, few),
        f"{many:,} games fitted at a rate of 100,000 in {LONGEST_FIT} s": times[many] <= LONGEST_FIT * many / 100_000,
    }
    for number, night in enumerate(nights, 1):
        aims[f"fit {number}: no transaction longer than {LONGEST_HELD} s"] = night.held <= LONGEST_HELD
    usual = [night for night in nights if night.is_usual]
    for night in usual:
        most = LONGEST_FIT * night.games / 100_000
        aims[f"a night of {night.games:,} games at a rate of 100,000 in {LONGEST_FIT} s"] = night.seconds <= most
    for one, other in pairwise(usual):
        most = STEEPEST * one.seconds * other.games / max(1, one.games)
        aims[
            f"a night of {other.games:,} games costs no more than {STEEPEST} times as much a game as one of "
            f"{one.games:,}"
        ] = other.seconds <= most
    return aims


def stored_nights(dice: random.Random, number: int) -> list[Night]:
    """Print and return what it takes to read all rated games from SQLite, fit them and store it.

    A quarter of the games is there first, with a quarter of the people; each time a second fit follows, a month later.
    """
    with tempfile.TemporaryDirectory(prefix="block-you-ratings-") as folder:
        os.environ.update(
            DATABASE_URL=f"sqlite:///{Path(folder, 'db.sqlite3')}",
            DJANGO_SETTINGS_MODULE="blockyou.settings.prod",
            EMAIL_URL="smtp://127.0.0.1:1",
            SECRET_KEY=secrets.token_urlsafe(64),
            VAR_DIR=folder,
        )
        import django

        django.setup()
        from django.core.management import call_command

        from games.audit.ratings import faults_of_ratings

        call_command("migrate", verbosity=0)
        nights = []
        for games in (number // TIMES, number):
            _fill(dice, games)
            nights += [_night(games, is_usual=is_usual) for is_usual in (False, True)]
        started = time.process_time()
        faults = len(list(faults_of_ratings()))
        print(f"proved in {time.process_time() - started:.1f} s: {faults} ratings amiss")
        return nights


def _night(games: int, *, is_usual: bool) -> Night:
    """Fit the stored games, print what it took and return it."""
    from django.utils import timezone

    from games.actions.ratings.rate_family import rate_family

    now = timezone.now() + timedelta(days=31 if is_usual else 0)
    started = time.process_time()
    with costs_of_transactions() as spent:
        done = rate_family("blockyou-4", now=now)
    night = Night(games, time.process_time() - started, max(wall for wall, _cpu in spent), is_usual)
    print(
        f"{done.games:,} stored games of {done.people:,} people fitted "
        f"{'a month later' if is_usual else 'once they have come to count'} in {night.seconds:.1f} s of CPU time; the "
        f"longest of {len(spent)} transactions held the lock for {night.held:.2f} s",
        flush=True,
    )
    return night


def _fill(dice: random.Random, number: int) -> None:
    """Store finished games of four until there are that many, and a person for every fifty."""
    from django.utils import timezone

    from accounts.models import User
    from games.models import Game, Player

    now, there = timezone.now(), User.objects.count()
    names = [f"player{at}" for at in range(there, max(8, number // 50))]
    User.objects.bulk_create((User(username=each, name_key=each, password="!") for each in names), batch_size=500)
    keys = list(User.objects.order_by("pk").values_list("pk", flat=True))
    rows = [
        Game(
            variant="blockyou-4",
            creator_id=keys[0],
            created_at=now,
            changed_at=now,
            started_at=now,
            finished_at=now,
            status="finished",
            is_rated=True,
        )
        for _game in range(number - Game.objects.count())
    ]
    seats = []
    for game in Game.objects.bulk_create(rows, batch_size=500):
        sat = dice.sample(range(len(keys)), 4)
        places = draw_places(dice, [who / len(keys) for who in sat], [0.0] * 4, False)
        seats += [
            Player(
                game=game, seat=seat, user_id=keys[who], ended_at=now, place=place, variant="blockyou-4", is_going=False
            )
            for seat, (who, place) in enumerate(zip(sat, places, strict=True))
        ]
    Player.objects.bulk_create(seats, batch_size=500)


if __name__ == "__main__":
    main()
