"""Ratings in words: the points with how certain they are, families, and what a game did."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext, ngettext

from games.values import SeatResult
from games.words import boards, sentences
from games.words.endings import TWO, place_name
from games.words.names import kind_name
from games.words.sentences import decimal, percent

if TYPE_CHECKING:
    from games.queries.moderation.likeness import Likeness, ReviewedGames

MINUS = "\N{MINUS SIGN}"


def rating_text(points: float, deviation: float) -> str:
    """Return a rating: "1480 ± 60"."""
    return gettext("%(points)s ± %(deviation)s") % {"points": round(points), "deviation": round(deviation)}


def moved_by_text(change: float) -> str:
    """Return by how much a rating has moved, with its sign: "+24" or "0"."""
    points = round(change)
    return f"{'+' if points > 0 else MINUS}{abs(points)}" if points else "0"


def rating_beside(strength: tuple[float, float] | None) -> str:
    """Return a rating as it stands beside a name, empty without one."""
    return gettext("rated %(rating)s") % {"rating": rating_text(*strength)} if strength else ""


def rating_family_name(family: str) -> str:
    """Return what a family of variants is called: "Block-You, 4 players", "Trigon"."""
    return kind_name(family) if "-" in family else boards.board_name(family)


def rated_text(place: int, seats: int, expected: float, before: float, after: float, deviation: float) -> str:
    """Return what a game did to the rating of its reader, in two sentences; `expected` is a place."""
    values = {
        "place": place_name(place),
        "n": seats,
        "expected": decimal(expected),
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


def rated_later_text(*, has_counted: bool) -> str:
    """Return how a game has come to count for its reader after its end, or to count against more people than before."""
    if has_counted:
        return gettext(
            "One of the players was a guest then. Since they got an account, your rating also counts how you finished "
            "against them."
        )
    return gettext(
        "Rated later: one of the players was a guest then. The game has counted for your rating since they got an "
        "account."
    )


def course_text(points: Sequence[float], before: float) -> str:
    """Return how a rating has moved with these games, from what it was before the first of them."""
    values = {
        "n": len(points),
        "before": round(before),
        "after": round(points[-1]),
        "highest": round(max(points)),
        "lowest": round(min(points)),
    }
    text = ngettext(
        "In the last %(n)d game shown here, the rating went from %(before)s to %(after)s.",
        "In the last %(n)d games shown here, the rating went from %(before)s to %(after)s. The highest was "
        "%(highest)s, the lowest %(lowest)s. At night all games are weighed again, so that today it may be another.",
        len(points),
    )
    return text % values


def no_course_text(*, is_own: bool) -> str:
    """Return why a rating has no course: its games came to count later, or are private to another reader."""
    if is_own:
        return gettext(
            "When they ended, a player at the table was a guest, perhaps you. They have counted since that guest got "
            "an account, all at once, so it is not known what each of them did."
        )
    return gettext(
        "They were private, or a player at the table was a guest when they ended. Such games count later, all at once, "
        "so it is not known what each of them did."
    )


def step_text(result: str, others: str, before: float, after: float) -> str:
    """Return what a game did to a rating, in a line; `others` are names, empty where none is shown."""
    texts = {
        SeatResult.WON: gettext("Won against %(names)s: %(before)s to %(after)s"),
        SeatResult.TIED: gettext("Tied with %(names)s: %(before)s to %(after)s"),
    }
    lost = gettext("Lost against %(names)s: %(before)s to %(after)s")
    text = texts.get(SeatResult(result), lost) if others else gettext("%(before)s to %(after)s")
    return text % {"names": others, "before": round(before), "after": round(after)}


def result_counts(results: Mapping[str, int]) -> str:
    """Return how games ended in a line: how many of them were won, tied and lost."""
    values = {"won": results.get("won", 0), "tied": results.get("tied", 0), "lost": results.get("lost", 0)}
    if values["tied"]:
        return gettext("%(won)d won, %(tied)d tied, %(lost)d lost") % values
    return gettext("%(won)d won, %(lost)d lost") % values


def likeness_text(likeness: "Likeness") -> str:
    """Return how often somebody has played what an engine would have, beside chance and the others at their tables, and
    how sure that is.

    Nothing of others where none of them had a choice, and an empty text where the person had none.
    """
    if not likeness.moves:
        return ""
    text = ngettext(
        "In %(n)d rated game with a review, %(same)s of the player's moves were the engine's first choice "
        "(%(count)d of %(moves)d). Chance would give %(chance)s.",
        "In %(n)d rated games with a review, %(same)s of the player's moves were the engine's first choice "
        "(%(count)d of %(moves)d). Chance would give %(chance)s.",
        likeness.games,
    )
    told = text % {
        "n": likeness.games,
        "same": percent(round(100 * likeness.same / likeness.moves)),
        "count": likeness.same,
        "moves": likeness.moves,
        "chance": percent(round(100 * likeness.chance / likeness.moves)),
    }
    low, high = (percent(round(100 * bound)) for bound in likeness.usual_share)
    sure = gettext(
        "The fewer the moves, the less this says: in 95 cases out of 100 the player's usual share lies between %(low)s "
        "and %(high)s."
    )
    told = f"{told} {sure % {'low': low, 'high': high}}"
    if not likeness.others:
        return told
    others = percent(round(100 * likeness.others_same / likeness.others))
    return f"{told} {gettext('The others at these tables had %(others)s.') % {'others': others}}"


def reviewed_text(reviewed: "ReviewedGames") -> str:
    """Return how many of somebody's latest rated games have a review, and how many are being reviewed."""
    if not reviewed.games:
        return gettext("No rated game of this player is over: there is nothing to compare.")
    text = gettext("Of the latest rated games, these have a review: %(done)d of %(n)d.")
    told = text % {"done": reviewed.done, "n": reviewed.games}
    if not reviewed.under_way:
        return told
    return f"{told} {gettext('Being reviewed: %(n)d.') % {'n': reviewed.under_way}}"


def ask_for_reviews_text(number: int) -> str:
    """Return what the button says that asks for so many reviews."""
    return ngettext("Review %(n)d game", "Review %(n)d games", number) % {"n": number}


def month_text(results: str, points: float, deviation: float) -> str:
    """Return how a month's games ended, in a line, and the rating after the last of them."""
    return gettext("%(results)s; then rated %(rating)s") % {
        "results": results,
        "rating": rating_text(points, deviation),
    }


def growth_text(first: str, last: str, cells: tuple[int, int], places: tuple[float, float]) -> str:
    """Return how a person's play has changed from one month to another: percent of cells placed, and places."""
    values = {"first": first, "last": last} | {
        "cells_before": percent(cells[0]),
        "cells": percent(cells[1]),
        "place_before": decimal(places[0]),
        "place": decimal(places[1]),
    }
    return (
        gettext(
            "From %(first)s to %(last)s: cells placed from %(cells_before)s to %(cells)s, average place from "
            "%(place_before)s to %(place)s."
        )
        % values
    )


def seat_called(seat: int, colours: Sequence[str], board: str) -> str:
    """Return what a seat is called, by its colours, or where these are chosen by its number; `board` if several are."""
    name = sentences.listed(colours) if colours else gettext("Seat %(n)d") % {"n": seat + 1}
    return gettext("%(seat)s (%(board)s)") % {"seat": name, "board": board} if board else name
