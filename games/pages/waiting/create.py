"""What the form of a new table begins with: names of companions, and what the person chose last."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext

from accounts.names import as_shown
from games.base.access import Viewer
from games.base.apart import People, apart_from
from games.base.terms import DAYS_A_MOVE, NO_STAND_IN, NUMBERS, explains_in_play
from games.clock import DAY, HOUR, MINUTE, PACES, TimeControl
from games.pages.replay.repeat import asked_bot, asked_table
from games.queries.people.known import latest_companions
from games.queries.tables.table import last_opened
from games.roster.sides import is_named_by
from games.rules.variants import get_variant
from games.values import Access, Occupant
from games.words import names

if TYPE_CHECKING:
    from games.models import Game, Player

MOST_COMPANIONS = 20
#: How the form calls the choices of time that are no pace by name, the three times, and their units.
PER_MOVE, OWN, UNLIMITED = "days", "custom", "unlimited"
#: How it calls the ways to deal the colours: players choose them, they are drawn, or they are as the form says.
CHOOSE, DRAW, SET = "choose", "draw", "set"
#: The answer to how the sides open that has a bot name the pieces.
OF_BOT = "bot"
#: And the answer to who can watch that depends on the seats.
USUAL = "usual"
SPANS = ("initial", "increment", "cap")
UNITS: Mapping[str, int] = {"min": MINUTE, "h": HOUR, "d": DAY}


def companions(user: Viewer) -> Mapping[str, str]:
    """Return the 20 people this person last played with, in alphabetical order: what to type, and what is shown of it.

    One query.
    """
    found = {name: as_shown(name, is_bot=is_bot) for name, is_bot in latest_companions(user, MOST_COMPANIONS)}
    return dict(sorted(found.items(), key=lambda item: item[0].casefold()))


@dataclass(frozen=True)
class LastTable:
    """The table that a person opened last. `asked` is what it says of another one, by the names of the form's fields.

    `again` is all that opens the same one again, empty where that cannot be: it was a group's, began at a position, or
    a player who was invited would not be. `seats` say who sits there, beside its opener.
    """

    asked: Mapping[str, str] = field(default_factory=dict)
    again: Mapping[str, str] = field(default_factory=dict)
    seats: tuple[str, ...] = ()


def last_choice(user: Viewer) -> dict[str, str]:
    """Return what this person chose for the table they opened last, by the names of the form's fields.

    Costs what `last_table` does.
    """
    return dict(last_table(user).asked)


def last_table(user: Viewer) -> LastTable:
    """Return the table that this person opened last, with nothing in it where there is none.

    One query, and those of `apart_from`: people from whom they are kept apart by now are not named again.
    A rematch is no choice, so it does not count. A table of one person and bots says nothing of what concerns people,
    and one of a group nothing of who else may sit and watch.
    """
    players = last_opened(user)
    if not players:
        return LastTable()
    game = players[0].game
    if game.is_shuffled:
        players.sort(key=lambda player: (player.user_id != user.pk, bool(player.bot)))
    asked, seats = _asked_of_all(game, players), _seats(players, user)
    for seat in seats:
        asked |= seat
    terms = _terms_of_people(game, is_for_anyone=any(_is_for_anyone(player, user) for player in players))
    is_like_others = game.group_id is None and not game.given_moves
    again = {**asked, **terms} if all(seats) and is_like_others else {}
    if sum(not player.bot for player in players) > 1:
        asked |= terms
    return LastTable(asked if game.group_id is None else _without_group(asked), again, _others(players, user))


def _others(players: Iterable["Player"], user: Viewer) -> tuple[str, ...]:
    """Return in a few words who sits in the other seats, or may; who is there twice is named once."""
    return tuple(
        dict.fromkeys(_who(player) for player in players if user.pk not in (player.user_id, player.invitee_id))
    )


def _seats(players: Sequence["Player"], user: Viewer) -> list[dict[str, str]]:
    """Return what each seat says of another table; nothing where its player would not be invited again."""
    apart = apart_from(user) if any(player.invitee_id for player in players) else frozenset()
    return [_seat(number, player, user, apart) for number, player in enumerate(players)]


def _asked_of_all(game: "Game", players: Iterable["Player"]) -> dict[str, str]:
    """Return what was chosen for a table whoever sits there."""
    is_set = not (game.is_shuffled or game.lets_choose)
    asked = asked_table(game) | ({"dealing": SET} if is_set else {})
    asked.pop("seed", None)
    if _has_pieces_of_bot(game, players):
        asked["freestyle"] = OF_BOT
    return asked | {name: str(getattr(game, name)) for name in NUMBERS}


def _who(player: "Player") -> str:
    """Return in a few words who sits in a seat, or may."""
    if player.bot:
        return names.bot_name(player.bot)
    if player.invitee:
        return gettext("With %(name)s") % {"name": names.person_name(Occupant.invited(player.invitee))}
    return gettext("Open to anyone") if player.access == Access.OPEN else gettext("By invitation link")


def _has_pieces_of_bot(game: "Game", players: Iterable["Player"]) -> bool:
    """Return whether the opening pieces are those that a bot of the table names."""
    variant = get_variant(game.variant)
    return any(is_named_by(variant, player.bot_seed) for player in players if player.bot)


def _without_group(asked: Mapping[str, str]) -> dict[str, str]:
    """Return what was chosen for a group's table without what concerns its members alone."""
    return {name: value for name, value in asked.items() if not _is_groups(name)}


def _is_groups(name: str) -> bool:
    """Return whether a field says what was chosen for the members of a group alone: who sits, watches, takes back."""
    return name.startswith("seat-") or name in ("is_public", "takebacks", "rated")


def asked_of_group(last: Mapping[str, str], group: str) -> dict[str, str]:
    """Return what the form of a table for a group begins with: what was chosen last, with seats for any member."""
    asked = {name: value for name, value in last.items() if not name.startswith("seat-") and name != "is_public"}
    return asked | {"group": group, "seat-0": "me"} | {f"seat-{number}": "open" for number in (1, 2, 3)}


def _is_for_anyone(player: "Player", creator: Viewer) -> bool:
    return not player.bot and player.user_id != creator.pk and player.access == Access.OPEN


def _seat(number: int, player: "Player", user: Viewer, apart: People) -> dict[str, str]:
    if player.bot:
        return asked_bot(number, player.bot)
    if user.pk in (player.user_id, player.invitee_id):
        return {f"seat-{number}": "me"}
    invitee = player.invitee
    if invitee is None:
        return {f"seat-{number}": player.access}
    if not invitee.is_active or invitee.pk in apart:
        return {}
    return {f"seat-{number}": "named", f"seat-{number}-name": invitee.username}


def _terms_of_people(game: "Game", *, is_for_anyone: bool) -> dict[str, str]:
    return {
        **asked_time(game.time_control),
        "is_public": _chosen(game.is_public, usual=is_for_anyone),
        **({"dealing": CHOOSE} if game.lets_choose else {"dealing": DRAW} if game.is_shuffled else {}),
        "passes": "declared" if game.declares_passes else "automatic",
        "stand_in": game.stand_in or NO_STAND_IN,
        "hints": "no" if not game.allows_hints else "yes" if game.allows_advice else "usual",
        "explains": "yes" if explains_in_play(game) else "usual",
        "takebacks": _chosen(game.allows_takebacks, usual=not is_for_anyone and not game.is_rated),
        "talk": "usual" if game.allows_texts else "phrases",
        "rated": "yes" if game.is_rated and not game.is_public else "usual",
    }


def _chosen(said: bool, *, usual: bool) -> str:
    """Return the answer to a question of which the usual answer depends on the table."""
    return USUAL if said == usual else "yes" if said else "no"


def asked_time(control: TimeControl) -> dict[str, str]:
    """Return how the form asks for this control."""
    return _asked_spans(replace(control, rests_weekends=False)) | {"rests_weekends": "on" * control.rests_weekends}


def _asked_spans(control: TimeControl) -> dict[str, str]:
    if control.initial is None or control.increment is None or control.cap is None:
        return {"time": UNLIMITED}
    if pace := next((key for key, offered in PACES.items() if offered == control), None):
        return {"time": pace}
    if control in map(TimeControl.days_a_move, DAYS_A_MOVE):
        return {"time": PER_MOVE, "days": str(control.cap // DAY)}
    asked = {"time": OWN}
    for name, seconds in zip(SPANS, (control.initial, control.increment, control.cap), strict=True):
        unit = next(key for key in ("d", "h", "min") if seconds % UNITS[key] == 0)
        asked |= {f"{name}_amount": str(seconds // UNITS[unit]), f"{name}_unit": unit}
    return asked
