"""The page of a game as one person sees it, ready for the templates: the table that waits, or the board.

What is true of the game comes from `games.queries.play.state`; here it is put into words and drawn.
"""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext

from accounts import traditions
from accounts.models import Placing
from games.base import access
from games.base.tags import is_known_tag
from games.base.talk import unread_by
from games.clock import DAY
from games.drawing import svg
from games.pages.analysis.explanation import WhyView, why_view
from games.pages.board.board_data import shapes_json
from games.pages.board.clocks import ClockView, clock_views
from games.pages.board.kindness import day_lines, holiday_lines
from games.pages.board.moves import MoveView, TurnView, fold_passes, move_views, turn_view
from games.pages.board.opened import OpenedView, opened_views
from games.pages.board.reactions import ReactingView, Reactions
from games.pages.board.table import ColourView, PlayerView, SharedView, player_views, shared_views
from games.pages.board.takebacks import TakenBackView, taken_back_views
from games.pages.board.trays import TrayView, trays
from games.pages.board.view_request import ViewRequest
from games.pages.play.absence import AbsenceView, absence_view
from games.pages.play.board import PlayBoard, play_board
from games.pages.play.controls import ControlsView, controls_view
from games.pages.play.ending import EndView, end_view
from games.pages.play.given import GivenView, given_view
from games.pages.play.handing import HandingView, handing_view
from games.pages.play.pause import PauseView, pause_view
from games.pages.play.planned import PlannedView, planned_view
from games.pages.play.recent import RecentView, recent_view
from games.pages.play.results import ResultsView, results_view
from games.pages.play.strip import StripColour, StripSeat, bot_settings, strip_colours, strip_seats
from games.pages.play.takeback import TakebackView, takeback_view
from games.pages.spoken.news import Narrator, News, news
from games.pages.spoken.page import LISTED_MOVES, SpokenView, spoken_view
from games.pages.waiting.invitation import WaitingTable, waiting_table
from games.queries.notices.channels import ChannelAsked, channel_asked
from games.queries.people.put_away import LEFT_ALONE
from games.queries.people.ratings import ratings_beside
from games.queries.play.forecast import forecast
from games.queries.play.plans import edition_of, plan_mark
from games.queries.play.players import SeatState, seats_here
from games.queries.play.since import moves_since
from games.queries.play.state import (
    RUNS,
    GameState,
    Rights,
    game_state,
    review_mark,
    state_after,
    state_for,
    time_mark,
)
from games.queries.play.takebacks import alone_until
from games.queries.tables.table import GameDetails, TableState
from games.ratings.families import rating_family
from games.table.lifecycle import Outcome
from games.words import boards, clocks, moments, names, sentences
from games.words.moments import When
from games.words.ratings import rating_text

#: Of how many moves, the latest, the list shows the pieces: two rounds of four. With further ones the page of a long
#: game would have more elements than it may.
PICTURED = 8

#: The part of the page while a device is handed on.
HANDING = "games/play/_handing.html"
#: The part that changes: by its picture, and in words.
PARTS = ("games/play/_game.html", "games/spoken/_game.html")

#: Who is not logged in.
NOBODY = AnonymousUser()

#: A page that is new to the browser that asks for it.
AT_FIRST = ViewRequest()


@dataclass(frozen=True, kw_only=True)
class GamePage:
    """What the page of any game needs, started or not. `part` is the template of what changes.

    All addresses of the game begin with `address`; `query` keeps the token of a link in them. `news` is what is said
    aloud of a change. `tag` differs whenever the changing part of the page may. `channel` is one to which the viewer
    has yet to agree. `unread` counts what others have said at the table, None for a viewer who does not talk there.
    `hears_watchers` says that the viewer may read what is said among those who watch.
    """

    game: GameDetails
    name: str
    address: str
    query: str
    tag: str
    news: News
    part: str
    is_spoken: bool
    channel: ChannelAsked | None
    unread: int | None
    hears_watchers: bool = False

    @property
    def slug(self) -> str:
        """Return what the game is called in addresses."""
        return self.game.slug

    @property
    def version(self) -> int:
        """Return the version of the game that the page shows."""
        return self.game.version

    @property
    def number(self) -> int:
        """Return the number of the move that is due."""
        return self.game.number

    @property
    def shapes(self) -> str:
        """Return the geometry of the variant as JSON for the page's behaviours."""
        return shapes_json(self.game.variant)

    @property
    def icons(self) -> tuple[svg.IconView, ...]:
        """Return the pieces of the variant as small pictures."""
        return tuple(svg.icons(self.game.variant).values())


@dataclass(frozen=True, kw_only=True)
class TablePage(GamePage):
    """A game that has not started: the table that waits for players."""

    table: WaitingTable

    @property
    def has_dialogs(self) -> bool:
        """Whether the page comes with the dialogs of the board: the game may begin on it, and no update brings them."""
        return self.table.rights.is_seated and not self.is_spoken


@dataclass(frozen=True)
class GameInfo:
    """What is played, in words: the variant, what is special about this game, and how far it is.

    `variant` is its `board` with how many `play`. `rules` is the place of its board on the page of rules.
    """

    variant: str
    board: str
    play: str
    rules: str
    facts: tuple[str, ...]
    length: str


@dataclass(frozen=True)
class MenuView:
    """What the menu of a game is drawn from; it stays the same over many moves, so that the menu is drawn once."""

    address: str
    query: str
    rules: str
    facts: tuple[str, ...]
    is_seated: bool
    is_playing: bool
    can_advise: bool
    can_pause: bool
    can_take_back: bool
    can_analyse: bool
    can_plan: bool
    gives_day: bool
    is_with_people: bool
    can_post: bool


@dataclass(frozen=True, kw_only=True)
class PlayPage(GamePage):
    """A game that has started, as one viewer sees it.

    `unused` are the names of the colours that no seat plays, `opened` the openings that colours have followed. `began`
    and `ended` say when the game did, `ends` in a sentence when it probably will. `recent` is what happened since the
    viewer's last turn, None where that is nothing. `seats` and `lent` are the players and the shared colours with what
    they still hold; `offers_notices` is for a player who waits for the first time. `handing` is there while a device is
    handed on. `absence` says what became of a player who left or has not moved in time. `turn` is there while the game
    runs, `end` and `results` once it is over, `controls` for a viewer who may use them; `pause`, `takeback` and
    `planned` are empty without one; `taken_back` says which moves were, `days` who gave whom a day, `holidays` when
    players were or will be away, `reacting` what is said of the last placement by marks. Where words are asked for
    instead of pictures, `spoken` takes the place of the board and the trays. `why` leads to what the bots say of their
    moves.
    """

    state: GameState
    info: GameInfo
    players: tuple[PlayerView, ...]
    shared: tuple[SharedView, ...]
    unused: tuple[str, ...]
    turn: TurnView | None
    moves: tuple[MoveView, ...]
    opened: tuple[OpenedView, ...]
    began: When | None
    ended: When | None
    ends: str
    recent: RecentView | None
    board: PlayBoard | None
    trays: tuple[TrayView, ...]
    end: EndView | None
    seats: tuple[StripSeat, ...]
    lent: tuple[StripColour, ...]
    absence: AbsenceView | None
    results: ResultsView | None
    controls: ControlsView | None
    pause: PauseView
    given: GivenView
    takeback: TakebackView
    planned: PlannedView
    taken_back: tuple[TakenBackView, ...]
    days: tuple[str, ...]
    holidays: tuple[str, ...]
    reacting: ReactingView | None
    spoken: SpokenView | None
    why: WhyView | None
    placing: str
    offers_notices: bool
    handing: HandingView | None

    @property
    def clocks(self) -> tuple[ClockView, ...]:
        """Return the clocks that players still have."""
        return tuple(filter(None, clock_views(self.state, self.players)))

    @property
    def settings_by_bot(self) -> tuple[tuple[str, str], ...]:
        """Return the bots' names and what was chosen for each, as far as that is told."""
        seats = zip(self.players, self.state.seats, strict=True)
        return tuple((player.name, told) for player, seat in seats if (told := bot_settings(seat)))

    @property
    def rights(self) -> Rights:
        """Return what the viewer may do."""
        return self.state.rights

    @property
    def has_dialogs(self) -> bool:
        """Whether the page comes with the dialogs of the board."""
        return self.rights.is_playing and not self.is_spoken

    @property
    def has_no_hand(self) -> bool:
        """Whether the viewer has no buttons for a piece in hand: the game is over for them, or they are to pass."""
        return self.state.is_over or self.rights.can_pass or not self.rights.is_playing

    @property
    def is_left_alone(self) -> bool:
        """Whether the viewer may find this game put away: their turn began long ago, and only bots wait for it."""
        turn, is_alone = self.state.turn, all(map(_waits_for_no_one, self.state.seats))
        if turn is None or turn.since is None or not (self.rights.is_my_turn and is_alone):
            return False
        return not self.game.is_public and turn.deadline is None and turn.since < self.state.now - LEFT_ALONE

    @property
    def menu(self) -> MenuView:
        """Return what the menu is drawn from."""
        info, rights = self.info, self.rights
        return MenuView(
            address=self.address,
            query=self.query,
            rules=info.rules,
            facts=info.facts,
            is_seated=rights.is_seated and not self.game.is_on_one_device,
            is_playing=rights.is_playing,
            can_advise=rights.can_advise,
            can_pause=self.state.pause.can_ask and not self.game.is_on_one_device,
            can_take_back=self.state.takeback.can_ask,
            can_analyse=(rights.is_seated and not self.game.is_on_one_device) or self.state.is_over,
            can_plan=self.planned.can_plan,
            gives_day=bool(self.given.to),
            is_with_people=self._is_with_people,
            can_post=rights.is_playing and self._is_with_people and not self.state.game.is_sheltered,
        )

    @property
    def _is_with_people(self) -> bool:
        return _people(self.state) > 1 and not self.game.is_on_one_device

    @property
    def colours(self) -> tuple[ColourView, ...]:
        """Return the colours of all seats, then the shared ones."""
        seated = tuple(colour for player in self.players for colour in player.colours)
        return (*seated, *(shared.colour for shared in self.shared))

    @property
    def told_last(self) -> tuple[tuple[str, When | None, MoveView], ...]:
        """Return the last moves in words, the latest first, each with its moment and its line of the history."""
        last = self.spoken.last if self.spoken else ()
        return tuple((words, when, line) for (words, when), line in zip(last, self.moves[::-1], strict=False))

    @property
    def latest_first(self) -> tuple[MoveView, ...]:
        """Return the history from the last move to the first, the passes that make themselves in one line each."""
        return fold_passes(self.moves)[::-1]


def play_page(
    user: access.Viewer, slug: str, token: str = "", now: datetime | None = None, view_request: ViewRequest = AT_FIRST
) -> GamePage:
    """Return the page of a game for a person who may see it; its queries are those of `game_state`.

    Raises:
        NotFound: there is no such game for this person.

    """
    return _page(game_state(user, slug, token, now), user, token, view_request)


def played_page(outcome: Outcome, user: access.Viewer, token: str, view_request: ViewRequest) -> GamePage | None:
    """Return the page of a game just after a move of this person's; its queries are those of `state_after`.

    None where the game may have moved on since.
    """
    if outcome.position is None:
        return None
    return _page(state_after(outcome.game, outcome.moves, outcome.position, user, token), user, token, view_request)


def changed_page(
    user: access.Viewer,
    slug: str,
    token: str,
    known: str,
    now: datetime | None = None,
    view_request: ViewRequest = AT_FIRST,
) -> GamePage | str:
    """Return the page, or its tag alone where `known` names it; two queries then, and a third once the game is over.

    `known` is what If-None-Match says.

    Raises:
        NotFound: there is no such game for this person.

    """
    game, now = access.game_to_view(user, slug, token), now or timezone.now()
    mark = time_mark(game, now) + review_mark(game) + plan_mark(edition_of(game, user))
    mark += _here_mark(seats_here(game, user, now)) + _alone_mark(alone_until(game, user.pk, now))
    unread = unread_by(game, user)
    tag = _tag(game.slug, game.version, user, view_request, mark, unread)
    if is_known_tag(known, tag):
        return tag
    return _page(state_for(game, user, token, now), user, token, view_request)


def tag_for_everybody(slug: str, view_request: ViewRequest, now: datetime | None = None) -> str | None:
    """Return the tag of the changing part as everybody sees it who is not logged in; None where not everybody may.

    One query, and another one where a clock runs or the game is over.
    """
    game, now = access.game_of_everybody(slug), now or timezone.now()
    if game is None:
        return None
    return _tag(game.slug, game.version, NOBODY, view_request, time_mark(game, now) + review_mark(game))


def _tag(
    slug: str, version: int, user: access.Viewer, view_request: ViewRequest, time: str, unread: int | None = None
) -> str:
    """Return a tag that differs whenever the changing part of the page may."""
    words = f"{get_language()}.{traditions.current()}.{timezone.get_current_timezone_name()}"
    asked = f"{view_request.is_spoken:d}{view_request.may_offer:d}{getattr(user, 'shows_ratings', False):d}"
    asked += f".{view_request.hand}" if view_request.hand else ""
    return f'W/"{slug}.{version}.{user.pk or 0}.{words}.{time}.{asked}.{unread or 0}"'


def _here_mark(here: tuple[int, ...]) -> str:
    """Return what stands in the tag for the seats of people who look at the game, empty without any."""
    return "".join(f"@{seat}" for seat in here)


def _alone_mark(until: datetime | None) -> str:
    """Return what stands in the tag while the viewer may take a move back without asking anyone, else nothing."""
    return "" if until is None else "alone"


def _page(state: GameState | TableState, user: access.Viewer, token: str, view_request: ViewRequest) -> GamePage:
    query = f"?token={token}" if token and token == state.token else ""
    if isinstance(state, TableState):
        return _waiting(state, user, query, view_request)
    return _started(state, user, query, view_request)


def _waiting(state: TableState, user: access.Viewer, query: str, view_request: ViewRequest) -> TablePage:
    game, table = state.game, waiting_table(state, user)
    return TablePage(
        game=game,
        name=table.title,
        address=reverse("game", args=[game.slug]),
        query=query,
        tag=_tag(game.slug, game.version, user, view_request, RUNS, state.unread),
        news=News(str(game.version)),
        part="games/play/_table.html",
        is_spoken=view_request.is_spoken,
        channel=_channel(game, user, is_member=state.rights.is_seated or state.rights.is_host),
        unread=state.unread,
        table=table,
    )


def _earlier_days(state: GameState, players: tuple[PlayerView, ...]) -> tuple[str, ...]:
    """Return who gave whom a day, without the days of the turn that is due: they stand beside its clock."""
    due = state.turn.days if state.turn else ()
    return day_lines([one for one in state.game.days if one not in due], players)


def _started(state: GameState, user: access.Viewer, query: str, view_request: ViewRequest) -> PlayPage:
    game = state.game
    players = player_views(state.seats, state.colours, state.hand)
    since = moves_since(state)
    address = reverse("game", args=[game.slug])
    replay = f"{address}replay/{query}{'&' if query else '?'}move="
    lines = move_views(
        players,
        state.moves,
        since,
        started_at=game.started_at,
        now=state.now,
        pauses=game.pauses,
        days=game.days,
        holidays=game.holidays,
        replay=replay,
        pictured=PICTURED,
    )
    reactions = Reactions(game.slug, players, state.moves, state.reactions, state.may_react)
    shared = shared_views(state, players)
    narrator = Narrator(state, players)
    spoken = spoken_view(narrator, view_request) if view_request.is_spoken else None
    ends = _ends(state)
    handing = handing_view(state, view_request)
    return PlayPage(
        game=game,
        name=state.game.name or names.short_names_of(seat.occupant for seat in state.seats if not seat.is_viewer),
        address=address,
        query=query,
        tag=_tag(game.slug, game.version, user, view_request, _mark(state), state.unread),
        # What is said aloud tells no more than what is shown.
        news=News(f"{game.version}h", handing.announcement) if handing else _news(narrator, view_request, spoken),
        part=HANDING if handing else PARTS[spoken is not None],
        is_spoken=view_request.is_spoken,
        channel=_channel(game, user, is_member=any(seat.is_viewer for seat in state.seats)),
        unread=state.unread,
        hears_watchers=state.hears_watchers,
        state=state,
        info=_info(state, user, ends),
        players=players,
        shared=shared,
        unused=tuple(map(sentences.colour, state.unused)),
        turn=turn_view(state, players, since),
        moves=reactions.beside(lines, LISTED_MOVES if spoken else 1),
        opened=opened_views(state.position),
        began=moments.when(game.started_at, state.now),
        ended=moments.when(game.finished_at, state.now),
        ends=ends,
        recent=recent_view(since, lines, f"{address}away/{query}", state),
        board=None if spoken else play_board(state, lines, since),
        trays=() if spoken else trays(state.position, state.hand),
        end=end_view(state, players, lines, user),
        seats=() if spoken else strip_seats(state, players),
        lent=() if spoken else strip_colours(state, shared),
        absence=absence_view(state, players),
        results=results_view(state, players),
        controls=controls_view(state, view_request),
        pause=pause_view(state, players, view_request),
        given=given_view(state, players),
        takeback=takeback_view(state, players, view_request),
        planned=planned_view(state),
        taken_back=taken_back_views(state.taken_back, players, replay, state.now),
        days=_earlier_days(state, players),
        holidays=holiday_lines(state.known_holidays, players),
        reacting=reactions.at(),
        spoken=spoken,
        why=why_view(state, address, query),
        offers_notices=view_request.may_offer and is_worth_notices(state),
        placing=getattr(user, "placing", Placing.CONFIRM),
        handing=handing,
    )


def _news(narrator: Narrator, view_request: ViewRequest, spoken: SpokenView | None) -> News:
    return news(narrator, view_request, spoken.said if spoken else "")


def _mark(state: GameState) -> str:
    """Return what the tag says beside the game's version: of the clock or the review, and of the viewer's plan."""
    of_time = state.turn.mark if state.turn else RUNS + state.reviewing.mark
    of_plan = plan_mark(state.plan.edition if state.plan else 0)
    return of_time + of_plan + _here_mark(state.here) + _alone_mark(state.takeback.alone_until)


def _channel(game: GameDetails, user: access.Viewer, *, is_member: bool) -> ChannelAsked | None:
    """Return the channel to which someone at the table has yet to agree (no query where none is set)."""
    return channel_asked(user.pk, game.slug) if game.is_posted and is_member else None


def is_worth_notices(state: GameState) -> bool:
    """Return whether the viewer has moved, now waits for people, and has days for each move or as long as they like."""
    rights, me = state.rights, next((seat.seat for seat in state.seats if seat.is_viewer), None)
    if not rights.is_playing or rights.is_my_turn or (state.game.time.initial or DAY) < DAY:
        return False
    if state.game.is_on_one_device:
        return False
    has_moved = any(move.seat == me and not (move.is_automatic or move.is_given) for move in state.moves)
    return has_moved and any(not seat.is_viewer and not seat.occupant.bot for seat in state.seats)


def _info(state: GameState, user: access.Viewer, ends: str) -> GameInfo:
    game = state.game
    return GameInfo(
        variant=names.variant_name(game.variant),
        board=names.variant_board(game.variant),
        play=boards.players(len(state.seats)),
        rules=boards.board_key(game.variant),
        facts=(
            *boards.table_facts(game.variant, game.scoring, *_terms(state)),
            *filter(None, [clocks.time_fact(game.time), ends, _ratings(state, user)]),
        ),
        length=_length(state),
    )


def _ratings(state: GameState, user: access.Viewer) -> str:
    """Return how strong the people at the table are, for a player who wants to read it. One query for those."""
    if not any(seat.is_viewer for seat in state.seats):
        return ""
    people = [seat.occupant for seat in state.seats if seat.occupant.account]
    found = ratings_beside(user, (each.account for each in people), rating_family(state.game.variant))
    rated = [
        gettext("%(name)s %(rating)s") % {"name": names.person_name(each), "rating": rating_text(*found[each.account])}
        for each in people
        if each.account in found
    ]
    return gettext("Ratings: %(listed)s.") % {"listed": sentences.listed(rated)} if rated else ""


def _terms(state: GameState) -> tuple[str, ...]:
    people = _people(state)
    terms = boards.terms_facts(state.game, people, len(state.seats) - people)
    return boards.given_fact(state.game.given_moves), *terms


def _people(state: GameState) -> int:
    return sum(not seat.occupant.bot for seat in state.seats)


def _ends(state: GameState) -> str:
    """Return in a sentence when the game will probably end, empty where that is not known."""
    found = forecast(state)
    return moments.ends_line(found.first, found.last) if found else ""


def _waits_for_no_one(seat: SeatState) -> bool:
    """Return whether nobody else waits in this seat: its player looks on, or shares the device, or it is a bot's."""
    return seat.is_viewer or bool(seat.occupant.bot or seat.occupant.device_number)


def _length(state: GameState) -> str:
    if state.is_over:
        moves = len(state.moves)
        return ngettext("%(n)d move", "%(n)d moves", moves) % {"n": moves}
    return gettext("move %(number)d") % {"number": len(state.moves) + 1}
