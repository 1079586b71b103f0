"""One game in a list: its board, its name, who plays, and the figure that matters most."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from games.base.talk import is_switched_on
from games.clock import URGENT
from games.drawing.thumbnails import Thumbnail, table_thumbnail, thumbnail
from games.pages.lists.seat_links import SeatLink, seat_links
from games.queries.play.players import seat_side
from games.queries.tables.table import leaves_choice
from games.rules.variants import get_variant
from games.values import Occupant, Reason, ScoreOfTwo
from games.words import clocks, deadlines, moments, names, sentences
from games.words.moments import When
from games.words.scores import score_on_card

if TYPE_CHECKING:
    from games.models import Game, Player

#: What stands between the parts of a line.
_BETWEEN = "\N{NO-BREAK SPACE}· "
#: A number, and the blank before what it counts.
_NUMBER = re.compile(r"(\d) ")
#: The last days in which a table that waits says so.
CLOSING = timedelta(days=3)


@dataclass(frozen=True)
class GameCard:
    """One row of a list of games.

    `when` is the time of the last thing that happened: a move, the end, or the opening of a table; that of a game which
    `has_begun` stands beside the number of its moves, `about` it, not in the `line` on what it waits for. `figure` is
    mostly the time left until the `deadline`; empty where there is none. `exact` is that moment in full; with less
    than `urgent` seconds left it `is_urgent`, never where the reader has nothing to do. `needs` says what the reader
    can do about the game right in the list: `turn`, `invitation`, or `choice` for an invitation to a table at which a
    player who accepts chooses a colour. `unread` counts what others have said at the table since the reader read it.
    `again` names those with whom the reader can play again in one tap, as the same group.
    """

    slug: str
    title: str
    line: str
    about: str
    thumb: Thumbnail
    figure: str = ""
    figure_label: str = ""
    deadline: datetime | None = None
    exact: str = ""
    is_urgent: bool = False
    urgent: int = URGENT
    seats: tuple[SeatLink, ...] = ()
    needs: str = ""
    when: When | None = None
    has_begun: bool = False
    unread: int = 0
    again: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the parts of what it is about."""
        return tuple(self.about.split(_BETWEEN))


def game_thumbnail(game: "Game", reader: "Player | None" = None) -> Thumbnail:
    """Return the game's board, small, as its reader sees it from that seat; before the first move, the seats taken."""
    if game.move_count:
        return thumbnail(game.board, game.variant, seat_side(game, reader.seat) if reader else 0)
    colours = get_variant(game.variant).seat_colours(game.colours or None)
    seats = [(colours[player.seat], player.is_taken) for player in game.players.all()]
    return seats_thumbnail(game.variant, seats)


def seats_thumbnail(variant: str, seats: Iterable[tuple[Sequence[str], bool]]) -> Thumbnail:
    """Return an empty board that shows the colours of each seat, and whether it is taken."""
    taken: list[str] = []
    free: list[str] = []
    for colours, is_taken in seats:
        (taken if is_taken else free).extend(colours)
    return table_thumbnail(variant, tuple(taken), tuple(free))


def running_card(
    game: "Game", user_id: int | None, now: datetime, scores: Mapping[int, ScoreOfTwo] | None = None
) -> GameCard:
    """Return the row of a running game: who is to play and how long they have; between two, their score as well."""
    turn = next((player for player in game.players.all() if player.seat == game.turn_seat), None)
    me = _seat_of(game, user_id)
    is_away = me is not None and me.is_away and not me.retired
    is_at_device = _plays_at_device(game, turn, user_id)
    is_mine = turn is not None and (turn == me or is_at_device) and not is_away and not game.is_paused
    # Red is for what the reader has to do.
    urgent = game.time_control.urgent if is_mine else 0
    return GameCard(
        slug=game.slug,
        title=names.game_title(game, user_id),
        line=_due(game, turn if is_at_device else None) if is_mine else _waits(game, turn, is_away=is_away),
        about=about_line(
            game,
            gettext("move\N{NO-BREAK SPACE}%(number)d") % {"number": game.move_count + 1},
            _score(game, user_id, scores),
        ),
        thumb=game_thumbnail(game, me),
        figure=deadlines.time_left(game.deadline, now),
        deadline=game.deadline,
        exact=deadlines.exact(game.deadline),
        urgent=urgent,
        is_urgent=game.deadline is not None and (game.deadline - now).total_seconds() < urgent,
        seats=seat_links(game, user_id),
        needs="turn" if is_mine else "",
        when=moments.when(game.turn_since, now),
        has_begun=True,
        unread=_unread(me),
    )


def _plays_at_device(game: "Game", turn: "Player | None", user_id: int | None) -> bool:
    """Return whether someone without an account is to play, at the device of the reader."""
    return turn is not None and turn.is_local and user_id == game.creator_id


def _due(game: "Game", beside: "Player | None") -> str:
    """Return what a game waits for that waits for its reader, or for someone beside them at their device."""
    if beside is not None:
        name = names.names_by_seat(game.players.all())[beside.seat]
        return gettext("hand this device to %(name)s") % {"name": name}
    return gettext("your turn: %(colour)s") % {"colour": sentences.colour(game.turn_colour)}


def _waits(game: "Game", turn: "Player | None", *, is_away: bool) -> str:
    """Return what a game waits for that does not wait for its reader, empty where no one is to play."""
    if turn is None:
        return ""
    if game.is_paused:
        return gettext("paused")
    return (
        gettext("a bot plays for you")
        if is_away
        else gettext("waiting for %(name)s") % {"name": names.names_by_seat(game.players.all())[turn.seat]}
    )


def _seat_of(game: "Game", user_id: int | None) -> "Player | None":
    return next((player for player in game.players.all() if user_id is not None and player.user_id == user_id), None)


def _unread(mine: "Player | None") -> int:
    return mine.unread_messages or 0 if mine is not None and is_switched_on() else 0


def finished_card(
    game: "Game",
    user_id: int | None,
    scores: Mapping[int, ScoreOfTwo] | None = None,
    *,
    is_mine: bool = True,
    may_repeat: bool = False,
) -> GameCard:
    """Return the row of a finished game as it went for this person, who need not have played.

    `is_mine` says that this person reads it, and not another one; `may_repeat` that they can ask the same group again.
    """
    players, player = list(game.players.all()), _seat_of(game, user_id)
    moves = ngettext("%(n)d move", "%(n)d moves", game.move_count) % {"n": game.move_count}
    return GameCard(
        slug=game.slug,
        title=names.game_title(game, user_id if is_mine else None),
        line=result(players, player if is_mine and not game.is_on_one_device else None),
        about=about_line(game, moves.replace(" ", "\N{NO-BREAK SPACE}"), _score(game, user_id, scores)),
        thumb=game_thumbnail(game, player if is_mine else None),
        seats=seat_links(game, user_id if is_mine else None),
        when=moments.when(game.finished_at, timezone.now()),
        has_begun=True,
        unread=_unread(player) if is_mine else 0,
        again=_people_beside(players, user_id) if may_repeat else "",
    )


def _people_beside(players: "Sequence[Player]", user_id: int | None) -> str:
    others = [player.occupant for player in players if player.user_id not in (None, user_id)]
    return sentences.listed([names.person_name(other) for other in others])


def waiting_card(game: "Game", user_id: int, now: datetime, scores: Mapping[int, ScoreOfTwo] | None = None) -> GameCard:
    """Return the row of a table that waits for players, for one of them, for an invited player or for its host.

    In its last days it says how long it goes on waiting.
    """
    players = list(game.players.all())
    taken = [player for player in players if player.user_id or player.bot]
    is_invited = user_id not in [player.user_id for player in players]
    is_choosing = is_invited and game.creator_id == user_id
    closes_at = game.expires_at if game.expires_at is not None and game.expires_at - now < CLOSING else None
    return GameCard(
        slug=game.slug,
        title=game.name or _unnamed(game, players, user_id),
        line=_invited(game, players, is_choosing=is_choosing)
        if is_invited
        else names.seats_taken(len(taken), len(players)),
        about=about_line(game, clocks.pace_name(game.time_control), _score(game, user_id, scores)),
        thumb=game_thumbnail(game),
        figure=deadlines.time_left(closes_at, now),
        figure_label=gettext("until the table closes") if closes_at else "",
        deadline=closes_at,
        exact=deadlines.exact(closes_at),
        is_urgent=closes_at is not None,
        seats=seat_links(game, user_id),
        needs="" if not is_invited or is_choosing else "choice" if leaves_choice(game) else "invitation",
        when=moments.when(game.created_at, now),
        unread=_unread(_seat_of(game, user_id)),
    )


def _host(game: "Game", players: "Sequence[Player]") -> Occupant | None:
    return next((player.occupant for player in players if player.user_id == game.creator_id), None)


def _invited(game: "Game", players: "Sequence[Player]", *, is_choosing: bool) -> str:
    if is_choosing:
        return gettext("choose your side")
    host = _host(game, players)
    if host is None:
        return gettext("you are invited")
    return gettext("%(name)s invites you") % {"name": names.occupant_name(host)}


def _unnamed(game: "Game", players: "Sequence[Player]", user_id: int) -> str:
    """Return what a table without a name is called, as on its own page: after the player who opened it."""
    host = _host(game, players)
    is_mine = game.creator_id == user_id
    if host is None and not is_mine:
        return names.names_of(names.opponents(players, user_id))
    return names.unnamed_table(host or Occupant(), is_mine=is_mine)


def result(players: "Sequence[Player]", mine: "Player | None") -> str:
    """Return how a game ended, for the player in the seat `mine`, or for a spectator without one."""
    winners = [player for player in players if player.is_winner]
    if mine is None:
        return _result_for_others(players, winners)
    if mine.retired:
        text = gettext("you resigned") if mine.retired == Reason.RESIGNED else gettext("you ran out of time")
        return (
            gettext("%(outcome)s: %(result)s") % {"outcome": text, "result": _who_won(players, winners)}
            if winners
            else text
        )
    if mine not in winners:
        told = _result_for_others(players, winners)
        # That others tied says nothing yet of a reader who played too.
        return gettext("you did not win: %(result)s") % {"result": told} if len(winners) > 1 else told
    if len(winners) > 1:
        called = names.names_by_seat(players)
        rivals = [called[each.seat] for each in winners if each is not mine]
        return gettext("you tied with %(names)s") % {"names": sentences.listed(rivals)}
    return _won(players, mine)


def _won(players: "Sequence[Player]", mine: "Player") -> str:
    rivals = [each.score for each in players if each is not mine and not each.retired and each.score is not None]
    if not rivals or mine.score is None:
        return _with_reason(gettext("you won"), players, mine)
    lead = mine.score - max(rivals)
    return ngettext("you won by %(n)d point", "you won by %(n)d points", lead) % {"n": lead}


def _result_for_others(players: "Sequence[Player]", winners: "Sequence[Player]") -> str:
    if not winners:
        return gettext("no winner")
    told = _who_won(players, winners)
    return told if len(winners) > 1 else _with_reason(told, players, winners[0])


def _who_won(players: "Sequence[Player]", winners: "Sequence[Player]") -> str:
    called = names.names_by_seat(players)
    who = sentences.listed([called[each.seat] for each in winners])
    return (gettext("%(names)s tied") if len(winners) > 1 else gettext("%(names)s won")) % {"names": who}


def _with_reason(outcome: str, players: "Sequence[Player]", winner: "Player") -> str:
    """Return who won, and why where the game was not played out: everyone else has retired."""
    others = [each for each in players if each is not winner]
    if not all(each.retired for each in others):
        return outcome
    why = gettext("everyone else left the game")
    if len(others) == 1:
        left = (
            gettext("%(name)s resigned")
            if others[0].retired == Reason.RESIGNED
            else gettext("%(name)s ran out of time")
        )
        why = left % {"name": names.player_name(others[0])}
    return gettext("%(outcome)s: %(why)s") % {"outcome": outcome, "why": why}


def about_line(game: "Game", *rest: str) -> str:
    """Return what is played, in a line that goes on with what the list is about; empty parts are left out."""
    board = _NUMBER.sub("\\1\N{NO-BREAK SPACE}", names.variant_name(game.variant))
    return _BETWEEN.join([board, *filter(None, rest)])


def _score(game: "Game", user_id: int | None, scores: Mapping[int, ScoreOfTwo] | None) -> str:
    """Return the score of the reader and the other one at a table for two; empty at other tables."""
    people = {player.user_id or player.invitee_id: player for player in game.players.all()}
    others = people.keys() - {user_id, None}
    if not scores or len(game.players.all()) != 2 or len(others) != 1:
        return ""
    other = others.pop() or 0
    return score_on_card(scores.get(other, ScoreOfTwo()), names.person_name(people[other].occupant))
