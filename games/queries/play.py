"""The play page: one game as one person sees it, ready for the templates.

`play_page` costs four queries whatever the length of the game: the game, its players, its moves, my other turns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext

from accounts import traditions
from accounts.models import User
from games import access, clock, positions
from games.models import Game, Player, Status
from games.queries import boards, drawing, names, sentences
from games.queries.conduct import ConductView, conduct_view
from games.queries.invitation import WaitingTable, waiting_table
from games.queries.look import Look
from games.queries.news import Events, News
from games.queries.position import Sight, position_data, script_json, shapes_json
from games.queries.results import ResultView, ScoringView, results, scoring_view
from games.queries.spoken import SpokenView, spoken_view
from games.queries.table import ColourView, PlayerView, SharedView, colours_of, player_views, shared_views
from games.queries.trays import TrayView, trays
from games.queries.words import MoveView, TurnView, move_views, moves_of, turn_view
from games.rules import Position
from games.rules.geometry import SQUARES

#: A page that is new to whoever asks for it.
AT_FIRST = Look()


@dataclass(frozen=True)
class NextView:
    """My other games in which it is my turn: how many, and the one most in need of it."""

    count: int
    slug: str


@dataclass(frozen=True, kw_only=True)
class GamePage:
    """What the page of any game needs, started or not. `part` is the template of what changes, `table` is who waits.

    `news` is what is said aloud of a change; `is_spoken` asks for words instead of pictures, which `spoken` then has.
    All addresses of the game begin with `address`; `query` keeps the token of a link in them. `shapes` is JSON for the
    page's behaviours. `tag` differs whenever the changing part of the page may.
    """

    slug: str
    address: str
    name: str
    variant: str
    version: int
    tag: str
    query: str
    shapes: str
    icons: tuple[drawing.IconView, ...]
    news: News
    is_spoken: bool
    part: str = "games/play/_table.html"
    table: WaitingTable | None = None
    is_my_turn: bool = False


@dataclass(frozen=True, kw_only=True)
class PlayPage(GamePage):
    """A game that has started, as one viewer sees it. `data` is JSON: what the viewer's colours look up.

    `rules` is the place of its board on the page of rules, `facts` are what is special about this game. `near` is how
    many quarters clockwise bring the viewer's own start to the near side.
    """

    variant_label: str
    rules: str
    facts: tuple[str, ...]
    length: str
    board_label: str
    is_over: bool
    players: tuple[PlayerView, ...]
    board: drawing.BoardView
    turn: TurnView
    moves: tuple[MoveView, ...]
    trays: tuple[TrayView, ...]
    nobody_plays: tuple[str, ...]
    is_playing: bool
    is_seated: bool
    can_pass: bool
    can_claim: bool
    can_advise: bool
    conduct: ConductView | None
    confirms_placement: bool
    next_game: NextView | None
    rematch_slug: str
    results: tuple[ResultView, ...]
    scoring: ScoringView
    shared: tuple[SharedView, ...]
    near: int
    allows_hints: bool
    data: str
    spoken: SpokenView | None

    @property
    def colours(self) -> tuple[ColourView, ...]:
        """Return the colours of all seats, and those that belong to none."""
        seated = tuple(colour for player in self.players for colour in player.colours)
        return (*seated, *(shared.colour for shared in self.shared))

    @property
    def latest_first(self) -> tuple[MoveView, ...]:
        """Return the history from the last move to the first."""
        return self.moves[::-1]


def play_page(
    user: access.Viewer, slug: str, token: str = "", now: datetime | None = None, look: Look = AT_FIRST
) -> GamePage:
    """Return the page of a game for whoever may look at it: who waits at the table, or the play page.

    Raises:
        NotFound: there is no such game for this person.

    """
    return _page(access.game_to_view(user, slug, token), user, token, now or timezone.now(), look)


def changed_page(
    user: access.Viewer, slug: str, token: str, known: str, now: datetime | None = None, look: Look = AT_FIRST
) -> GamePage | None:
    """Return the page unless its tag is the one known already; two queries then.

    Raises:
        NotFound: there is no such game for this person.

    """
    game, now = access.game_to_view(user, slug, token), now or timezone.now()
    return None if _tag(game, user, now, look) == known else _page(game, user, token, now, look)


def _page(game: Game, user: access.Viewer, token: str, now: datetime, look: Look) -> GamePage:
    if game.status in (Status.OPEN, Status.CANCELLED):
        table = waiting_table(game, user, token)
        news = News(str(game.version))
        return GamePage(**_frame(game, user, token, now, look), name=table.title, table=table, news=news)
    return _started(game, user, token, now, look)


def _tag(game: Game, user: access.Viewer, now: datetime, look: Look) -> str:
    """Return a tag that differs whenever the changing part of the page may."""
    is_late, words = clock.is_past(game.deadline, now), f"{get_language()}.{traditions.current()}"
    return f'W/"{game.slug}.{game.version}.{user.pk or 0}.{words}.{is_late:d}{look.is_spoken:d}"'


def _frame(game: Game, user: access.Viewer, token: str, now: datetime, look: Look) -> dict[str, Any]:
    """Return the fields that a game has whether it has started or not."""
    return {
        "slug": game.slug,
        "address": reverse("game", args=[game.slug]),
        "variant": game.variant,
        "version": game.version,
        "tag": _tag(game, user, now, look),
        "is_spoken": look.is_spoken,
        "query": f"?token={token}" if access.holds_token(game, token) else "",
        "shapes": shapes_json(game.variant),
        "icons": tuple(drawing.icons(game.variant).values()),
    }


def _started(game: Game, user: access.Viewer, token: str, now: datetime, look: Look) -> PlayPage:
    moves = moves_of(game)
    position = positions.position_of(game, moves)
    me = access.seat_of(game, user)
    colours = _colours_in_hand(position, me)
    sights = {colour: Sight.of(position, colour) for colour in colours}
    is_my_turn = _is_turn_of(me, position)
    players = player_views(game, position, me)
    turn = turn_view(game, position, players, moves, now)
    lines = move_views(players, moves)
    events = Events(position, players, moves, game.deadline, now, game.version, game.is_paused)
    spoken = spoken_view(events, colours, me, look, allows_hints=game.allows_hints) if look.is_spoken else None
    return PlayPage(
        **_frame(game, user, token, now, look),
        **_about(game, position, user),
        **_rights(game, position, me, colours, turn),
        part="games/spoken/_game.html" if spoken else "games/play/_game.html",
        news=_news(game, events, is_my_turn, look, spoken),
        spoken=spoken,
        length=_length(position, len(moves)),
        board_label=board_label(position, lines),
        players=players,
        board=_board(position, sights if is_my_turn else {}),
        turn=turn,
        moves=lines,
        trays=trays(position, colours),
        conduct=conduct_view(game, user, look),
        results=results(players) if position.is_over else (),
        shared=shared_views(position, players),
        near=near_side(position, colours),
        data=script_json(position_data(position, sights)) if colours and not spoken else "",
    )


def _about(game: Game, position: Position, user: access.Viewer) -> dict[str, Any]:
    """Return the fields about the game and what its viewer may do next, wherever the viewer sits."""
    return {
        "name": names.game_title(game, user.pk),
        "variant_label": names.variant_name(game.variant),
        "rules": boards.board_key(game.variant),
        "facts": tuple(boards.table_facts(game.variant, position.scoring, allows_hints=game.allows_hints)),
        "allows_hints": game.allows_hints,
        "scoring": scoring_view(position.variant, position.scoring),
        "is_over": position.is_over,
        "nobody_plays": tuple(map(sentences.colour, _unplayed(position))),
        "confirms_placement": getattr(user, "confirms_placement", True),
        "next_game": _next_game(user, game),
        "rematch_slug": _rematch_slug(game),
    }


def _colours_in_hand(position: Position, me: Player | None) -> tuple[str, ...]:
    """Return the colours that I still play; none for whoever only looks, has retired, or plays no more."""
    return colours_of(position, me.seat) if me and not me.retired and not position.is_over else ()


def _is_turn_of(me: Player | None, position: Position) -> bool:
    return me is not None and position.seat == me.seat


def _rights(
    game: Game, position: Position, me: Player | None, colours: Sequence[str], turn: TurnView
) -> dict[str, Any]:
    """Return the fields about what the viewer may do in this game now."""
    is_my_turn = _is_turn_of(me, position)
    return {
        "is_my_turn": is_my_turn,
        "is_playing": bool(colours),
        "is_seated": me is not None,
        "can_pass": is_my_turn and not position.has_legal(),
        "can_claim": bool(colours) and not is_my_turn and turn.is_late,
        "can_advise": is_my_turn and game.allows_hints and position.has_legal(),
    }


def _unplayed(position: Position) -> list[str]:
    return [colour for colour in position.variant.colours if colour not in position.colours_in_play]


def _news(game: Game, events: Events, is_my_turn: bool, look: Look, spoken: SpokenView | None) -> News:
    """Return what is to be said aloud: what the asker wanted to hear, else what has happened meanwhile."""
    deadline = game.deadline.isoformat() if is_my_turn and game.deadline else ""
    if spoken and spoken.said:
        # As often as it is asked for, it is said.
        return News(events.now.isoformat(), spoken.said, deadline)
    # The answer to a move may come after an update that shows it already, and has more to say.
    return News(f"{game.version}{'a' if look.is_answer else ''}", events.since(look), deadline)


def _board(position: Position, sights: Mapping[str, Sight]) -> drawing.BoardView:
    """Return the picture, with the corners of the colour to play where the viewer plays it."""
    sight = sights.get(position.colour or "")
    return drawing.board_view(position, sight.colour, sight.attach) if sight else drawing.board_view(position)


def near_side(position: Position, colours: Sequence[str]) -> int:
    """Return by how many quarters clockwise the board is turned so that a start cell of these colours lies nearest.

    Boards where a colour may begin on any of several cells, and those of nobody's colours, stay as they are.
    """
    variant = position.variant
    cells = [variant.start_cells[colour] for colour in colours]
    if not cells or any(len(few) > 1 for few in cells):
        return 0
    starts = [variant.grid.points[few[0]] for few in cells]
    right, top = variant.width - 1, variant.height - 1
    away = {0: lambda x, y: y, 2: lambda x, y: top - y, 1: lambda x, y: right - x, 3: lambda x, y: x}
    turns = away if variant.grid.lattice == SQUARES else (0, 2)
    return min(turns, key=lambda turn: min(away[turn](x, y) for x, y in starts))


def _length(position: Position, moves: int) -> str:
    if position.is_over:
        return ngettext("%(n)d move", "%(n)d moves", moves) % {"n": moves}
    return gettext("move %(number)d") % {"number": moves + 1}


def board_label(position: Position, lines: Sequence[MoveView]) -> str:
    """Return what the picture of the board says to whoever does not see it."""
    size = gettext("Board, %(width)d by %(height)d.") % {
        "width": position.variant.width,
        "height": position.variant.height,
    }
    if not lines:
        return size
    last = lines[-1]
    return size + " " + gettext("Last move: %(who)s %(what)s.") % {"who": last.who, "what": last.what}


def _next_game(user: access.Viewer, game: Game) -> NextView | None:
    """Return my turns elsewhere, the nearest deadline first. One query."""
    if not isinstance(user, User):
        return None
    mine = Player.objects.filter(user=user, retired="", game__status=Status.RUNNING, game__turn_seat=F("seat"))
    turns = list(mine.exclude(game=game.pk).values_list("game__deadline", "game__turn_since", "game__slug")[:100])
    # Sorted here: the database would take longer to be asked than to answer.
    turns.sort(key=lambda turn: (turn[0] is None, turn[0] or turn[1], turn[1]))
    return NextView(len(turns), turns[0][2]) if turns else None


def _rematch_slug(game: Game) -> str:
    """Return the table made for a rematch; one query once the game is over."""
    if game.status != Status.FINISHED:
        return ""
    return Game.objects.filter(rematch_of=game).values_list("slug", flat=True).first() or ""
