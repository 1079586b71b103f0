"""Ratings in words: the points with how certain they are, families, and what a game did."""

from django.utils.formats import number_format
from django.utils.translation import gettext

from games.words import boards
from games.words.endings import TWO, place_name
from games.words.names import kind_name
from games.words.sentences import percent


def rating_text(points: float, deviation: float) -> str:
    """Return a rating: "1480 ± 60"."""
    return gettext("%(points)s ± %(deviation)s") % {"points": round(points), "deviation": round(deviation)}


def rating_family_name(family: str) -> str:
    """Return what a family of variants is called: "Block-You, 4 players", "Trigon"."""
    return kind_name(family) if "-" in family else boards.board_name(family)


def rated_text(place: int, seats: int, expected: float, before: float, after: float, deviation: float) -> str:
    """Return what a game did to the rating of its reader, in two sentences; `expected` is a place."""
    values = {
        "place": place_name(place),
        "n": seats,
        "expected": number_format(expected, 1),
        "chance": percent(round(100 * (seats - expected))),
        "before": round(before),
        "after": rating_text(after, deviation),
    }
    if seats == TWO:
        text = gettext("Rated: your chance was %(chance)s. Your rating goes from %(before)s to %(after)s.")
    else:
        text = gettext(
            "Rated: you finished %(place)s of %(n)d, where %(expected)s was to be expected. Your rating goes from "
            "%(before)s to %(after)s."
        )
    return text % values
