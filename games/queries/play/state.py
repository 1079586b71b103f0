"""A started game as one viewer sees it, as plain data: no sentence, no picture, and no address of a page.

Pages, the game in words and other programs say the same of a game because they say this. All but the `position` is
made of numbers, texts, moments and tuples of them, so that it can be written as JSON.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from django.db.models import BigIntegerField, Case, Count, FilteredRelation, OuterRef, Q, Subquery, When
from django.utils import timezone

from accounts.database.prepared import Prepared
from accounts.models import User
from games import clock
from games.base import access, positions
from games.base.plans import PLAN_KEY
from games.base.talk import has_watchers_talk, may_react, unread_by
from games.findings import Finding
from games.models import Game, Kind, Move, Player, Review, ReviewStatus, Status
from games.queries.people.put_away import LEFT_ALONE, put_away
from games.queries.people.ratings import RATED_COLUMNS, RatedState, counts_later, rated_state
from games.queries.play.moves import MoveRow, move_rows, rows_of
from games.queries.play.pace import usual_seconds
from games.queries.play.plans import PlanState, plan_state
from games.queries.play.players import (
    ColourState,
    SeatState,
    colour_states,
    colours_to_place,
    seat_states,
    seated_of,
    seats_here,
)
from games.queries.play.takebacks import TakebackState, TakenBack, takeback_state, taken_back
from games.queries.tables.days import why_no_day
from games.queries.tables.pauses import PauseState, pause_state
from games.queries.tables.table import GameDetails, TableState, details_of, table_state
from games.queries.tables.turns import rest_now
from games.queries.talk.reactions import ReactionState, reactions_of
from games.rules import Position
from games.values import GivenDay, HolidayFact

#: What `time_mark` says of a clock: it runs or there is none, it stands still, its time is up.
RUNS, STILL, LATE = "runs", "still", "late"


@dataclass(frozen=True, kw_only=True)
class TurnState:
    """The turn that is due. `seat` plays `colour` since `since`; past the `deadline`, if any, it is late.

    `is_blocked` says that nothing fits, so that a pass has to be declared. `passed` are the colours that passed since
    the last placement, the latest last, and `left` the seats that have left the game since. `bot` is the stored name of
    the bot that thinks, for itself or for a player who is away, empty for people and while the bots are paused; `usual`
    is how many seconds it usually takes, 0 where that is less than one or unknown. `seconds` are those that the clock
    has still to run, in a pause those that it has afterwards, None where none runs, and `stills` are the spans before
    the deadline in which it stands still; `still_until` is when it runs again if it stands still now, `is_weekend` that
    it does so for the weekend, `is_holiday` that its player is on holiday. `days` are those that others have given for
    this turn.
    """

    seat: int
    colour: str
    since: datetime | None
    deadline: datetime | None
    is_late: bool
    is_blocked: bool
    passed: tuple[str, ...]
    left: tuple[int, ...]
    bot: str
    usual: int
    seconds: int | None = None
    stills: tuple[clock.Still, ...] = ()
    still_until: datetime | None = None
    is_weekend: bool = False
    is_holiday: bool = False
    days: tuple[GivenDay, ...] = ()

    @property
    def mark(self) -> str:
        """Return the same as `time_mark`."""
        return LATE if self.is_late else STILL if self.still_until else RUNS


@dataclass(frozen=True, kw_only=True)
class Rights:
    """What the viewer is in this game and may do in it now.

    In a pause it is no one's turn. Players play on until they retire or the game is over. `can_return` is to play again
    after a bot has taken one's turns, `can_give_day` to give the player to move one, `can_advise` to ask for hints,
    `can_control` to pause, resume and step a game of bots. A pause of people has its own rights (`GameState.pause`).
    """

    is_seated: bool
    is_playing: bool
    is_my_turn: bool
    can_place: bool
    can_pass: bool
    can_return: bool
    can_resign: bool
    can_advise: bool
    can_control: bool
    can_rematch: bool
    can_give_day: bool


@dataclass(frozen=True)
class Handing:
    """At one device: the seat of the person who plays next there, and the number of their turn from then on.

    Whoever has taken the device for that number keeps it until another of those there has moved.
    """

    seat: int
    number: int


@dataclass(frozen=True)
class NextTurn:
    """The viewer's turns in other games: how many there are, and the one that comes next.

    That is the one with the nearest deadline; while it is the viewer's turn here too, the one that follows this game.
    """

    count: int
    slug: str


@dataclass(frozen=True)
class Reviewing:
    """How far the review of a game has come: `state` is "none" or one of `ReviewStatus`, `done` of `total` are judged.

    There are positions to judge only where a piece was placed.
    """

    state: str = "none"
    done: int = 0
    total: int = 0

    @property
    def mark(self) -> str:
        """Return the same as `review_mark`."""
        return f"{self.state}{self.done}"


@dataclass(frozen=True, kw_only=True)
class GameState:
    """A started game for one viewer at the moment `now`.

    `colours` are in the order of play, `unused` those of the variant that no seat plays. `here` are the seats of people
    who look at the game now, as far as the viewer may know. `hand` are the colours that the viewer still plays, a
    shared one among them while it is theirs to place. `turn` is None once the game is over. `token` is the secret of
    the invitation link if the viewer came with it. `rematch` is the slug of the table that follows the game, `findings`
    what a complete review of it has found, `reviewing` how far a review has come. `unread` counts what others have said
    at the table since the viewer last read it; None for a viewer who does not talk there. `hears_watchers` says that
    the viewer may read what is said among those who watch. `reactions` are the marks on placements that the viewer is
    shown, and `may_react` says that they may give some. `rated` is what the game did to the rating of a viewer who
    played in it, and `is_rated_later` says that for them it counts against more people since, or only since then, as
    with a guest who has claimed an account. `plan` is what the viewer has planned, None for those who only look;
    `planned` is how many of its turns each seat had planned, told once the game is over. `handing` says who plays next
    at a table on one device.
    """

    now: datetime
    game: GameDetails
    token: str
    seats: tuple[SeatState, ...]
    colours: tuple[ColourState, ...]
    here: tuple[int, ...]
    unused: tuple[str, ...]
    hand: tuple[str, ...]
    moves: tuple[MoveRow, ...]
    turn: TurnState | None
    rights: Rights
    rematch: str
    findings: tuple[Finding, ...]
    reviewing: Reviewing
    next_turn: NextTurn | None
    pause: PauseState
    takeback: TakebackState
    taken_back: tuple[TakenBack, ...]
    unread: int | None
    hears_watchers: bool
    reactions: tuple[ReactionState, ...]
    may_react: bool
    rated: RatedState | None
    is_rated_later: bool
    plan: PlanState | None
    planned: tuple[int, ...]
    handing: Handing | None
    position: Position

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.turn is None

    @property
    def known_holidays(self) -> tuple[HolidayFact, ...]:
        """Return the holidays of which the viewer may know: those who do not sit here are told once they have begun."""
        is_told = any(seat.is_viewer for seat in self.seats)
        return tuple(each for each in self.game.holidays if is_told or each.begins_at <= self.now)

    @property
    def has_clocks(self) -> bool:
        """Return whether time can run out: it is limited, and two people or more still play."""
        people = sum(not seat.occupant.bot and not seat.retired for seat in self.seats)
        return not self.is_over and self.game.time.runs_among(people)

    @property
    def thinking_seat(self) -> int | None:
        """Return the seat whose bot thinks, from the moment at which its turn begins; None where none does."""
        return self.turn.seat if self.turn and self.turn.bot else None


def game_state(user: access.Viewer, slug: str, token: str = "", now: datetime | None = None) -> GameState | TableState:
    """Return the game as this person sees it, before its start the table.

    Four queries whatever the length of the game (the game, its players, its moves, the viewer's other turns), one
    more once it is over, one where moves were taken back, and one where players have reacted to any. A table costs
    three.

    Raises:
        NotFound: there is no such game for this person.

    """
    return state_for(access.game_to_view(user, slug, token), user, token, now)


def state_for(game: Game, user: access.Viewer, token: str = "", now: datetime | None = None) -> GameState | TableState:
    """Return a loaded game as `game_state` does (needs the players fetched with their users)."""
    if game.status in (Status.OPEN, Status.CANCELLED):
        return table_state(game, user, token)
    moves = move_rows(game)
    return _started(game, moves, positions.position_of(game, moves), user, token, now or timezone.now())


def state_after(game: Game, moves: Sequence[Move], position: Position, user: access.Viewer, token: str) -> GameState:
    """Return a game as `game_state` does just after one of these moves, which have led to this position.

    Nothing is read again that the move has read. Two queries, one more once the game is over.
    """
    access.load_names(game)
    return _started(game, rows_of(game, moves), position, user, token, timezone.now())


def _started(
    game: Game, moves: Sequence[MoveRow], position: Position, user: access.Viewer, token: str, now: datetime
) -> GameState:
    # Once a game on one device is over, all who played look at it.
    me = None if game.is_on_one_device and position.is_over else access.seat_of(game, user)
    colours = colour_states(position)
    hand = colours_to_place(position, me.seat) if me and not me.retired and not position.is_over else ()
    turn = _turn(game, position, moves, now)
    rematch, findings, reviewing, (rated, is_rated_later), planned = _since_the_end(game, me)
    return GameState(
        now=now,
        game=details_of(game),
        token=token if access.holds_token(game, token) else "",
        seats=seat_states(position, seated_of(game), colours, me.seat if me else None),
        colours=colours,
        here=seats_here(game, user, now),
        unused=tuple(colour for colour in position.variant.colours if colour not in position.colours_in_play),
        hand=hand,
        moves=tuple(moves),
        turn=turn,
        rights=_rights(game, user, me, turn, now, is_playing=bool(hand)),
        rematch=rematch,
        findings=findings,
        reviewing=reviewing,
        next_turn=_next_turn(user, game, now),
        pause=pause_state(game, me),
        takeback=takeback_state(game, me, moves, now),
        taken_back=taken_back(game),
        unread=unread_by(game, user),
        hears_watchers=has_watchers_talk(game, user),
        reactions=reactions_of(game, user),
        may_react=may_react(game, user, now),
        rated=rated,
        is_rated_later=is_rated_later,
        # What one player plans is not for the next to see.
        plan=None if game.is_on_one_device else plan_state(game, me, position, moves),
        planned=planned,
        handing=handing_of(game, moves) if me is not None else None,
        position=position,
    )


def handing_of(game: Game, moves: Sequence[MoveRow]) -> Handing | None:
    """Return who plays next at one device; None at other tables, and once the game is over. No query."""
    player = access.seat_at_device(game)
    if player is None:
        return None
    people = {each.seat for each in game.players.all() if not each.bot} - {player.seat}
    own = (move.number for move in reversed(moves) if move.seat in people and not move.is_automatic)
    return Handing(player.seat, 1 + next(own, 0) + game.spent_numbers)


def _turn(game: Game, position: Position, moves: Sequence[MoveRow], now: datetime) -> TurnState | None:
    if position.seat is None or position.colour is None:
        return None
    player = next(player for player in game.players.all() if player.seat == position.seat)
    bot = "" if game.is_paused else game.absent_bot if player.is_away else player.bot
    seconds, stills, still_until, is_weekend = _time_left(game, now)
    return TurnState(
        seat=position.seat,
        colour=position.colour,
        since=game.turn_since,
        deadline=game.deadline,
        is_late=clock.is_past(game.deadline, now),
        is_blocked=not position.has_legal(),
        passed=tuple(move.colour for move in _since_placement(moves) if move.kind == Kind.PASS),
        left=tuple(move.seat for move in _since_placement(moves) if move.kind == Kind.RETIRE),
        bot=bot,
        usual=usual_seconds(bot, position.seat, moves) if bot else 0,
        seconds=seconds,
        stills=stills,
        still_until=still_until,
        is_weekend=is_weekend,
        is_holiday=any(begins <= now < ends for begins, ends in player.holiday_spans),
        days=game.days_now,
    )


def _time_left(game: Game, now: datetime) -> tuple[int | None, tuple[clock.Still, ...], datetime | None, bool]:
    """Return the seconds that run until the deadline, and what stops them: when, until when now, for a weekend."""
    ends, rest = game.deadline, rest_now(game)
    if ends is None:
        return _time_in_pause(game, rest, now), (), None, False
    seconds = max(0, int(clock.running_time(now, ends, rest).total_seconds()))
    still_until = None if clock.is_past(ends, now) else clock.still_until(rest, now)
    is_weekend = (
        still_until is not None and clock.still_until(replace(rest, ends=rest.begins, pauses=()), now) is not None
    )
    return seconds, clock.stills_between(rest, now, ends), still_until, is_weekend


def _time_in_pause(game: Game, rest: clock.Rest, now: datetime) -> int | None:
    """Return the seconds that are left for the turn after the pause, None where no clock runs then."""
    if game.paused_since is None or game.turn_since is None:
        return None
    player = next(player for player in game.players.all() if player.seat == game.turn_seat)
    people = sum(not each.bot and not each.retired for each in game.players.all())
    if player.clock is None or player.is_away or people < 2:
        return None
    held = player.clock + len(game.days_now) * clock.DAY
    return max(0, held - int(clock.running_time(game.turn_since, now, rest).total_seconds()))


def time_mark(game: Game, now: datetime) -> str:
    """Return what differs between two moments at which pages say other things of the same clock.

    Needs the players fetched.
    """
    if game.deadline is None:
        return RUNS
    if clock.is_past(game.deadline, now):
        return LATE
    return STILL if clock.still_until(rest_now(game), now) else RUNS


def _since_placement(moves: Sequence[MoveRow]) -> list[MoveRow]:
    """Return the moves after the last placement, the latest last."""
    found = list(takewhile(lambda move: move.kind != Kind.PLACE, reversed(moves)))
    return found[::-1]


def _rights(
    game: Game, user: access.Viewer, me: Player | None, turn: TurnState | None, now: datetime, *, is_playing: bool
) -> Rights:
    is_my_turn = turn is not None and me is not None and turn.seat == me.seat and not game.is_paused
    can_place = is_my_turn and turn is not None and not turn.is_blocked
    return Rights(
        is_seated=me is not None,
        is_playing=is_playing,
        is_my_turn=is_my_turn,
        can_place=can_place,
        can_pass=is_my_turn and not can_place,
        can_return=is_playing and me is not None and me.is_away,
        can_resign=is_playing,
        can_advise=can_place and game.is_advised,
        can_control=turn is not None and access.can_control(user, game),
        can_rematch=turn is None and (me is not None or game.creator_id == user.pk),
        can_give_day=is_playing and me is not None and not why_no_day(game, me, user, now),
    )


_TURNS_ELSEWHERE = Prepared(
    lambda user, game: (
        Game.objects.filter(turn_user=user)
        .exclude(pk=game)
        .values_list("deadline", "turn_since", "slug", "is_public")[:100]
    ),
    user=BigIntegerField(),
    game=BigIntegerField(),
)


def _next_turn(user: access.Viewer, game: Game, now: datetime) -> NextTurn | None:
    """Return the viewer's turns elsewhere. One query, and one more where there may be games that are put away."""
    if not isinstance(user, User):
        return None
    turns = _TURNS_ELSEWHERE.ask(user=user.pk, game=game.pk)
    # Looked at here: the database would take longer to be asked than to answer.
    old = now - LEFT_ALONE
    if any(since and since < old and not (deadline or is_public) for deadline, since, _, is_public in turns):
        away = set(put_away(user, now).values_list("slug", flat=True))
        turns = [turn for turn in turns if turn[2] not in away]
    waiting = sorted(_by_deadline(deadline, since, slug) for deadline, since, slug, _ in turns)
    if not waiting:
        return None
    here = _by_deadline(game.deadline, game.turn_since, game.slug) if game.turn_user_id == user.pk else ()
    return NextTurn(len(waiting), next((turn for turn in waiting if turn > here), waiting[0])[-1])


def _by_deadline(deadline: datetime | None, since: datetime | None, slug: str) -> tuple[bool, datetime | None, str]:
    """Return what sorts turns by their deadlines; those without one come last, the longest due first."""
    return deadline is None, deadline or since, slug


def _since_the_end(
    game: Game, me: Player | None
) -> tuple[str, tuple[Finding, ...], Reviewing, tuple[RatedState | None, bool], tuple[int, ...]]:
    """Return the slug of the table made for a rematch, the findings of a review, how far one has come, what the game
    did to the rating and whether it has come to count later, and how many turns each seat had planned.

    One query once the game is over. They are empty where there is none; a review under way has no findings yet.
    """
    if game.status != Status.FINISHED:
        return "", (), Reviewing(), (None, False), ()
    is_reviewed = Q(review__status=ReviewStatus.DONE)
    found = Game.objects.annotate(found=Case(When(is_reviewed, then="review__findings")))
    found = found.annotate(mine=FilteredRelation("players", condition=Q(players__seat=me.seat if me else None)))
    columns = ("rematch__slug", "found", "review__status", "review__done", "review__total", "is_later")
    seats = range(len(game.players.all()))
    counts = {f"planned_{seat}": _count_planned(seat) for seat in seats}
    told = found.annotate(is_later=counts_later(), **counts).values_list(
        *columns, *counts, *(f"mine__rated__{name}" for name in RATED_COLUMNS)
    )
    rematch, findings, status, done, total, is_later, *rest = told.get(pk=game.pk)
    planned, (row, *rated) = rest[: len(seats)], rest[len(seats) :]
    rating = rated_state(*rated), row is not None and is_later
    reviewing = Reviewing(status, done or 0, total or 0) if status else Reviewing()
    read = tuple(map(Finding.of_json, findings or ()))
    return rematch or "", read, reviewing, rating, tuple(count or 0 for count in planned)


def _count_planned(seat: int) -> Subquery:
    made = Move.objects.filter(game=OuterRef("pk"), seat=seat, client_key__startswith=PLAN_KEY)
    return Subquery(made.order_by().values("game").annotate(count=Count("pk")).values("count"))


def review_mark(game: Game) -> str:
    """Return what differs between two moments at which the page of a finished game tells other things of its review.

    One query once the game is over.
    """
    if game.status != Status.FINISHED:
        return ""
    found = Review.objects.filter(game=game).values_list("status", "done").first()
    return (Reviewing(*found) if found else Reviewing()).mark
