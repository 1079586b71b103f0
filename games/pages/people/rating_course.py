"""The rating of a person in a family: its course as a picture and in words, the best wins, and how games ended."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import mean
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext_lazy as _

from games.base.access import Viewer
from games.errors import NotFound
from games.pages.board.faces import Face, face
from games.pages.board.link_card import full_day
from games.pages.people.ratings import OwnRating, check_family, own_ratings
from games.queries.people.known import player_called
from games.queries.people.rating_course import CourseStep, course_of, others_at
from games.ratings.scale import Strength
from games.rules.variants import get_variant
from games.values import Occupant, SeatResult
from games.words import moments, names, sentences
from games.words.moments import When
from games.words.ratings import (
    course_text,
    growth_text,
    month_text,
    no_course_text,
    result_counts,
    seat_called,
    step_text,
)

if TYPE_CHECKING:
    from games.models import Player

#: The picture, in units, and where the line begins and ends in it.
WIDTH, HEIGHT = 320, 150
LEFT, RIGHT, TOP, BOTTOM = 38, 308, 12, 128
#: The least number of points from the lowest to the highest value of a picture, so that little looks little.
LEAST_SPAN = 100
#: At most so many wins, opponents, games, first pieces and months are listed.
WINS, OPPONENTS, GAMES_LISTED, OPENINGS, MONTHS = 5, 10, 30, 10, 12


@dataclass(frozen=True)
class CoursePicture:
    """The line of a rating by time, from its first game to today, and the values beside and below it."""

    line: str
    band: str
    marks: tuple[tuple[str, float], ...]
    begins: str
    ends: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM


@dataclass(frozen=True)
class CourseGame:
    """A game and what it did, in words."""

    slug: str
    words: str
    when: When | None


@dataclass(frozen=True)
class WinView:
    """A win against a rated person: who that was, and their rating before."""

    slug: str
    name: str
    address: str
    face: Face
    rating: int
    when: When | None


@dataclass(frozen=True)
class StandingLine:
    """How games of one kind ended, such as those in a seat; the bar is the share of points, of a hundred units."""

    name: str
    address: str
    face: Face | None
    games: int
    words: str
    bar: int


@dataclass(frozen=True)
class StrengthLine:
    """How a person played in one month: the share of cells placed, the average place and how often in time.

    `cells` is empty where they played no game to its end.
    """

    name: str
    cells: str
    place: str
    in_time: str
    bar: int


@dataclass(frozen=True)
class RatingPage:
    """A person's rating in a family. `games` are the latest, the newest first; without any, `why_none` says why."""

    username: str
    name: str
    face: Face
    family: str
    rating: OwnRating
    words: str
    why_none: str
    picture: CoursePicture | None
    wins: tuple[WinView, ...]
    opponents: tuple[StandingLine, ...]
    seats: tuple[StandingLine, ...]
    openings: tuple[StandingLine, ...]
    months: tuple[StandingLine, ...]
    strengths: tuple[StrengthLine, ...]
    growth: str
    games: tuple[CourseGame, ...]


NO_RATING = _("This player has no rating of this kind.")


def rating_page(username: str, family: str, viewer: Viewer) -> RatingPage:
    """Return the page (6 queries at most).

    Raises:
        NotFound: there is no such player or family, or the player has no rating there.

    """
    check_family(family)
    user = player_called(username, viewer)
    own = {each.family: each for each in own_ratings(user.pk)} if user is not None and settings.RATINGS else {}
    if user is None or family not in own:
        raise NotFound(NO_RATING)
    steps, now = course_of(user.pk, family, viewer), timezone.now()
    by_month = _by_month(steps)
    met: defaultdict[int, list[Player]] = defaultdict(list)
    for other in others_at([step.game for step in steps], user.pk, viewer):
        met[other.game_id].append(other)
    return RatingPage(
        username=user.username,
        name=user.shown_name,
        face=face(Occupant.of(user)),
        family=family,
        rating=own[family],
        words=course_text([step.after.points for step in steps], steps[0].before.points) if steps else "",
        why_none="" if steps else no_course_text(is_own=user.pk == viewer.pk),
        picture=_picture([*((step.ended_at, step.after) for step in steps), (now, own[family].strength)])
        if len(steps) > 1
        else None,
        wins=tuple(_wins(steps, met, now)),
        opponents=tuple(_opponents(steps, met)),
        seats=tuple(_seats(steps)),
        openings=tuple(_openings(steps)),
        months=tuple(_months(by_month)),
        strengths=tuple(_strength(*month) for month in by_month),
        growth=_growth(by_month),
        games=tuple(_game(step, met[step.game], now) for step in steps[: -GAMES_LISTED - 1 : -1]),
    )


def _picture(course: Sequence[tuple[datetime, Strength]]) -> CoursePicture:
    """Return the course by time, which ends with what it is today; the band is how certain it was."""
    upper, lower = ([points + sign * deviation for _at, (points, deviation) in course] for sign in (1, -1))
    spare = max(0.0, LEAST_SPAN - (max(upper) - min(lower))) / 2
    low, high = min(lower) - spare, max(upper) + spare
    first, last = course[0][0], course[-1][0]
    places = [_across(at, first, last) for at, _strength in course]
    points = [strength.points for _at, strength in course]
    line, above, below = (
        [(x, _up(value, low, high)) for x, value in zip(places, values, strict=True)]
        for values in (points, upper, lower)
    )
    return CoursePicture(
        line=_path(line),
        band=_path([*above, *below[::-1]]),
        marks=tuple((str(round(value)), round(_up(value, low, high), 1)) for value in _apart(points, low, high)),
        begins=full_day(first),
        ends=full_day(last),
    )


def _apart(points: Sequence[float], low: float, high: float) -> list[float]:
    """Return the highest and the lowest value, or only the one where they would overlap."""
    values = [max(points), min(points)]
    return values if _up(values[1], low, high) - _up(values[0], low, high) > TOP else values[:1]


def _across(moment: datetime, first: datetime, last: datetime) -> float:
    whole = (last - first).total_seconds()
    part = (moment - first).total_seconds() / whole if whole else 1.0
    return round(LEFT + part * (RIGHT - LEFT), 1)


def _up(value: float, low: float, high: float) -> float:
    return BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP)


def _path(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:.1f}" for x, y in points)


def _wins(steps: Sequence[CourseStep], met: "dict[int, list[Player]]", now: datetime) -> Iterable[WinView]:
    """Yield the wins against the people of the highest ratings before the game, each person once."""
    beaten: dict[int, tuple[float, CourseStep, Player]] = {}
    for step in steps:
        for other in met[step.game] if step.result == SeatResult.WON else ():
            points = _points_before(other)
            if other.user_id is not None and points is not None and points > beaten.get(other.user_id, (0,))[0]:
                beaten[other.user_id] = points, step, other
    for points, step, other in sorted(beaten.values(), key=lambda each: -each[0])[:WINS]:
        yield WinView(
            slug=step.slug,
            name=names.player_name(other),
            address=names.page_of(other.occupant),
            face=face(other.occupant),
            rating=round(points),
            when=moments.when(step.ended_at, now),
        )


def _points_before(player: "Player") -> float | None:
    rated = getattr(player, "rated", None)
    return rated.points_before if rated is not None else None


def _opponents(steps: Sequence[CourseStep], met: "dict[int, list[Player]]") -> Iterable[StandingLine]:
    """Yield those met most often, people and bots, by who finished before whom."""
    results: defaultdict[tuple[int | None, str], Counter[str]] = defaultdict(Counter)
    shown: dict[tuple[int | None, str], Player] = {}
    for step in steps:
        for other in met[step.game]:
            key = other.user_id, other.bot
            shown[key] = other
            theirs = other.place or 0
            results[key]["won" if step.place < theirs else "tied" if step.place == theirs else "lost"] += 1
    for key in sorted(results, key=lambda key: (-results[key].total(), key[1], key[0] or 0))[:OPPONENTS]:
        other = shown[key]
        yield _line(names.player_name(other), results[key], names.page_of(other.occupant), face(other.occupant))


def _seats(steps: Sequence[CourseStep]) -> Iterable[StandingLine]:
    """Yield how games ended by the seat that the person had, in the order of play."""
    results: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for step in steps:
        results[step.variant, step.seat][step.result] += 1
    several = len({variant for variant, _seat in results}) > 1
    for variant, seat in sorted(results):
        kind = get_variant(variant)
        colours = [] if kind.choosable_colours else [sentences.colour(each) for each in kind.seating[seat]]
        name = seat_called(seat, colours, names.kind_name(variant) if several else "")
        yield _line(name, results[variant, seat])


def _openings(steps: Sequence[CourseStep]) -> Iterable[StandingLine]:
    """Yield how games ended by the piece that the person placed first, the most frequent ones."""
    results: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for step in steps:
        if step.opening:
            results[step.opening.partition(":")[0]][step.result] += 1
    for piece in sorted(results, key=lambda piece: (-results[piece].total(), piece))[:OPENINGS]:
        yield _line(piece, results[piece])


def _months(months: Sequence[tuple[str, Sequence[CourseStep]]]) -> Iterable[StandingLine]:
    """Yield how games ended month by month, and what the rating was after the last of each; the latest first."""
    for name, played in months:
        line = _line(name, Counter(step.result for step in played))
        yield replace(line, words=month_text(line.words, *played[-1].after))


def _by_month(steps: Sequence[CourseStep]) -> list[tuple[str, Sequence[CourseStep]]]:
    """Return the games of each of the latest months by its name, the latest first."""
    months: defaultdict[tuple[int, int], list[CourseStep]] = defaultdict(list)
    for step in steps:
        ended = timezone.localtime(step.ended_at)
        months[ended.year, ended.month].append(step)
    return [
        (date_format(timezone.localtime(months[key][-1].ended_at), "YEAR_MONTH_FORMAT"), months[key])
        for key in sorted(months, reverse=True)[:MONTHS]
    ]


def _cells(steps: Sequence[CourseStep]) -> int | None:
    """Return how many percent of the cells were placed on average; None without a game played to its end."""
    shares = [step.cells for step in steps if step.cells is not None]
    return round(100 * mean(shares)) if shares else None


def _strength(name: str, steps: Sequence[CourseStep]) -> StrengthLine:
    cells = _cells(steps)
    return StrengthLine(
        name=name,
        cells="" if cells is None else sentences.percent(cells),
        place=number_format(mean(step.place for step in steps), 1),
        in_time=sentences.percent(100 * sum(step.is_in_time for step in steps) // len(steps)),
        bar=cells or 0,
    )


def _growth(months: Sequence[tuple[str, Sequence[CourseStep]]]) -> str:
    """Return how cells and places have changed from the first month to the last, empty where that cannot be told."""
    told = [(name, cells, steps) for name, steps in months if (cells := _cells(steps)) is not None]
    if len(told) < 2:
        return ""
    (last, cells, steps), (first, cells_before, before) = told[0], told[-1]
    places = [mean(step.place for step in each) for each in (before, steps)]
    return growth_text(first, last, (cells_before, cells), (places[0], places[1]))


def _line(name: str, results: Counter[str], address: str = "", own: Face | None = None) -> StandingLine:
    games = results.total()
    points = results["won"] + results["tied"] / 2
    return StandingLine(name, address, own, games, result_counts(results), round(100 * points / games))


def _game(step: CourseStep, others: "Sequence[Player]", now: datetime) -> CourseGame:
    words = step_text(
        step.result, names.names_of(each.occupant for each in others), step.before.points, step.after.points
    )
    return CourseGame(step.slug, words, moments.when(step.ended_at, now))
