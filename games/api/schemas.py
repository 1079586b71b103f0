"""What the API says and takes, field by field. Times are ISO 8601 in UTC, spans whole seconds, indices from 0."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ninja import Schema
from pydantic import ConfigDict, Field, create_model

from games.base.setup import GameSetup, SeatSetup, is_usually_public
from games.base.terms import EDITABLE, Terms, is_rated_here
from games.clock import TimeControl
from games.pages.talk.messages import said
from games.queries.people.happenings import game_line
from games.queries.people.ratings import RatedState
from games.queries.play.forecast import forecast
from games.queries.play.players import SeatState
from games.queries.play.state import GameState, TurnState
from games.queries.play.takebacks import TakebackState
from games.queries.tables.open_tables import OpenTable
from games.queries.tables.pauses import PauseState
from games.queries.tables.seeks import SeekState, is_sought_rated
from games.queries.tables.table import GameDetails, TableState
from games.rules import Variant
from games.rules.geometry import SQUARES
from games.rules.placement import action_count

if TYPE_CHECKING:
    from games.models import Occupant, Player, TalkMessage
    from games.queries.play.moves import MoveRow


class Complete(Schema):
    """An object that an answer holds with all its parts, also those that are as usual: the document says so."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class Me(Complete):
    """The person for whom a token acts; a bot account has an `operator`, the person who answers for it."""

    name: str
    operator: str = ""
    language: str
    time_zone: str


class Clock(Schema):
    """Seconds on each player's clock at first, those that every move adds, and the most that it holds."""

    initial: int
    increment: int
    cap: int
    rests_weekends: bool


class Person(Complete):
    """Who has a seat, or is `invited` to it by name: `kind` is person, bot (of the site) or nobody.

    `program` says of a person that this is a bot account, played by a program of another person.
    """

    kind: str
    name: str = Field(description="of a person, or the stored name of a bot; empty where a person gave none")
    invited: bool = False
    program: bool = False


class SeatedBotOut(Schema):
    """What a bot's seat was opened with: its seed, and how far it thinks ahead.

    Before each move it simulates so many games (`simulations`), or for so many `seconds` of CPU time; both are null
    where it does as its level does.
    """

    seed: int
    simulations: int | None
    seconds: int | None


class Seat(Complete):
    """A seat of a game or table, from 0 in playing order, with its colours in the order of play.

    `score` is as if the game ended now. `retired` is why its player left the game early, "" for one who plays on;
    `away` says that a bot takes their turns. `clock` is what is left when their next turn begins, null for unlimited.
    `bot` is what a bot's seat was opened with, null for people, and until the bots' moves may be explained.
    """

    seat: int
    occupant: Person
    me: bool
    colours: list[str]
    score: int = 0
    winner: bool = False
    retired: str = ""
    away: bool = False
    clock: int | None = None
    free: bool = False
    bot: SeatedBotOut | None = None


class ColourOut(Schema):
    """A colour: the seat that plays it (a shared one: that places its next piece), and the pieces it has left."""

    colour: str
    seat: int
    shared: bool
    pieces: list[str]
    score: int
    blocked: bool


class GivenDayOut(Schema):
    """A day that the player in the seat `giver` has given for the turn that is due."""

    giver: int
    at: datetime


class HolidayOut(Schema):
    """A holiday of the player in a seat, in which their clock stands still."""

    seat: int
    begins: datetime
    ends: datetime


class TurnOut(Schema):
    """The turn that is due: `seconds` run until the deadline, if there is one.

    `must_pass` says that nothing fits, at a table where passes are declared.
    """

    seat: int
    colour: str
    number: int
    since: datetime | None
    deadline: datetime | None
    seconds: int | None
    late: bool
    must_pass: bool
    days: list[GivenDayOut]


class ForecastOut(Schema):
    """Between which moments a running game will probably end, as its players have played so far."""

    first: datetime
    last: datetime


class PauseOut(Schema):
    """A pause on which the players agree. `request` is the version at which it was asked for, 0 where it is not.

    `wanted_by` are the seats that want it, `waits_for` those that have still to agree. While it lasts, `ends_at` is
    when it ends at the latest. `version` is that at which the game was last paused or went on.
    """

    request: int
    wanted_by: list[int]
    waits_for: list[int]
    ends_at: datetime | None
    version: int


class TakebackOut(Schema):
    """A move that a player asks to take back, or that you could. `request` is the version at which it was asked for.

    That is 0 where nothing is asked for. `wanted_by` are the seats that want it, the one that has asked first, and
    `waits_for` those that have still to agree. `back_to` is the number, among the `moves`, of the first that would go;
    0 for none. You are `alone` where you need to ask no one: until `alone_until`, if it is because no other person has
    been shown your move yet.
    """

    request: int
    wanted_by: list[int]
    waits_for: list[int]
    back_to: int
    alone: bool
    alone_until: datetime | None


class MoveOut(Schema):
    """A recorded move, from 1: `kind` is place, pass or retire; `automatic` passes are made by the site."""

    number: int
    kind: str
    seat: int
    colour: str
    placement: str
    automatic: bool
    bot: str
    at: datetime | None


class TakenBackOut(Schema):
    """Moves that stand no more: the player in that `seat` took them back `at` that moment."""

    seat: int
    at: datetime
    moves: list[MoveOut]


class Permissions(Complete):
    """What the owner of the token may do in the game now."""

    place: bool = False
    pass_turn: bool = False
    resign: bool = False
    come_back: bool = False
    ask_for_pause: bool = False
    agree_to_pause: bool = False
    end_pause: bool = False
    give_day: bool = Field(default=False, description="give the player whose turn it is one more day, once a game")
    ask_for_takeback: bool = Field(default=False, description="take your last move back, or ask the others to agree")
    agree_to_takeback: bool = False
    rematch: bool = False
    join: bool = False
    leave: bool = False
    edit: bool = Field(default=False, description="change the table, or cancel it")
    ask_for_hints: bool = False
    control_bots: bool = Field(default=False, description="pause a game of bots, let it go on, or step by step")


class RatingChangeOut(Schema):
    """What a finished game did to your rating at once: the points and their `deviation` before and after it.

    You finished in this `place` of so many `seats` that were compared, where `expected` was to be expected.
    """

    place: int
    seats: int
    expected: float
    before: int
    deviation_before: int
    after: int
    deviation: int


class GameOut(Complete):
    """A game or a table as the owner of the token sees it.

    `token` is the secret of a table's invitation link, for the players seated there; it leads to `/join/<token>/`.
    `status` is open (a table that waits for players), running, finished or cancelled; `reason` says how it ended.
    `given` counts the first of its moves that were given: it began at a position of the finished game `from_game`, or
    of a study where that is empty.
    `board` has a character for each cell of the variant, `.` for a free one, else the digit of its colour in the
    variant's `colours`; it is empty before the start, as are `colours` and `moves`. `version` grows with everything
    that can be seen; `number` is that of the move which is due, and goes with every move that is sent. It is one more
    than the number of `moves`, or higher once moves have been `taken_back`: no number is ever used for two positions.
    `ends` is null where too little is known to say when the game will probably end. `rated` says whether it counts for
    ratings, and `rating` what it did to yours, null for everyone before the end and where it did nothing.
    """

    slug: str
    name: str
    variant: str
    scoring: str
    public: bool
    rated: bool
    declares_passes: bool
    status: str
    reason: str
    version: int
    number: int
    clock: Clock | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    given: int
    from_game: str
    seats: list[Seat]
    colours: list[ColourOut]
    board: str
    moves: list[MoveOut]
    turn: TurnOut | None
    ends: ForecastOut | None
    paused: bool
    pause: PauseOut | None
    holidays: list[HolidayOut]
    takeback: TakebackOut | None
    taken_back: list[TakenBackOut]
    rating: RatingChangeOut | None = None
    rematch: str
    may: Permissions
    token: str = ""

    @classmethod
    def of(cls, state: GameState | TableState) -> "GameOut":
        """Return what is to be said of a game."""
        return _table(state) if isinstance(state, TableState) else _started(state)


class GameLine(Schema):
    """A game in a list, with the `deadline` of the turn that is due; `me` is your seat, or the one kept for you."""

    slug: str
    name: str
    variant: str
    status: str
    version: int
    number: int
    deadline: datetime | None
    me: int

    @classmethod
    def of(cls, player: "Player") -> "GameLine":
        """Return the line of the game in which the person has this seat, or is invited to it."""
        return cls(**game_line(player))


class MyGamesOut(Schema):
    """The games of a person that are not over: `turn` waits for them, the nearest deadline first.

    `away` are those against bots that they have left alone for two weeks; these are not among the others.
    """

    turn: list[GameLine]
    waiting: list[GameLine]
    invited: list[GameLine]
    open: list[GameLine]
    away: list[GameLine]


class Legal(Schema):
    """The legal placements of a colour. `ids` are those of docs/notation.md, ascending; `placements` say the same."""

    variant: str
    number: int
    colour: str
    ids: list[int]
    placements: list[str] | None = None


class PieceOut(Schema):
    """A piece: how many of it a colour holds, and its cells as [x, y] from its own corner, in its first orientation."""

    name: str
    copies: int
    cells: list[tuple[int, int]]


class VariantLine(Schema):
    """A board that can be played."""

    id: str
    seats: int
    colours: list[str]


class VariantOut(VariantLine):
    """A board as data: `cells` are the names of its cells by index, `starts` each colour's start cells by index.

    `lattice` is squares or triangles. `openers` are the pieces of which a colour's first placement has to be, for
    colours that may not open with any. `seating` gives each seat its colours, empty where they are chosen. `actions` is
    how many placements there are, legal or not: their ids count from 0.
    """

    width: int
    height: int
    lattice: str
    cells: list[str]
    starts: dict[str, list[int]]
    pieces: list[PieceOut]
    openers: dict[str, list[str]]
    seating: list[list[str]]
    shared: list[str]
    scorings: list[str]
    actions: int

    @classmethod
    def of(cls, variant: Variant) -> "VariantOut":
        """Return a variant as data."""
        return cls(
            **line_of(variant).dict(),
            width=variant.width,
            height=variant.height,
            lattice="squares" if variant.grid.lattice is SQUARES else "triangles",
            cells=list(variant.cells),
            starts={colour: list(cells) for colour, cells in variant.start_cells.items()},
            pieces=[
                PieceOut(name=piece.name, copies=variant.copies, cells=[(x, y) for x, y in piece.cells])
                for piece in variant.pieces
            ],
            openers={colour: list(pieces) for colour, pieces in variant.openers.items()},
            seating=[list(colours) for colours in variant.seating],
            shared=list(variant.shared),
            scorings=list(variant.scorings),
            actions=action_count(variant),
        )


class PlayedOut(Schema):
    """The answer to a move: its `number`, the `version` of the game just after it, and whether it was known before."""

    number: int
    version: int
    repeated: bool


class Sent(Schema):
    """What programs send as JSON: a part of another type is refused, where true would else be a 1, and "2" a 2."""

    model_config = ConfigDict(strict=True)


class Due(Sent):
    """Which move a request is for: the `number` of the one that is due.

    `key` names the request: the same one sent twice is one move with the same answer. Without a key it is named by
    what it asks for.
    """

    number: int
    key: str = ""


class PlacingIn(Due):
    """A placement as text, for example `V3:a1,b1,a2`, or its `id`: one of the two."""

    placement: str = ""
    id: int | None = None

    @property
    def asked(self) -> str | int:
        """Return what names the placement."""
        return self.placement if self.id is None else self.id


class TriedOut(Schema):
    """A placement that could be made now: its canonical text, and its id."""

    placement: str
    id: int


class Asked(Schema):
    """Whose placements are asked for, by default those of the colour to play; of which piece; whether as texts too."""

    colour: str = ""
    piece: str = ""
    texts: bool = False


class Joining(Sent):
    """Which seat is wanted, from 0, or which colour where players choose; `token` is that of an invitation link."""

    seat: int | None = None
    colour: str = ""
    token: str = ""


class SeatRequest(Sent):
    """A seat of a new table: `kind` is me, open (anybody), link (by invitation), named or bot.

    `name` is that of the person invited, or the stored name of the bot; `seed` makes a bot's choices repeatable, and
    `opening` is the key of a named opening that it begins with;
    `simulations` is how many games it simulates before each move, null for as many as its level does; or say for how
    many `seconds` of CPU time it simulates games.
    """

    kind: Literal["me", "open", "link", "named", "bot"]
    name: str = ""
    seed: int | None = None
    opening: str = ""
    simulations: int | None = None
    seconds: int | None = None


class ClockRequest(Sent):
    """Seconds on each player's clock at first, those that every move adds, and the most that it holds."""

    initial: int
    increment: int
    cap: int
    rests_weekends: bool = False


def clock_of(wish: ClockRequest | None) -> TimeControl:
    """Return the time that is wished for, without a limit for none; not yet checked."""
    return TimeControl(wish.initial, wish.increment, wish.cap, wish.rests_weekends) if wish else TimeControl()


#: What programs call the terms of a table that they do not call as `Terms` does.
TERM_NAMES: Mapping[str, str] = {
    "is_public": "public",
    "allows_hints": "hints",
    "allows_advice": "advice",
    "allows_explanations": "explanations",
    "allows_takebacks": "takebacks",
    "allows_texts": "texts",
    "is_rated": "rated",
    "is_paused": "paused",
    "time": "clock",
    "is_shuffled": "drawn",
    "lets_choose": "choose",
}

SentType = TypeVar("SentType", bound=Sent)


def with_terms(schema: type[SentType]) -> type[SentType]:
    """Return the schema with a part for each of the `Terms`, after its own; each may be left out."""
    parts: dict[str, Any] = {TERM_NAMES.get(each.name, each.name): (each.type, each.default) for each in fields(Terms)}
    # What is usual depends on the seats.
    return _with(schema, parts | {"public": (bool | None, None)})


def terms_sent(sent: Sent, kinds: Collection[str]) -> dict[str, Any]:
    """Return the terms that were sent for a table with such seats, as `Terms` calls them, not yet checked."""
    terms = {each.name: getattr(sent, TERM_NAMES.get(each.name, each.name)) for each in fields(Terms)}
    is_public = is_usually_public(kinds) if terms["is_public"] is None else terms["is_public"]
    return terms | {"time": clock_of(terms["time"]), "is_public": is_public}


def with_changes(schema: type[SentType]) -> type[SentType]:
    """Return the schema with a part for each of the terms that are `EDITABLE`; what is left out or null stays."""
    terms: list[Any] = [each for each in fields(Terms) if each.name in EDITABLE]
    return _with(schema, {TERM_NAMES.get(each.name, each.name): (each.type | None, None) for each in terms})


def _with(schema: type[SentType], parts: dict[str, Any]) -> type[SentType]:
    parts["clock"] = (ClockRequest | None, None)
    return create_model(schema.__name__, __base__=schema, __doc__=schema.__doc__, __module__=__name__, **parts)


@with_terms
class NewTable(Sent):
    """A table to be opened. `colours` are those chosen, one a seat, where the variant leaves them to choose.

    The `variant` of a table for two may go on with the pieces that its seats open with, as in `duo:N:W` (Freestyle):
    then the player who sits down opposite you chooses the side, by joining with one of its colours. With
    `bot_names_pieces` the id has none: the bot opposite you names them, and you choose, by joining with a colour.

    `public` says whether everyone may watch; null for what is usual: unless seats are kept for people, by name or by
    link, and none is open to anyone. Without a `clock` there is no limit of time. `drawn` seats are shuffled when the
    game starts; where players `choose`, each takes a colour when they sit down. `hints` are those of the board,
    `advice` that of engines, and `explanations` those of bots during the game, both in none that is rated; null leaves
    both to the site: a person alone with bots has them. `takebacks` allows players to take moves back by consent; null:
    unless the game is rated or a seat is open to anyone. Without `texts` the players talk in ready phrases alone.
    `rated` says whether the game changes the ratings of its people; null for what is usual: a public one does, unless
    engines give advice or explain moves. Bots wait `bot_pause` seconds before each move. A game of bots alone may begin
    `paused`. `stand_in` is the bot that takes missed turns at a table for more than two, "" for none. Who takes a free
    seat has made at least `min_reliability` percent of their last 50 turns in time (0, 70, 80, 90 or 95), is new, or
    was invited by name. The table of a `group` of yours, by its slug, is for its members, and never public.

    A game begins at a position of a finished game by `from_game`, its slug, or of a study by `from_study`: after `move`
    moves of it, null for all, or after the move of number `node` that you have tried in the game. It is played on the
    same board, with the `variant` of that one and its colours, and is not rated.
    """

    variant: str
    seats: list[SeatRequest] = Field(min_length=1, max_length=4)
    colours: list[str] = Field(default=[], max_length=4)
    bot_names_pieces: bool = False
    group: str = ""
    from_game: str = ""
    from_study: str = ""
    move: int | None = Field(default=None, ge=0, le=9999)
    node: int = Field(default=0, ge=0, le=10**9)

    def setup(self) -> GameSetup:
        """Return what is to be opened, not yet checked."""
        return GameSetup(
            variant=self.variant,
            seats=tuple(
                SeatSetup(
                    kind=seat.kind,
                    username=seat.name if seat.kind == "named" else "",
                    bot=seat.name if seat.kind == "bot" else "",
                    seed=seat.seed,
                    opening=seat.opening,
                    simulations=seat.simulations,
                    seconds=seat.seconds,
                )
                for seat in self.seats
            ),
            colours=tuple(self.colours),
            bot_names_pieces=self.bot_names_pieces,
            **terms_sent(self, [seat.kind for seat in self.seats]),
        )


class Colouring(Sent):
    """The colour that is wanted."""

    colour: str


class Rematch(Sent):
    """With `rotated` each player takes the seat after their own, with its colours, and the last player begins."""

    rotated: bool = False


class TableLine(Schema):
    """A table in the lobby: its `host`, how many seats are free, whether the game is rated, and what was agreed.

    `program` says that the host is a bot account.
    """

    slug: str
    name: str
    variant: str
    host: str
    program: bool
    seats: int
    free: int
    rated: bool
    clock: Clock | None
    created_at: datetime

    @classmethod
    def of(cls, table: OpenTable) -> "TableLine":
        """Return the line of an open table."""
        return cls(
            slug=table.slug,
            name=table.name,
            variant=table.variant,
            host=table.host.username,
            program=table.host.is_bot_account,
            seats=table.seats,
            free=table.free,
            rated=table.is_rated,
            clock=_clock(table.time),
            created_at=table.created_at,
        )


class PhraseOut(Schema):
    """A ready phrase of tables by its `key`, in your language; `needs_day` says that it names a day."""

    key: str
    text: str
    needs_day: bool


class MessageOut(Schema):
    """A line said at a table. `author` is empty for a closed account, and then so is a text of theirs.

    `phrase` is the key of a ready phrase, empty for a text of its author's own; of a line that a moderator has hidden
    `text` says so. `text` is in your language where it is
    a ready phrase. `id` grows with time.
    """

    id: int
    author: str
    phrase: str
    text: str
    created_at: datetime

    @classmethod
    def of(cls, message: "TalkMessage") -> "MessageOut":
        """Return a line, with its author fetched."""
        author = message.author
        name = author.username if author is not None and author.is_active else ""
        phrase = "" if message.is_hidden else message.phrase
        return cls(id=message.pk, author=name, phrase=phrase, text=said(message), created_at=message.created_at)


class TalkOut(Schema):
    """The last lines said at a table, or the last before one of them, the oldest first.

    `has_older` says that there are others before. `unread` counts those of others that you have not read. `can_send`
    says whether you may say something now, and `can_write` whether in words of your own.
    """

    messages: list[MessageOut]
    has_older: bool
    unread: int
    can_send: bool
    can_write: bool


class MessageRequest(Sent):
    """What to say: the key of a ready phrase, with a `day` where it names one, or a text of at most 500 characters.

    To the players of a game, or to the others who watch it.
    """

    audience: Literal["players", "watchers"] = "players"

    phrase: str = ""
    day: date | None = None
    text: str = ""


class ReactionOut(Schema):
    """A mark that the player in a seat has given to the placement of that number."""

    number: int
    seat: int
    reaction: str


class ReactionRequest(Sent):
    """A mark for the placement of that number: nice, clever, wow, ha, ouch or thanks.

    With `placement` you say what you saw there: if it was taken back and replaced meanwhile, you get 409.
    """

    number: int
    reaction: str
    placement: str = ""


class ReactionDropping(Sent):
    """The placement whose mark of yours goes, by its number."""

    number: int


class ReadRequest(Sent):
    """You have read what was said up to the line of this id."""

    last: int


class NoteOut(Schema):
    """What you have written about a game; `edition` counts how often it was stored."""

    text: str
    edition: int


class ReportRequest(Sent):
    """Why something is reported to the moderators, with at most 500 characters to say more."""

    reason: Literal["violence", "hate", "insult", "name", "spam", "cheating", "other"]
    words: str = ""


class TableReportRequest(ReportRequest):
    """Whom at a table a report is about, by name, and why."""

    person: str


class NoteRequest(Sent):
    """A note of at most 1,000 characters, in place of the `edition` that you have read: 0 where there was none."""

    text: str
    edition: int


class Pausing(Sent):
    """Which pause is meant: `version` is that of the game's `pause`."""

    version: int


class GivingDay(Sent):
    """For which move a day is given: `number` is that of the move which is due."""

    number: int


class OwnHolidayOut(Schema):
    """A holiday of yours; an `automatic` one was taken when your time would have run out."""

    begins: datetime
    ends: datetime
    automatic: bool


class HolidaysOut(Schema):
    """Your holidays: how many `seconds` are left, whether days are taken by themselves, and the latest, last first."""

    seconds: int
    automatic: bool
    taken: list[OwnHolidayOut]


class HolidayRequest(Sent):
    """A holiday from the `first` day to the `last`, both included, by your time zone: each as "2027-07-31"."""

    first: str
    last: str


class HolidayChoice(Sent):
    """Whether a day of your holidays is taken when your time would run out."""

    automatic: bool


class SeekOut(Schema):
    """A standing seek of yours: up to `number` games of this variant and `pace`, so many `running` and `waiting` now.

    Bots take the empty seats of your table after `bots_after` minutes, 0 for never. It `rests` for a reason: `left`
    (a table; `rests_until` says how long), `holiday`, `no-one` (whom you let invite you), `late` (you ran out of
    time), `idle` (nobody came to your table for two weeks), `evening` (three hours have passed since you set one of
    that pace), `quiet` (your quiet hours, `rests_until` they end) or `owes` (your move is overdue in a game without a
    time limit); empty where it does not.
    """

    id: int
    variant: str
    pace: str
    rated: bool
    number: int
    bots_after: int
    running: int
    waiting: int
    rests: str
    rests_until: datetime | None

    @classmethod
    def of(cls, state: SeekState) -> "SeekOut":
        """Return a seek as it is now."""
        seek = state.seek
        return cls(
            id=seek.pk,
            variant=seek.variant,
            pace=seek.pace,
            rated=is_sought_rated(seek),
            number=seek.number,
            bots_after=seek.wait,
            running=state.running,
            waiting=state.waiting,
            rests=state.rest,
            rests_until=state.until,
        )


class SeekRequest(Sent):
    """What you always want to play: up to `number` games, one to five, of a variant at a pace.

    `pace` is evening, fast, normal, slow or unlimited. Bots take the empty seats of your table after `bots_after`
    minutes: 0 for never, 5, 15, 30, or whole hours from the list of a new table.
    """

    variant: str
    pace: str = "normal"
    rated: bool = True
    number: int = 1
    bots_after: int = 0


class PauseAnswer(Sent):
    """Which request for a pause is answered: `request` is that of the game's `pause`."""

    request: int


class NewTakebackRequest(Sent):
    """Which move may go: `number` is that of the game, the move which is due. `alone`: or else ask nobody."""

    number: int
    alone: bool = False


class TakebackAnswer(Sent):
    """Which request is answered: `request` is that of the game's `takeback`."""

    request: int


class Resigning(Sent):
    """Giving up: with a `number` only if that move is still due."""

    number: int | None = None
    key: str = ""


def line_of(variant: Variant) -> VariantLine:
    """Return a variant as a line of the list."""
    return VariantLine(id=variant.id, seats=variant.seats, colours=list(variant.colours))


def _details(game: GameDetails) -> dict[str, Any]:
    return {
        "slug": game.slug,
        "name": game.name,
        "variant": game.variant,
        "scoring": game.scoring,
        "public": game.is_public,
        "rated": is_rated_here(game),
        "declares_passes": game.declares_passes,
        "status": game.status,
        "reason": game.reason,
        "version": game.version,
        "number": game.number,
        "clock": _clock(game.time),
        "created_at": game.created_at,
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "given": game.given_moves,
        "from_game": game.begun_from,
    }


def _clock(time: TimeControl) -> Clock | None:
    if time.initial is None or time.increment is None or time.cap is None:
        return None
    return Clock(initial=time.initial, increment=time.increment, cap=time.cap, rests_weekends=time.rests_weekends)


def occupant_out(occupant: "Occupant") -> Person:
    """Return who has a seat."""
    if occupant.bot:
        return Person(kind="bot", name=occupant.bot)
    if occupant.device_number:
        return Person(kind="person", name=occupant.username)
    if occupant.username:
        return Person(kind="person", name=occupant.username, program=occupant.is_bot_account)
    return Person(
        kind="person" if occupant.invitee else "nobody",
        name=occupant.invitee,
        invited=bool(occupant.invitee),
        program=occupant.is_bot_account,
    )


def _table(table: TableState) -> GameOut:
    seats = [
        Seat(
            seat=seat.seat,
            occupant=occupant_out(seat.occupant),
            me=seat.is_viewer,
            colours=list(seat.colours),
            free=seat.is_offered,
        )
        for seat in table.seats
    ]
    may = Permissions(join=table.rights.can_join, leave=table.rights.can_leave, edit=table.rights.can_cancel)
    return GameOut(
        **_details(table.game),
        seats=seats,
        colours=[],
        board="",
        moves=[],
        turn=None,
        ends=None,
        paused=False,
        pause=None,
        holidays=[],
        takeback=None,
        taken_back=[],
        rematch="",
        may=may,
        token=table.token if table.rights.can_share_link else "",
    )


def _pause(pause: PauseState, version: int) -> PauseOut:
    return PauseOut(
        request=pause.request,
        wanted_by=list(pause.wanted_by),
        waits_for=list(pause.waits_for),
        ends_at=pause.ends_at,
        version=version,
    )


def _takeback(takeback: TakebackState) -> TakebackOut:
    return TakebackOut(
        request=takeback.request,
        wanted_by=list(takeback.wanted_by),
        waits_for=list(takeback.waits_for),
        back_to=takeback.back_to,
        alone=takeback.is_alone,
        alone_until=takeback.alone_until,
    )


def _turn(turn: TurnState, number: int) -> TurnOut:
    return TurnOut(
        seat=turn.seat,
        colour=turn.colour,
        number=number,
        since=turn.since,
        deadline=turn.deadline,
        seconds=turn.seconds,
        late=turn.is_late,
        must_pass=turn.is_blocked,
        days=[GivenDayOut(giver=day.giver, at=day.given_at) for day in turn.days],
    )


def _rating(rated: RatedState) -> RatingChangeOut:
    return RatingChangeOut(
        place=rated.place,
        seats=rated.seats,
        expected=round(rated.expected, 2),
        before=round(rated.before.points),
        deviation_before=round(rated.before.deviation),
        after=round(rated.after.points),
        deviation=round(rated.after.deviation),
    )


def _seated_bot(seat: SeatState) -> SeatedBotOut | None:
    if seat.seed is None:
        return None
    return SeatedBotOut(seed=seat.seed, simulations=seat.simulations, seconds=seat.seconds)


def _started(state: GameState) -> GameOut:
    rights = state.rights
    return GameOut(
        **_details(state.game),
        seats=[
            Seat(
                seat=seat.seat,
                occupant=occupant_out(seat.occupant),
                me=seat.is_viewer,
                colours=list(seat.colours),
                score=seat.score,
                winner=seat.is_winner,
                retired=seat.retired,
                away=seat.is_away,
                clock=seat.clock,
                bot=_seated_bot(seat),
            )
            for seat in state.seats
        ],
        colours=[
            ColourOut(
                colour=colour.code,
                seat=colour.seat,
                shared=colour.is_shared,
                pieces=list(colour.pieces),
                score=colour.score,
                blocked=colour.is_blocked,
            )
            for colour in state.colours
        ],
        board=state.position.board,
        moves=list(moves_out(state.moves)),
        turn=_turn(state.turn, state.game.number) if state.turn else None,
        ends=ForecastOut(first=found.first, last=found.last) if (found := forecast(state)) else None,
        paused=state.game.is_paused,
        pause=_pause(state.pause, state.game.pause_version),
        # When a player will be away is told to those who sit with them alone.
        holidays=[
            HolidayOut(seat=each.seat, begins=each.begins_at, ends=each.ends_at) for each in state.known_holidays
        ],
        takeback=_takeback(state.takeback),
        taken_back=[
            TakenBackOut(seat=one.seat, at=one.taken_at, moves=list(moves_out(one.moves))) for one in state.taken_back
        ],
        rating=_rating(state.rated) if state.rated else None,
        rematch=state.rematch,
        may=Permissions(
            place=rights.can_place,
            pass_turn=rights.can_pass,
            resign=rights.can_resign,
            come_back=rights.can_return,
            ask_for_pause=state.pause.can_ask,
            agree_to_pause=state.pause.can_agree,
            end_pause=state.pause.can_end,
            give_day=rights.can_give_day,
            ask_for_takeback=state.takeback.can_ask,
            agree_to_takeback=state.takeback.can_agree,
            rematch=rights.can_rematch,
            ask_for_hints=rights.can_advise,
            control_bots=rights.can_control,
        ),
    )


def moves_out(moves: "Iterable[MoveRow]") -> Iterable[MoveOut]:
    """Yield recorded moves in order."""
    for move in moves:
        yield MoveOut(
            number=move.number,
            kind=move.kind,
            seat=move.seat,
            colour=move.colour,
            placement=move.placement,
            automatic=move.is_automatic,
            bot=move.bot,
            at=move.played_at,
        )
