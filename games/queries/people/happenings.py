"""What happens in the games of a person: how they stand now, beside how they stood when the person was told last.

So there is no event that must not be missed, and none that has to be kept: whoever was away for long is told how things
are. Streams of programs and webhooks say this.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypedDict

from accounts.models import User
from games.base.access import game_to_view
from games.errors import NotFound
from games.models import Game, Player
from games.queries.people.going import going_seats
from games.queries.tables.turns import next_number

#: After these a game does not change any more.
OVER = {"finished", "cancelled"}
#: The lists of a person's games; in the last one are those that were put away.
SECTIONS, AWAY = ("turn", "waiting", "invited", "open", "away"), "away"
#: The lists of games that have begun.
BEGUN = {"turn", "waiting", AWAY}


class ListPlace(NamedTuple):
    """Where a game stands for a person: in which list, with which move due, and their seat in it, from 0."""

    section: str
    number: int
    seat: int


class LineFacts(TypedDict):
    """What a list says of a game; `me` is the seat of the person, or the one kept for them."""

    slug: str
    name: str
    variant: str
    status: str
    version: int
    number: int
    deadline: datetime | None
    me: int


@dataclass(frozen=True)
class Occurrence:
    """What has happened in a game, by kind, with the game as it is now; `then` is how it stands once that is known.

    `invited`: another player asks the person to sit down. `started`: the last seat was taken. `my_turn`: the move of
    this number waits. `finished`, `cancelled`: the game is over, the table was given up, and nothing is to be known.
    """

    kind: str
    line: LineFacts
    then: ListPlace | None


@dataclass(frozen=True)
class GamesSeen:
    """How the games of a person stand, and what has happened since the look before, in the order to tell it.

    `seats` are those of the person in the games of each list.
    """

    seats: Mapping[str, Sequence[Player]]
    places: Mapping[str, ListPlace]
    happenings: Sequence[Occurrence]


def game_line(player: Player) -> LineFacts:
    """Return what a list says of the game in which the person has this seat, or is invited to it (no query)."""
    return _line(player.game, player.seat)


def see_games(user: User, before: Mapping[str, ListPlace] | None) -> GamesSeen:
    """Return how the games of a person stand beside how they stood before; None for nothing that was known.

    At the first look nothing has happened. Six queries, and two for each game that has left the lists.
    """
    seats = going_seats(user, SECTIONS)
    found = {player.game.slug: (section, player) for section, players in seats.items() for player in players}
    now = {slug: ListPlace(at, next_number(one.game), one.seat) for slug, (at, one) in found.items()}
    if before is None:
        return GamesSeen(seats, now, ())
    # Who hears of a start has not heard yet whose turn it is.
    told = [
        Occurrence(kind, game_line(player), now[slug]._replace(section="waiting") if kind == "started" else now[slug])
        for slug, (_section, player) in found.items()
        for kind in _kinds(before.get(slug), now[slug])
    ]
    for slug in sorted(before.keys() - now.keys()):
        try:
            game = game_to_view(user, slug)
        except NotFound:
            continue
        if game.status in OVER:
            told.append(Occurrence(game.status, {**_line(game, before[slug].seat), "deadline": None}, None))
        elif before[slug].section in BEGUN:
            # It goes on without the person, who is told how it ends.
            now[slug] = before[slug]._replace(section=AWAY)
    return GamesSeen(seats, now, told)


def _line(game: Game, seat: int) -> LineFacts:
    return {
        "slug": game.slug,
        "name": game.name,
        "variant": game.variant,
        "status": game.status,
        "version": game.version,
        "number": next_number(game),
        "deadline": game.deadline,
        "me": seat,
    }


def _kinds(was: ListPlace | None, now: ListPlace) -> list[str]:
    """Return what has happened in a game that stands there now, in the order to tell it."""
    section = was.section if was else ""
    kinds = []
    if now.section == "invited" and section != "invited":
        kinds.append("invited")
    if now.section in BEGUN and section not in BEGUN:
        kinds.append("started")
    if now.section == "turn" and (section != "turn" or was is None or was.number != now.number):
        kinds.append("my_turn")
    return kinds
