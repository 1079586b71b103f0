"""Play Block-You by program: a client of its API in one file, which needs nothing but Python 3.11.

Copy it beside your program:

    from blockyou import Client, Problem

    client = Client("https://blockyou.example.org", token)
    for game in client.games()["turn"]:
        legal = client.placements(game["slug"])
        client.play_placement(game["slug"], game["number"], id=legal["ids"][0])

A method is one request; what it returns is the JSON that answers it, typed. What the site refuses is a `Problem`. The
client waits where the site asks it to (429 and 503 with Retry-After), and sends again what a broken connection may have
swallowed, if that can do no harm: what only reads, and moves, which carry a key by which the site knows them again. Its
state is what the site says: a program that was killed goes on with `games()`.
"""

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from http.client import HTTPException
from typing import Any, Literal, NotRequired, TypedDict, Unpack, cast
from urllib.parse import quote, urlencode

#: Seconds before the second, third … attempt after a broken connection; the last one stands for all that follow.
PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0)
#: What a proxy answers while the site behind it does not.
LOST = (502, 503, 504)
#: Games that are remembered with their tags, so that one that has not changed is not sent again.
REMEMBERED = 64


class Problem(Exception):  # noqa: N818  (it is an answer)
    """What the site has refused; nothing has changed.

    `code` is for programs and stays the same, `detail` a sentence for people; `field` names the part at fault. Of a
    placement that the rules refuse there are `reasons` and, by reason, `cells`. `number` is that of the move which is
    due, where another one was named. After `retry_after` seconds the same may be asked again.
    """

    def __init__(self, status: int, body: Mapping[str, Any], retry_after: int | None = None) -> None:
        self.status, self.retry_after = status, retry_after
        self.code = str(body.get("code", ""))
        self.detail = str(body.get("detail", "")) or f"The site answered with status {status}."
        self.field = str(body.get("field") or "")
        self.reasons = tuple[str, ...](body.get("reasons") or ())
        self.cells: dict[str, list[str]] = dict(body.get("cells") or {})
        self.number: int | None = body.get("number")
        self.version: int | None = body.get("version")
        super().__init__(f"{self.code or status}: {self.detail}")


# Generated from the OpenAPI document by `make client`: change games/api/ instead.


class Me(TypedDict):
    """The person for whom a token acts; a bot account has an `operator`, the person who answers for it."""

    name: str
    operator: str
    language: str
    time_zone: str


class GameLine(TypedDict):
    """A game in a list, with the `deadline` of the turn that is due; `me` is your seat, or the one kept for you."""

    slug: str
    name: str
    variant: str
    status: str
    version: int
    number: int
    deadline: str | None
    me: int


class MyGames(TypedDict):
    """The games of a person that are not over: `turn` waits for them, the nearest deadline first.

    `away` are those against bots that they have left alone for two weeks; these are not among the others.
    """

    turn: list[GameLine]
    waiting: list[GameLine]
    invited: list[GameLine]
    open: list[GameLine]
    away: list[GameLine]


class Person(TypedDict):
    """Who has a seat, or is `invited` to it by name: `kind` is person, bot (of the site) or nobody.

    `program` says of a person that this is a bot account, played by a program of another person.
    """

    kind: str
    #: of a person, or the stored name of a bot; empty where a person gave none
    name: str
    invited: bool
    program: bool


class FinishedSeat(TypedDict):
    """A seat of a finished game: `retired` is why its player left early, "" for one who played to the end."""

    seat: int
    occupant: Person
    score: int | None
    winner: bool
    retired: str


class FinishedGame(TypedDict):
    """A finished game of yours. `reason` says how it ended, `me` is your seat and `result` yours: won, tied or lost, or
    empty where the game began at a given position.

    `opening` is the key of the named opening that your colours followed, "" without one.
    """

    slug: str
    name: str
    variant: str
    scoring: str
    reason: str
    moves: int
    created_at: str
    started_at: str | None
    finished_at: str | None
    me: int
    result: str
    opening: str
    seats: list[FinishedSeat]


class FinishedPage(TypedDict):
    """Finished games, the latest first. `next` is the `cursor` of the page after this one, "" for the last page."""

    games: list[FinishedGame]
    next: str


class ExportedGame(TypedDict):
    """A finished game of yours with its record, which `GET games/<slug>/record` answers too."""

    slug: str
    name: str
    variant: str
    scoring: str
    reason: str
    moves: int
    created_at: str
    started_at: str | None
    finished_at: str | None
    me: int
    result: str
    opening: str
    seats: list[FinishedSeat]
    record: dict[str, Any]


class Webhook(TypedDict):
    """A webhook. `answer` is the HTTP status of your program's last answer, 0 for none, at `answered_at`.

    `stopped_at` is when it was switched off, because nothing was accepted for a day or the answer was 410.
    """

    id: int
    address: str
    created_at: str
    answer: int
    answered_at: str | None
    stopped_at: str | None


class NewWebhook(TypedDict):
    """A webhook that was just set up, with the `secret` that signs what is sent, which is not shown again."""

    id: int
    address: str
    created_at: str
    answer: int
    answered_at: str | None
    stopped_at: str | None
    secret: str


class Clock(TypedDict):
    """Seconds on each player's clock at first, those that every move adds, and the most that it holds."""

    initial: int
    increment: int
    cap: int
    rests_weekends: bool


class SeatedBot(TypedDict):
    """What a bot's seat was opened with: its seed, and how far it thinks ahead.

    Before each move it simulates so many games (`simulations`), or for so many `seconds` of CPU time; both are null
    where it does as its level does.
    """

    seed: int
    simulations: int | None
    seconds: int | None


class Seat(TypedDict):
    """A seat of a game or table, from 0 in playing order, with its colours in the order of play.

    `score` is as if the game ended now. `retired` is why its player left the game early, "" for one who plays on;
    `away` says that a bot takes their turns. `clock` is what is left when their next turn begins, null for unlimited.
    `bot` is what a bot's seat was opened with, null for people, and until the bots' moves may be explained.
    """

    seat: int
    occupant: Person
    me: bool
    colours: list[str]
    score: int
    winner: bool
    retired: str
    away: bool
    clock: int | None
    free: bool
    bot: SeatedBot | None


class Colour(TypedDict):
    """A colour: the seat that plays it (a shared one: that places its next piece), and the pieces it has left."""

    colour: str
    seat: int
    shared: bool
    pieces: list[str]
    score: int
    blocked: bool


class Move(TypedDict):
    """A recorded move, from 1: `kind` is place, pass or retire; `automatic` passes are made by the site."""

    number: int
    kind: str
    seat: int
    colour: str
    placement: str
    automatic: bool
    bot: str
    at: str | None


class GivenDay(TypedDict):
    """A day that the player in the seat `giver` has given for the turn that is due."""

    giver: int
    at: str


class Turn(TypedDict):
    """The turn that is due: `seconds` run until the deadline, if there is one.

    `must_pass` says that nothing fits, at a table where passes are declared.
    """

    seat: int
    colour: str
    number: int
    since: str | None
    deadline: str | None
    seconds: int | None
    late: bool
    must_pass: bool
    days: list[GivenDay]


class Forecast(TypedDict):
    """Between which moments a running game will probably end, as its players have played so far."""

    first: str
    last: str


class Pause(TypedDict):
    """A pause on which the players agree. `request` is the version at which it was asked for, 0 where it is not.

    `wanted_by` are the seats that want it, `waits_for` those that have still to agree. While it lasts, `ends_at` is
    when it ends at the latest. `version` is that at which the game was last paused or went on.
    """

    request: int
    wanted_by: list[int]
    waits_for: list[int]
    ends_at: str | None
    version: int


class Holiday(TypedDict):
    """A holiday of the player in a seat, in which their clock stands still."""

    seat: int
    begins: str
    ends: str


class Takeback(TypedDict):
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
    alone_until: str | None


class TakenBack(TypedDict):
    """Moves that stand no more: the player in that `seat` took them back `at` that moment."""

    seat: int
    at: str
    moves: list[Move]


class RatingChange(TypedDict):
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


class Permissions(TypedDict):
    """What the owner of the token may do in the game now."""

    place: bool
    pass_turn: bool
    resign: bool
    come_back: bool
    ask_for_pause: bool
    agree_to_pause: bool
    end_pause: bool
    #: give the player whose turn it is one more day, once a game
    give_day: bool
    #: take your last move back, or ask the others to agree
    ask_for_takeback: bool
    agree_to_takeback: bool
    rematch: bool
    join: bool
    leave: bool
    #: change the table, or cancel it
    edit: bool
    ask_for_hints: bool
    #: pause a game of bots, let it go on, or step by step
    control_bots: bool


class Game(TypedDict):
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
    created_at: str
    started_at: str | None
    finished_at: str | None
    given: int
    from_game: str
    seats: list[Seat]
    colours: list[Colour]
    board: str
    moves: list[Move]
    turn: Turn | None
    ends: Forecast | None
    paused: bool
    pause: Pause | None
    holidays: list[Holiday]
    takeback: Takeback | None
    taken_back: list[TakenBack]
    rating: RatingChange | None
    rematch: str
    may: Permissions
    token: str


class Legal(TypedDict):
    """The legal placements of a colour. `ids` are those of docs/notation.md, ascending; `placements` say the same."""

    variant: str
    number: int
    colour: str
    ids: list[int]
    placements: NotRequired[list[str] | None]


class Played(TypedDict):
    """The answer to a move: its `number`, the `version` of the game just after it, and whether it was known before."""

    number: int
    version: int
    repeated: bool


class Tried(TypedDict):
    """A placement that could be made now: its canonical text, and its id."""

    placement: str
    id: int


class Phrase(TypedDict):
    """A ready phrase of tables by its `key`, in your language; `needs_day` says that it names a day."""

    key: str
    text: str
    needs_day: bool


class Message(TypedDict):
    """A line said at a table. `author` is empty for a closed account, and then so is a text of theirs.

    `phrase` is the key of a ready phrase, empty for a text of its author's own; of a line that a moderator has hidden
    `text` says so. `text` is in your language where it is
    a ready phrase. `id` grows with time.
    """

    id: int
    author: str
    phrase: str
    text: str
    created_at: str


class Talk(TypedDict):
    """The last lines said at a table, or the last before one of them, the oldest first.

    `has_older` says that there are others before. `unread` counts those of others that you have not read. `can_send`
    says whether you may say something now, and `can_write` whether in words of your own.
    """

    messages: list[Message]
    has_older: bool
    unread: int
    can_send: bool
    can_write: bool


class MessageRequest(TypedDict):
    """What to say: the key of a ready phrase, with a `day` where it names one, or a text of at most 500 characters.

    To the players of a game, or to the others who watch it.
    """

    audience: NotRequired[Literal["players", "watchers"]]
    phrase: NotRequired[str]
    day: NotRequired[str | None]
    text: NotRequired[str]


class Reaction(TypedDict):
    """A mark that the player in a seat has given to the placement of that number."""

    number: int
    seat: int
    reaction: str


class ReactionRequest(TypedDict):
    """A mark for the placement of that number: nice, clever, wow, ha, ouch or thanks.

    With `placement` you say what you saw there: if it was taken back and replaced meanwhile, you get 409.
    """

    number: int
    reaction: str
    placement: NotRequired[str]


class ReportRequest(TypedDict):
    """Why something is reported to the moderators, with at most 500 characters to say more."""

    reason: Literal["violence", "hate", "insult", "name", "spam", "cheating", "other"]
    words: NotRequired[str]


class TableReportRequest(TypedDict):
    """Whom at a table a report is about, by name, and why."""

    reason: Literal["violence", "hate", "insult", "name", "spam", "cheating", "other"]
    words: NotRequired[str]
    person: str


class Note(TypedDict):
    """What you have written about a game; `edition` counts how often it was stored."""

    text: str
    edition: int


class Merit(TypedDict):
    """One thing that a placement does.

    `effect` is size, opens, takes, hampers, frees, keeps or spares; `colour` is another one if it is about one, and
    `count` how many cells, corners or placements it is about.
    """

    effect: str
    colour: str
    count: int


class Rated(TypedDict):
    """A placement with its `id`, and what its player may expect of it, from 0 to 1; null where that is not known.

    `legal` are the placements that each colour has after it, where they were counted.
    """

    placement: str
    id: int
    value: float | None
    reasons: list[Merit]
    legal: dict[str, int]


class Advice(TypedDict):
    """How far the hints for your turn have come, and then what was found, the best first.

    `state` is idle (not asked for), thinking, late (ask again if you like), ready or failed; and waiting while it is
    not your turn. They are for the move of this `number`; `seconds` have gone since they were asked for.
    """

    state: str
    number: int
    colour: str
    seconds: int
    choices: list[Rated]


class Finding(TypedDict):
    """What was found about the position before a placement.

    `values` are the seats' chances of winning before it, from 0 to 1, `legal` the placements that each colour had. A
    `turning` point is one of the few moves that cost their players most.
    """

    number: int
    seat: int
    values: list[float]
    legal: dict[str, int]
    best: list[Rated]
    played: Rated
    turning: bool


class Decided(TypedDict):
    """From the move of this number on the seat could no longer lose: all that could follow was looked through."""

    number: int
    seat: int


class Review(TypedDict):
    """The review of a finished game: `state` is none, waiting, running, done, cancelled or failed.

    `done` of `total` positions are judged, by so many `simulations` each. Findings are there once it is done; `decided`
    is null where it was not proved that a player could no longer lose.
    """

    state: str
    done: int
    total: int
    simulations: int
    can_cancel: bool
    findings: list[Finding]
    decided: Decided | None


class TriedMove(TypedDict):
    """A move that you have tried: it follows the tried one of number `parent`, or where that is 0 the game after so
    many moves. `name` is what you call what begins here.
    """

    number: int
    parent: int
    after: int
    colour: str
    move: str
    name: str


class Branches(TypedDict):
    """What you have tried from the positions of a game, which no one else sees. `edition` goes with what changes it."""

    edition: int
    moves: list[TriedMove]


class TriedIn(TypedDict):
    """Your branches after a move was tried, and its number."""

    edition: int
    moves: list[TriedMove]
    number: int


class Mistake(TypedDict):
    """A placement of yours that a review found to have cost much, in percent: the move of that number of a game.

    It is to be tried again at `due_at`, null once you have found better placements often enough.
    """

    slug: str
    number: int
    cost: int
    due_at: str | None


class Puzzle(TypedDict):
    """The puzzle of a day: after these `moves` `colour` is to place `pieces` pieces. `kind` says what for.

    `ending`: the placement that leaves it furthest ahead at the end; `rest`: all that it has left; `shut`: the one
    after which no other can place any; `win`: the only one with which it wins. `share` is how many in a hundred people
    solve it at their first try, null where too few have tried. `tries`, `hints` and `solved` are your own, and
    `answers`, each a set of placements, are null until you have solved it.
    """

    day: str
    kind: str
    variant: str
    moves: list[str]
    colour: str
    pieces: int
    share: int | None
    tries: int
    hints: int
    solved: bool
    answers: list[list[str]] | None


class PuzzleTried(TypedDict):
    """What became of a try: `placed` is what is right so far, without a placement that was wrong."""

    right: bool
    solved: bool
    placed: list[str]


class PuzzleHint(TypedDict):
    """A hint: the piece of a placement that is right, from level 2 a cell that it covers, at 3 the placement.

    The piece is empty where all is placed.
    """

    level: int
    piece: str
    cell: str | None
    placement: str | None


class OwnHoliday(TypedDict):
    """A holiday of yours; an `automatic` one was taken when your time would have run out."""

    begins: str
    ends: str
    automatic: bool


class Holidays(TypedDict):
    """Your holidays: how many `seconds` are left, whether days are taken by themselves, and the latest, last first."""

    seconds: int
    automatic: bool
    taken: list[OwnHoliday]


class OtherMove(TypedDict):
    """A move of another colour on which a planned one hangs."""

    colour: str
    move: str
    made: bool


class PlannedMove(TypedDict):
    """A planned move, and on what it hangs."""

    move: str
    free: list[str]
    corners: list[str]
    others: list[OtherMove]


class PlannedTurn(TypedDict):
    """One turn of a colour, and the moves for it in the order in which they are tried."""

    colour: str
    choices: list[PlannedMove]


class Obstacle(TypedDict):
    """Why a move was not made: a reason of the rules, or a code of the plan, with what it is about.

    `covered` and `corner`: cells were covered by a colour. `placed`, `not-placed`, `undecided`: a colour made a move,
    did not, or has not moved yet. `can-place`: a pass was planned, and a piece fits. `blocked`: the colour has no moves
    left. `taken-back`, `moved`, `stood-in`, `suspended`: moves were taken back, you moved otherwise, a bot did for you,
    or your account was suspended.
    """

    code: str
    cells: list[str]
    colour: str
    move: str


class Plan(TypedDict):
    """Your plan in a game, without turns where there is none. No one else is told of it.

    The move of this `number` is due. A plan that has `stopped` plays no more: why is said for each move that was tried.
    """

    edition: int
    number: int
    turns: list[PlannedTurn]
    stopped: list[Obstacle]


class OtherMoveRequest(TypedDict):
    """A move of another colour since the plan was set, which is to be `made`, or not. `move` may be pass."""

    colour: str
    move: str
    made: NotRequired[bool]


class PlannedMoveRequest(TypedDict):
    """A move, and on what it hangs: it is left out unless the cells `free` are, and `others` moved so or did not.

    `move` is a placement, or pass where passes are declared. The plan stops where another player has covered one of the
    cells `corners`.
    """

    move: str
    free: NotRequired[list[str]]
    corners: NotRequired[list[str]]
    others: NotRequired[list[OtherMoveRequest]]


class PlannedTurnRequest(TypedDict):
    """One turn of a `colour`, by default of yours that is next: the first of the `choices` that can be made is."""

    choices: list[PlannedMoveRequest]
    colour: NotRequired[str]


class TableLine(TypedDict):
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
    created_at: str


class SeatRequest(TypedDict):
    """A seat of a new table: `kind` is me, open (anybody), link (by invitation), named or bot.

    `name` is that of the person invited, or the stored name of the bot; `seed` makes a bot's choices repeatable, and
    `opening` is the key of a named opening that it begins with;
    `simulations` is how many games it simulates before each move, null for as many as its level does; or say for how
    many `seconds` of CPU time it simulates games.
    """

    kind: Literal["me", "open", "link", "named", "bot"]
    name: NotRequired[str]
    seed: NotRequired[int | None]
    opening: NotRequired[str]
    simulations: NotRequired[int | None]
    seconds: NotRequired[int | None]


class ClockRequest(TypedDict):
    """Seconds on each player's clock at first, those that every move adds, and the most that it holds."""

    initial: int
    increment: int
    cap: int
    rests_weekends: NotRequired[bool]


class TableChanges(TypedDict):
    """What is to be changed at a table; what is left out stays as it is.

    A `clock` of null means no limit of time. `stand_in` is the bot that takes missed turns at a table for more than
    two, "" for none. Bots called `fill_bot` take the seats that are empty `fill_after` hours from now; 0 for never.
    """

    fill_after: NotRequired[int | None]
    fill_bot: NotRequired[str]
    name: NotRequired[str | None]
    public: NotRequired[bool | None]
    stand_in: NotRequired[str | None]
    clock: NotRequired[ClockRequest | None]
    choose: NotRequired[bool | None]


class Channel(TypedDict):
    """The channel to which a game is to be posted: its number, 0 for none, its host, and the player who has set it.

    Nothing is posted before those in `waits_for` have agreed.
    """

    channel: int
    #: the same number, as it was called at first
    chat: int
    host: str
    by: str
    waits_for: list[str]


class VariantLine(TypedDict):
    """A board that can be played."""

    id: str
    seats: int
    colours: list[str]


class Piece(TypedDict):
    """A piece: how many of it a colour holds, and its cells as [x, y] from its own corner, in its first orientation."""

    name: str
    copies: int
    cells: list[tuple[int, int]]


class Variant(TypedDict):
    """A board as data: `cells` are the names of its cells by index, `starts` each colour's start cells by index.

    `lattice` is squares or triangles. `openers` are the pieces of which a colour's first placement has to be, for
    colours that may not open with any. `seating` gives each seat its colours, empty where they are chosen. `actions` is
    how many placements there are, legal or not: their ids count from 0.
    """

    id: str
    seats: int
    colours: list[str]
    width: int
    height: int
    lattice: str
    cells: list[str]
    starts: dict[str, list[int]]
    pieces: list[Piece]
    openers: dict[str, list[str]]
    seating: list[list[str]]
    shared: list[str]
    scorings: list[str]
    actions: int


class Bot(TypedDict):
    """A bot that can be seated, by the `name` that is stored with its games.

    `level` is its place on the ladder, from 0; null for a bot beside it. `simulations` are the games that it plays in
    its head for one move.
    """

    name: str
    level: int | None
    character: str
    simulations: int


class Results(TypedDict):
    """How a player's games of a variant ended, whatever its size."""

    variant: str
    won: int
    tied: int
    lost: int


class Reliability(TypedDict):
    """How far others can rely on a player, from their last 50 turns and 20 games with other people and clocks.

    `in_time` of a hundred turns were made in time, half of the replies took at most `usual` seconds, and of `games`
    that have ended `finished` were played to the end.
    """

    turns: int
    in_time: int
    usual: int
    games: int
    finished: int


class Here(TypedDict):
    """Whether a player is here now, and else the day of their last visit, in UTC."""

    online: bool
    day: str


class Rating(TypedDict):
    """How strong a player is in a family of variants: points, give or take the `deviation`, from so many rated games.

    It is `provisional` until it is known to within 100 points.
    """

    family: str
    points: int
    deviation: int
    games: int
    provisional: bool


class Player(TypedDict):
    """A player: how their finished games ended, counted where you may see them; and their ratings.

    `reliability` is null for players with fewer than ten turns.
    `against_you` are the games that you have finished together, from your side: who of you two had the better place. It
    is empty for yourself, and without a token. `here` is null where they do not let you see when they were here.
    """

    name: str
    guest: bool
    since: str
    won: int
    tied: int
    lost: int
    results: list[Results]
    reliability: Reliability | None
    against_you: list[Results]
    here: Here | None
    ratings: list[Rating]


class Ranked(TypedDict):
    """A player on the list of a family, the strongest first; `provisional` ones last, and only on short lists and those
    of groups.
    """

    name: str
    points: int
    deviation: int
    games: int
    provisional: bool


class Mover(TypedDict):
    """A player whose rating of a family yesterday's games moved, and by how much; `points` are those of today."""

    name: str
    points: int
    change: int


class Blocked(TypedDict):
    """A player you have blocked or muted; no one else is told."""

    name: str
    since: str


class Followed(TypedDict):
    """A player you follow; a `friend` follows you too. `here` is null where they do not let you see it."""

    name: str
    friend: bool
    here: Here | None


class Seek(TypedDict):
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
    rests_until: str | None


class SeekRequest(TypedDict):
    """What you always want to play: up to `number` games, one to five, of a variant at a pace.

    `pace` is evening, fast, normal, slow or unlimited. Bots take the empty seats of your table after `bots_after`
    minutes: 0 for never, 5, 15, 30, or whole hours from the list of a new table.
    """

    variant: str
    pace: NotRequired[str]
    rated: NotRequired[bool]
    number: NotRequired[int]
    bots_after: NotRequired[int]


class GroupLine(TypedDict):
    """A group of yours: what you may do in it, how many members it has, and how many of its tables wait for players."""

    slug: str
    name: str
    owner: str
    role: str
    members: int
    waiting: int


class NamingGroup(TypedDict):
    """The `name` of a group; without one it is called after its owner."""

    name: NotRequired[str]


class GroupMember(TypedDict):
    """A member of a group, and what they may do in it."""

    name: str
    role: str
    since: str


class Group(TypedDict):
    """A group of yours: what you may do in it, its members, and the `token` of its link, by which others may join.

    `name` is empty where it is called after its owner. `standing` is the variant of the table that it always has, null
    without one.
    """

    slug: str
    name: str
    owner: str
    role: str
    token: str
    standing: str | None
    members: list[GroupMember]


class GroupGame(TypedDict):
    """A game of a group: who sits there, `players` by name, and who has won."""

    slug: str
    name: str
    variant: str
    status: str
    players: list[str]
    winners: list[str]
    changed_at: str


class GroupGames(TypedDict):
    """The games of a group: those that are `open` to join, those that are `running`, and the last that are finished."""

    open: list[GroupGame]
    running: list[GroupGame]
    finished: list[GroupGame]


class StandingRequest(TypedDict):
    """The table that a group is always to have: its board, and its terms as those of any table; all seats are open."""

    variant: str
    scoring: NotRequired[str]
    name: NotRequired[str]
    public: NotRequired[bool | None]
    rated: NotRequired[bool | None]
    declares_passes: NotRequired[bool]
    hints: NotRequired[bool]
    advice: NotRequired[bool | None]
    explanations: NotRequired[bool | None]
    takebacks: NotRequired[bool | None]
    texts: NotRequired[bool]
    bot_pause: NotRequired[int]
    paused: NotRequired[bool]
    min_reliability: NotRequired[int]
    stand_in: NotRequired[str]
    clock: NotRequired[ClockRequest | None]
    drawn: NotRequired[bool]
    choose: NotRequired[bool]


class Study(TypedDict):
    """A study: `shared` says that everybody who has its address may see it. What changes it names its `edition`."""

    slug: str
    title: str
    variant: str
    moves: int
    shared: bool
    created_at: str
    edition: int


class StudyComment(TypedDict):
    """What a person has written in a study after so many moves: of the game where `branch` is 0, else of the variation
    through the turn of that number, as the record counts them. The text of a `hidden` one is empty.
    """

    id: int
    author: str
    branch: int
    move: int
    text: str
    hidden: bool
    written_at: str


class StudyPlace(TypedDict):
    """A position of a study: after so many moves, of the game where `branch` is 0, else of the variation there."""

    branch: int
    move: int


class StudyEditor(TypedDict):
    """A person whom the owner of a study lets write in it."""

    name: str


# The end of what is generated.


class Client:
    """Speaks to one site for the owner of a token; without a token it sees what everybody may see.

    Not for several threads at once. `timeout` are the seconds in which an answer must begin. `patience` are those that
    one request may go on for in all, waits included, before what stood in its way is raised. `language` is that of
    sentences, "en" or "fr".
    """

    def __init__(
        self, url: str, token: str = "", *, language: str = "", timeout: float = 30.0, patience: float = 300.0
    ) -> None:
        self.root = f"{url.rstrip('/')}/api/v1/"
        self.timeout, self.patience = timeout, patience
        self._headers = {"Accept": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        if language:
            self._headers["Accept-Language"] = language
        self._known: dict[str, tuple[str, bytes]] = {}

    # You.

    def me(self) -> Me:
        """Say for whom the token acts."""
        return cast(Me, self._get("me"))

    def games(self) -> MyGames:
        """List your games that are not over: `turn` are those that wait for you, the nearest deadline first."""
        return cast(MyGames, self._get("games"))

    def finished(self, cursor: str = "", limit: int = 100) -> FinishedPage:
        """List finished games of yours, the latest first; `cursor` is the `next` of the page before."""
        return cast(FinishedPage, self._get("me/games", cursor=cursor, limit=limit))

    def all_finished(self) -> Iterator[FinishedGame]:
        """Yield your finished games, the latest first."""
        cursor = ""
        while True:
            page = self.finished(cursor)
            yield from page["games"]
            cursor = page["next"]
            if not cursor:
                return

    def export(self) -> Iterator[ExportedGame]:
        """Yield your finished games with their records, the latest first; an answer that was cut off goes on."""
        cursor, whole = "", False
        while not whole:
            lines = self._ask("GET", "me/games.ndjson", query={"cursor": cursor}).decode().splitlines(keepends=True)
            told = [json.loads(line) for line in lines if line.endswith("\n")]
            # The last line of a whole answer says where the next one begins.
            is_whole = bool(told) and "slug" not in told[-1]
            if not told:
                raise OSError("The site has sent no game and no end.")
            following = told.pop()["next"] if is_whole else told[-1]["slug"]
            yield from cast("list[ExportedGame]", told)
            whole, cursor = is_whole and not following, following

    def follow(self) -> Iterator[dict[str, Any]]:
        """Yield what happens in your games, without an end: each has a `type`.

        At first, and after every break, `games` has the lists of `games()`; then come `invited`, `started`, `my_turn`,
        `finished` and `cancelled`, each with the game as it stands in a list.
        """
        return self._lines("stream", {})

    # Webhooks: what `follow` yields, sent to an address of yours.

    def webhooks(self) -> list[Webhook]:
        """List the webhooks that were set up with this token."""
        return cast("list[Webhook]", self._get("webhooks"))

    def add_webhook(self, address: str) -> NewWebhook:
        """Send what happens in your games to an address from now on; the webhook is deleted with the token."""
        return cast(NewWebhook, self._post("webhooks", {"address": address}))

    def try_webhook(self, webhook: int) -> None:
        """Send a message of the type `test`; `webhooks` says how it went."""
        self._post(f"webhooks/{webhook}/test", {})

    def remove_webhook(self, webhook: int) -> None:
        """Send nothing any more to a webhook that was set up with this token."""
        self._post(f"webhooks/{webhook}/delete", {})

    # Games.

    def game(self, slug: str, token: str = "") -> Game:
        """Show a game as you see it; `token` is the secret of an invitation link.

        While nothing has changed, nothing but that is sent.
        """
        return cast(Game, self._get(f"games/{_part(slug)}", token=token))

    def follow_game(self, slug: str, token: str = "") -> Iterator[Game]:
        """Yield a game as it is now, and again after every change, until it is over."""
        query: dict[str, str | int] = {"token": token}
        for line in self._lines(f"games/{_part(slug)}/stream", query):
            game = cast(Game, line)
            # After a break nothing is said again that is known.
            query["version"] = game["version"]
            yield game
            if game["status"] in {"finished", "cancelled"}:
                return

    def wait(self, game: Game, *, every: float = 5.0) -> Game:
        """Return the game once anything of it has changed, looking again after so many seconds."""
        while (now := self.game(game["slug"]))["version"] == game["version"]:
            time.sleep(every)
        return now

    def placements(self, slug: str, *, colour: str = "", piece: str = "", texts: bool = False) -> Legal:
        """List the legal placements of a colour, by default of the one to play; `piece` names the only one wanted."""
        asked = {"colour": colour, "piece": piece, "texts": "true" if texts else ""}
        return cast(Legal, self._get(f"games/{_part(slug)}/placements", **asked))

    def record(
        self, slug: str, kind: Literal["json", "blksgf"] = "json", token: str = "", *, branches: bool = False
    ) -> str:
        """Return the record of a game so far, with `branches` also what you have tried in it: the text of a file."""
        asked = {"format": kind, "token": token, "branches": "true" if branches else ""}
        return self._ask("GET", f"games/{_part(slug)}/record", query=asked).decode()

    # Moves. Each is for the move of that number, and refused with `stale-game` if another is due by then.

    def play_placement(self, slug: str, number: int, *, placement: str = "", id: int | None = None) -> Played:  # noqa: A002
        """Place a piece, by its text (`V3:a1,b1,a2`) or by its id."""
        body = {"number": number, "placement": placement, "id": id, "key": _key()}
        return cast(Played, self._post(f"games/{_part(slug)}/place", body, is_repeatable=True))

    def try_placement(self, slug: str, number: int, *, placement: str = "", id: int | None = None) -> Tried:  # noqa: A002
        """Find out whether you could place that; nothing changes, and a `Problem` says why not and where."""
        body = {"number": number, "placement": placement, "id": id}
        return cast(Tried, self._post(f"games/{_part(slug)}/try", body, is_repeatable=True))

    def pass_turn(self, slug: str, number: int) -> Played:
        """Pass for a colour that has no legal placement, at a table that declares passes."""
        return cast(
            Played, self._post(f"games/{_part(slug)}/pass", {"number": number, "key": _key()}, is_repeatable=True)
        )

    def resign(self, slug: str) -> Played:
        """Give the game up, on any turn; once is enough."""
        return cast(Played, self._post(f"games/{_part(slug)}/resign", {}, is_repeatable=True))

    def come_back(self, slug: str) -> Played:
        """Take your turns again after a bot has taken them for you."""
        return cast(Played, self._post(f"games/{_part(slug)}/back", {}))

    def reopen_game(self, slug: str) -> None:
        """Take up a game again that is put away."""
        self._post(f"games/{_part(slug)}/reopen", {})

    def phrases(self) -> list[Phrase]:
        """List the ready phrases of tables in your language."""
        return cast(list[Phrase], self._get("phrases"))

    def messages(self, slug: str, before: int = 0) -> Talk:
        """List what the players of a game in which you sit have said: the last 50 lines, or the last before that id."""
        return cast(Talk, self._get(f"games/{_part(slug)}/messages", before=before or ""))

    def send_message(self, slug: str, **wish: Unpack[MessageRequest]) -> Message:
        """Say something to the players of a game in which you sit: a ready phrase by its key, or a text."""
        return cast(Message, self._post(f"games/{_part(slug)}/messages", wish))

    def read_messages(self, slug: str, last: int) -> None:
        """Note that you have read what was said in a game up to the line of that id."""
        self._post(f"games/{_part(slug)}/messages/read", {"last": last})

    def reactions(self, slug: str) -> list[Reaction]:
        """List what the players of a game in which you sit have said of its placements by marks."""
        return cast("list[Reaction]", self._get(f"games/{_part(slug)}/reactions"))

    def give_reaction(self, slug: str, **wish: Unpack[ReactionRequest]) -> list[Reaction]:
        """Give a placement of another player one of six marks, in place of the one you gave before; list all."""
        return cast("list[Reaction]", self._post(f"games/{_part(slug)}/reactions", wish))

    def drop_reaction(self, slug: str, number: int) -> list[Reaction]:
        """Take back the mark that you gave to a placement; list all others."""
        return cast("list[Reaction]", self._post(f"games/{_part(slug)}/reactions/drop", {"number": number}))

    def report_line(self, slug: str, line: int, **wish: Unpack[ReportRequest]) -> None:
        """Report a line that you can read to the moderators, who see a copy of it and what is around it."""
        self._post(f"games/{_part(slug)}/messages/{line}/report", wish)

    def report_table(self, slug: str, **wish: Unpack[TableReportRequest]) -> None:
        """Report somebody at a table to the moderators, who see its name."""
        self._post(f"games/{_part(slug)}/report", wish)

    def note(self, slug: str) -> Note:
        """Show your note about a game: an empty text of edition 0 where you have written none."""
        return cast(Note, self._get(f"games/{_part(slug)}/note"))

    def keep_note(self, slug: str, text: str, edition: int) -> Note:
        """Store your note about a game in place of the edition that you have read."""
        return cast(Note, self._post(f"games/{_part(slug)}/note", {"text": text, "edition": edition}))

    # Hints and reviews.

    def advice(self, slug: str) -> Advice:
        """Show the hints for your turn: how far they have come, then good placements."""
        return cast(Advice, self._get(f"games/{_part(slug)}/advice"))

    def ask_for_advice(self, slug: str) -> Advice:
        """Ask for hints for your turn; `advice` has them once its state is ready."""
        return cast(Advice, self._post(f"games/{_part(slug)}/advice", {}))

    def review(self, slug: str, token: str = "") -> Review:
        """Show the review of a finished game: how far it has come, then what was found."""
        return cast(Review, self._get(f"games/{_part(slug)}/review", token=token))

    def ask_for_review(self, slug: str, token: str = "") -> Review:
        """Ask for the review of a finished game; `review` has the findings once its state is done."""
        return cast(Review, self._post(f"games/{_part(slug)}/review", {"token": token}))

    def cancel_review(self, slug: str, token: str = "") -> Review:
        """Cancel the review that is under way."""
        return cast(Review, self._post(f"games/{_part(slug)}/review/cancel", {"token": token}))

    # Branches: what you try from the positions of a game, which no one else sees.

    def branches(self, slug: str, token: str = "") -> Branches:
        """Return what you have tried in a game, and its edition."""
        return cast(Branches, self._get(f"games/{_part(slug)}/branches", token=token))

    def extend_branch(
        self, slug: str, move: str, *, node: int = 0, after: int | None = None, token: str = ""
    ) -> TriedIn:
        """Try a move after the tried one of number `node`, or in the game after so many moves; trying twice is once."""
        body = {"move": move, "node": node, "after": after, "token": token}
        return cast(TriedIn, self._post(f"games/{_part(slug)}/branches", body, is_repeatable=True))

    def name_branch(self, slug: str, node: int, name: str, *, edition: int, token: str = "") -> Branches:
        """Name what begins with a tried move."""
        body = {"node": node, "name": name, "edition": edition, "token": token}
        return cast(Branches, self._post(f"games/{_part(slug)}/branches/name", body))

    def remove_branch(self, slug: str, node: int, *, edition: int, token: str = "") -> Branches:
        """Remove a tried move and all that follow it."""
        body = {"node": node, "edition": edition, "token": token}
        return cast(Branches, self._post(f"games/{_part(slug)}/branches/remove", body))

    def undo_branch(self, slug: str, *, edition: int, redo: bool = False, token: str = "") -> Branches:
        """Undo the last change of your branches, or make it again."""
        body = {"edition": edition, "redo": redo, "token": token}
        return cast(Branches, self._post(f"games/{_part(slug)}/branches/undo", body))

    def mistakes(self) -> list[Mistake]:
        """Return your mistakes in reviewed games, those that are due first."""
        return cast(list[Mistake], self._get("mistakes"))

    def puzzles(self, until: str = "") -> list[Puzzle]:
        """Return the puzzles of the last 30 days, or of those up to a day; no token is needed."""
        return cast(list[Puzzle], self._get("puzzles", until=until))

    def puzzle(self, day: str) -> Puzzle:
        """Return the puzzle of a day that has come, such as 2026-11-29; no token is needed."""
        return cast(Puzzle, self._get(f"puzzles/{_part(day)}"))

    def try_puzzle(self, day: str, move: str, placed: Sequence[str] = ()) -> PuzzleTried:
        """Try a placement, after what was placed right before it; without a token nothing of it is kept."""
        return cast(PuzzleTried, self._post(f"puzzles/{_part(day)}/try", {"move": move, "placed": list(placed)}))

    def take_hint(self, day: str, level: int, placed: Sequence[str] = ()) -> PuzzleHint:
        """Take a hint: 1 which piece, 2 also about where, 3 the answer; no token is needed."""
        return cast(PuzzleHint, self._post(f"puzzles/{_part(day)}/hint", {"level": level, "placed": list(placed)}))

    # Pauses; `version` and `request` are those of the game's `pause`.

    def ask_for_pause(self, slug: str, version: int) -> Game:
        """Ask the others for a pause, or agree where one of them has asked."""
        return cast(Game, self._post(f"games/{_part(slug)}/pause/ask", {"version": version}))

    def agree_to_pause(self, slug: str, request: int) -> Game:
        """Agree to the pause that another player wants."""
        return cast(Game, self._post(f"games/{_part(slug)}/pause/agree", {"request": request}))

    def drop_pause_request(self, slug: str, request: int) -> Game:
        """Withdraw your request for a pause, or decline another player's."""
        return cast(Game, self._post(f"games/{_part(slug)}/pause/drop", {"request": request}))

    def end_pause(self, slug: str, version: int) -> Game:
        """End the pause."""
        return cast(Game, self._post(f"games/{_part(slug)}/pause/end", {"version": version}))

    def give_day(self, slug: str, number: int) -> Game:
        """Give the player who is to make the move of that number one more day, once in a game."""
        return cast(Game, self._post(f"games/{_part(slug)}/give-day", {"number": number}))

    def holidays(self) -> Holidays:
        """Show what you have left of your holidays, and what you have taken."""
        return cast(Holidays, self._get("holidays"))

    def take_holiday(self, first: str, last: str) -> Holidays:
        """Take a holiday from one day to another, both included, each as "2027-07-31"."""
        return cast(Holidays, self._post("holidays", {"first": first, "last": last}))

    def choose_holidays(self, *, automatic: bool) -> Holidays:
        """Choose whether a day of your holidays is taken when your time would run out."""
        return cast(Holidays, self._post("holidays/choose", {"automatic": automatic}))

    # What you plan for your next turns; `number` is the game's, `edition` that of the plan that you have read.

    def plan(self, slug: str) -> Plan:
        """Show what you have planned in a game; only you can see it."""
        return cast(Plan, self._get(f"games/{_part(slug)}/plan"))

    def set_plan(self, slug: str, turns: Sequence[PlannedTurnRequest], *, number: int, edition: int) -> Plan:
        """Plan your next turns, each a list of moves of which the first that can be made is."""
        wanted = {"turns": list(turns), "number": number, "edition": edition}
        return cast(Plan, self._post(f"games/{_part(slug)}/plan", wanted))

    def clear_plan(self, slug: str) -> Plan:
        """Give up what you have planned in a game."""
        return cast(Plan, self._post(f"games/{_part(slug)}/plan/clear", {}))

    # Moves taken back; `number` is the game's, `request` that of its `takeback`.

    def ask_for_takeback(self, slug: str, number: int, *, alone: bool = False) -> Game:
        """Take your last move back: at once among bots, or while no one else was shown it; or ask the others to agree.

        With `alone` nobody is asked.
        """
        return cast(Game, self._post(f"games/{_part(slug)}/takeback/ask", {"number": number, "alone": alone}))

    def agree_to_takeback(self, slug: str, request: int) -> Game:
        """Agree that another player takes a move back."""
        return cast(Game, self._post(f"games/{_part(slug)}/takeback/agree", {"request": request}))

    def drop_takeback_request(self, slug: str, request: int) -> Game:
        """Withdraw your request to take a move back, or decline another player's."""
        return cast(Game, self._post(f"games/{_part(slug)}/takeback/drop", {"request": request}))

    def pause_game(self, slug: str, version: int) -> Game:
        """Pause the game between bots that you have opened."""
        return cast(Game, self._post(f"games/{_part(slug)}/bots/pause", {"version": version}))

    def resume_game(self, slug: str, version: int) -> Game:
        """Resume the paused game between bots that you have opened."""
        return cast(Game, self._post(f"games/{_part(slug)}/bots/resume", {"version": version}))

    def step_game(self, slug: str, number: int, version: int) -> Game:
        """Ask for one move of the bots that wait; it comes a moment later."""
        return cast(Game, self._post(f"games/{_part(slug)}/bots/step", {"number": number, "version": version}))

    # Tables.

    def lobby(self) -> list[TableLine]:
        """List the public tables that wait for players, the newest first."""
        return cast("list[TableLine]", self._get("lobby"))

    def create_game(self, variant: str, seats: Sequence[SeatRequest], **terms: Any) -> Game:
        """Open a table; without an empty seat the game begins at once.

        `terms` are further parts of the request, as the site's page of its API lists them: clock, name, public,
        drawn, choose, hints …
        """
        return cast(Game, self._post("games", {"variant": variant, "seats": list(seats), **terms}))

    def join_game(self, slug: str, *, seat: int | None = None, colour: str = "", token: str = "") -> Game:
        """Take a seat at a table, or accept an invitation to it; joining twice is joining once."""
        body = {"seat": seat, "colour": colour, "token": token}
        return cast(Game, self._post(f"games/{_part(slug)}/join", body, is_repeatable=True))

    def leave_game(self, slug: str) -> None:
        """Empty your seat at a table that has not started."""
        self._post(f"games/{_part(slug)}/leave", {})

    def decline_invitation(self, slug: str) -> None:
        """Say no to an invitation."""
        self._post(f"games/{_part(slug)}/decline", {})

    def choose_seat(self, slug: str, colour: str) -> Game:
        """Choose another colour at a table where players choose."""
        return cast(Game, self._post(f"games/{_part(slug)}/seat", {"colour": colour}))

    def edit_table(self, slug: str, **changes: Unpack[TableChanges]) -> Game:
        """Change what is agreed at the table that you have opened; what is left out stays as it is."""
        return cast(Game, self._post(f"games/{_part(slug)}/edit", changes))

    def swap_seats(self, slug: str, one: int, other: int) -> Game:
        """Exchange two seats of the table that you have opened."""
        return cast(Game, self._post(f"games/{_part(slug)}/swap", {"one": one, "other": other}))

    def remove_player(self, slug: str, seat: int, reason: str = "other") -> Game:
        """Empty a seat of the table that you have opened; the reason is kept, silent, plans or other."""
        return cast(Game, self._post(f"games/{_part(slug)}/remove", {"seat": seat, "reason": reason}))

    def fill_seats(self, slug: str, bot: str) -> Game:
        """Fill the empty seats of the table that you have opened with bots, which starts the game."""
        return cast(Game, self._post(f"games/{_part(slug)}/fill", {"bot": bot}))

    def set_game_channel(self, slug: str, address: str) -> None:
        """Post the news of a game to a channel, by the address of its webhook, once all at the table agree."""
        self._post(f"games/{_part(slug)}/webhook", {"address": address})

    def game_channel(self, slug: str) -> Channel:
        """Return the channel to which a game is to be posted, and who has yet to agree."""
        return cast(Channel, self._get(f"games/{_part(slug)}/webhook"))

    def agree_to_channel(self, slug: str, channel: int) -> None:
        """Agree that a game is posted to the channel of that number."""
        self._post(f"games/{_part(slug)}/webhook/agree", {"channel": channel})

    def remove_game_channel(self, slug: str) -> None:
        """Post nothing about a game, before the first message or from now on."""
        self._post(f"games/{_part(slug)}/webhook/stop", {})

    # Deprecated: the same, as they were called at first.
    set_chat, chat, remove_chat = set_game_channel, game_channel, remove_game_channel

    def agree_to_chat(self, slug: str, chat: int) -> None:
        """Do the same as `agree_to_channel`, as it was called at first. Deprecated."""
        self.agree_to_channel(slug, chat)

    def cancel_game(self, slug: str) -> None:
        """Give up the table that you have opened."""
        self._post(f"games/{_part(slug)}/cancel", {})

    def open_rematch(self, slug: str, *, rotated: bool = False) -> Game:
        """Open the table that follows a finished game, or sit down at it where another player has opened it."""
        return cast(Game, self._post(f"games/{_part(slug)}/rematch", {"rotated": rotated}))

    def repeat_table(self, slug: str) -> Game:
        """Open a table for the people of any finished game of yours, or sit down at the one that waits for them."""
        return cast(Game, self._post(f"games/{_part(slug)}/again", {}))

    # Boards.

    def variants(self) -> list[VariantLine]:
        """List the boards that can be played."""
        return cast("list[VariantLine]", self._get("variants"))

    def variant(self, variant: str) -> Variant:
        """Show a board as data."""
        return cast(Variant, self._get(f"variants/{_part(variant)}"))

    # Players and bots.

    def bots(self) -> list[Bot]:
        """List the bots that can be seated, from the weakest."""
        return cast("list[Bot]", self._get("bots"))

    def player(self, name: str) -> Player:
        """Show a player."""
        return cast(Player, self._get(f"players/{_part(name)}"))

    def player_games(self, name: str, cursor: str = "", limit: int = 100) -> FinishedPage:
        """List the finished games of a player that you may see, the latest first; `me` is the player's seat."""
        return cast(FinishedPage, self._get(f"players/{_part(name)}/games", cursor=cursor, limit=limit))

    def ratings(self, family: str, since: str = "") -> list[Ranked]:
        """List the people with the highest ratings in a family of variants, such as blockyou-4, duo or trigon.

        `since` is "year" or "month" for those alone who have finished a rated game of it in that time.
        """
        return cast("list[Ranked]", self._get(f"ratings/{_part(family)}", since=since))

    def movers(self, family: str) -> list[Mover]:
        """List those on the list of a family whose ratings yesterday's games (UTC) moved most, up or down."""
        return cast("list[Mover]", self._get(f"ratings/{_part(family)}/movers"))

    def blocked(self) -> list[Blocked]:
        """List the people you have blocked, the last first."""
        return cast("list[Blocked]", self._get("blocked"))

    def block_person(self, name: str) -> None:
        """Block a player: from now on neither of you joins or invites the other; they are not told."""
        self._post(f"players/{_part(name)}/block", {})

    def unblock_person(self, name: str) -> None:
        """Unblock a player."""
        self._post(f"players/{_part(name)}/unblock", {})

    def report_player(self, name: str, **wish: Unpack[ReportRequest]) -> None:
        """Report a player to the moderators, who see a copy of the name."""
        self._post(f"players/{_part(name)}/report", wish)

    def muted(self) -> list[Blocked]:
        """List the people you have muted, the last first."""
        return cast("list[Blocked]", self._get("muted"))

    def mute_person(self, name: str) -> None:
        """Mute a player: you are not shown what they write at your tables; they are not told."""
        self._post(f"players/{_part(name)}/mute", {})

    def unmute_person(self, name: str) -> None:
        """Unmute a player."""
        self._post(f"players/{_part(name)}/unmute", {})

    def people(self) -> list[Followed]:
        """List the people you follow, by their names."""
        return cast("list[Followed]", self._get("people"))

    def follow_person(self, name: str) -> None:
        """Follow a player, who is not notified."""
        self._post(f"players/{_part(name)}/follow", {})

    def unfollow_person(self, name: str) -> None:
        """Follow a player no longer."""
        self._post(f"players/{_part(name)}/unfollow", {})

    # Standing seeks.

    def seeks(self) -> list[Seek]:
        """List your standing seeks: what you always want to play, and how far that is so."""
        return cast("list[Seek]", self._get("seeks"))

    def set_seek(self, **wish: Unpack[SeekRequest]) -> list[Seek]:
        """Keep up to so many games of a kind under way: the site seats you. The same kind again changes its number."""
        return cast("list[Seek]", self._post("seeks", wish))

    def drop_seek(self, seek: int) -> None:
        """End a standing seek of yours; games that are under way go on."""
        self._post(f"seeks/{seek}/stop", {})

    # Groups.

    def groups(self) -> list[GroupLine]:
        """List the groups to which you belong, the last joined first."""
        return cast("list[GroupLine]", self._get("groups"))

    def create_group(self, **wish: Unpack[NamingGroup]) -> Group:
        """Make a group, which you own."""
        return cast(Group, self._post("groups", wish))

    def join_group(self, token: str) -> Group:
        """Join a group by the secret of its link. Twice is once."""
        return cast(Group, self._post("groups/join", {"token": token}))

    def group(self, group: str) -> Group:
        """Show a group of yours with its members."""
        return cast(Group, self._get(f"groups/{_part(group)}"))

    def games_of_group(self, group: str) -> GroupGames:
        """List the tables and running games of a group of yours, a dozen each, and its last finished games."""
        return cast(GroupGames, self._get(f"groups/{_part(group)}/games"))

    def ratings_of_group(self, group: str, family: str, since: str = "") -> list[Ranked]:
        """List the ratings of a group's members in a family of variants, the strongest first, provisional ones last.

        `since` is as in `ratings`.
        """
        return cast("list[Ranked]", self._get(f"groups/{_part(group)}/ratings/{_part(family)}", since=since))

    def movers_of_group(self, group: str, family: str) -> list[Mover]:
        """List the members of a group whose ratings of a family yesterday's games (UTC) moved most, up or down."""
        return cast("list[Mover]", self._get(f"groups/{_part(group)}/ratings/{_part(family)}/movers"))

    def leave_group(self, group: str) -> None:
        """Leave a group, and its tables that wait for players."""
        self._post(f"groups/{_part(group)}/leave", {})

    def rename_group(self, group: str, name: str) -> None:
        """Give a group that you own or keep another name."""
        self._post(f"groups/{_part(group)}/name", {"name": name})

    def renew_group_link(self, group: str) -> Group:
        """Give a group that you own or keep another link; the one before leads nowhere."""
        return cast(Group, self._post(f"groups/{_part(group)}/link", {}))

    def remove_member(self, group: str, name: str) -> None:
        """Take a member out of a group that you own or keep; its link is renewed."""
        self._post(f"groups/{_part(group)}/members/{_part(name)}/remove", {})

    def set_role(self, group: str, name: str, role: str) -> None:
        """Say what a member may do in a group that you own, or hand it on to them: owner, keeper or member."""
        self._post(f"groups/{_part(group)}/members/{_part(name)}/role", {"role": role})

    def set_standing_table(self, group: str, **wish: Unpack[StandingRequest]) -> Group:
        """Set the standing table of a group that you own or keep: when its game ends, the next one opens."""
        return cast(Group, self._post(f"groups/{_part(group)}/standing", wish))

    def drop_standing_table(self, group: str) -> None:
        """Remove the standing table of a group: no further one opens. The current game goes on."""
        self._post(f"groups/{_part(group)}/standing/stop", {})

    def delete_group(self, group: str) -> None:
        """End a group that you own. Its games stay with their players."""
        self._post(f"groups/{_part(group)}/delete", {})

    # Studies.

    def studies(self) -> list[Study]:
        """List your studies, the latest first."""
        return cast("list[Study]", self._get("studies"))

    def study(self, study: str) -> Study:
        """Show a study of yours, or one that is shared."""
        return cast(Study, self._get(f"studies/{_part(study)}"))

    def study_record(self, study: str, kind: Literal["json", "blksgf"] = "json") -> str:
        """Return the record that a study keeps: the text of a file."""
        return self._ask("GET", f"studies/{_part(study)}/record", query={"format": kind}).decode()

    def create_study(self, record: str | Mapping[str, Any], title: str = "") -> Study:
        """Keep a record as a study: the text of a .blksgf or .json file, or the JSON itself."""
        return cast(Study, self._post("studies", {"record": record, "title": title}))

    def create_study_from_game(self, slug: str, token: str = "") -> Study:
        """Keep a finished game as a study, with what its review has found."""
        return cast(Study, self._post(f"games/{_part(slug)}/study", {"token": token}))

    def study_comments(self, study: str) -> list[StudyComment]:
        """List what people have written in a study, the oldest first."""
        return cast("list[StudyComment]", self._get(f"studies/{_part(study)}/comments"))

    def write_comment(self, study: str, text: str, move: int, edition: int, branch: int = 0) -> StudyComment:
        """Write a comment after so many moves of a study, or of the variation through the turn `branch`.

        `edition` is that of the study that you have seen.
        """
        body = {"text": text, "move": move, "branch": branch, "edition": edition}
        return cast(StudyComment, self._post(f"studies/{_part(study)}/comments", body))

    def remove_comment(self, study: str, comment: int, edition: int) -> None:
        """Take a comment out of a study for good."""
        self._post(f"studies/{_part(study)}/comments/{comment}/remove", {"edition": edition})

    def report_comment(self, study: str, comment: int, reason: str, words: str = "") -> None:
        """Report a comment that you can read to the moderators. Twice is once."""
        self._post(f"studies/{_part(study)}/comments/{comment}/report", {"reason": reason, "words": words})

    def add_variation(self, study: str, placement: str, move: int, edition: int, branch: int = 0) -> StudyPlace:
        """Try another move in a study that you write in; the answer is where it leads."""
        body = {"placement": placement, "move": move, "branch": branch, "edition": edition}
        return cast(StudyPlace, self._post(f"studies/{_part(study)}/variations", body))

    def name_variation(self, study: str, name: str, branch: int, edition: int) -> None:
        """Give a variation of a study that you write in a name."""
        body = {"name": name, "branch": branch, "edition": edition}
        self._post(f"studies/{_part(study)}/variations/name", body)

    def remove_variation(self, study: str, branch: int, edition: int) -> None:
        """Remove a turn from the variations of a study that you write in, and all that follows it."""
        self._post(f"studies/{_part(study)}/variations/remove", {"branch": branch, "edition": edition})

    def undo_variation(self, study: str, edition: int, *, redo: bool = False) -> StudyPlace:
        """Undo the last change of the variations of a study that you write in; the answer is the place it was about."""
        body = {"edition": edition, "redo": redo}
        return cast(StudyPlace, self._post(f"studies/{_part(study)}/variations/undo", body))

    def editors(self, study: str) -> list[StudyEditor]:
        """List who writes in a study of yours beside you."""
        return cast("list[StudyEditor]", self._get(f"studies/{_part(study)}/editors"))

    def add_editor(self, study: str, name: str) -> StudyEditor:
        """Add a player whom you follow or have played with to a study of yours as an editor. Twice is once."""
        return cast(StudyEditor, self._post(f"studies/{_part(study)}/editors", {"name": name}))

    def remove_editor(self, study: str, name: str) -> None:
        """Remove an editor from a study of yours; what they wrote stays."""
        self._post(f"studies/{_part(study)}/editors/{_part(name)}/remove", {})

    def leave_study(self, study: str) -> None:
        """Write no more in the study of another; what you wrote stays."""
        self._post(f"studies/{_part(study)}/leave", {})

    def share_study(self, study: str, *, shared: bool = True) -> Study:
        """Share your study with everybody who has its address, or with nobody."""
        return cast(Study, self._post(f"studies/{_part(study)}/share", {"shared": shared}))

    def delete_study(self, study: str) -> None:
        """Delete your study for good."""
        self._post(f"studies/{_part(study)}/delete", {})

    # Requests.

    def _get(self, path: str, **query: str | int) -> Any:
        return json.loads(self._ask("GET", path, query=query))

    def _post(self, path: str, body: Mapping[str, Any], *, is_repeatable: bool = False) -> Any:
        """Return what answers it, None for nothing."""
        found = self._ask("POST", path, body=body, is_repeatable=is_repeatable)
        return json.loads(found) if found else None

    def _ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str | int] | None = None,
        body: Mapping[str, Any] | None = None,
        is_repeatable: bool = False,
    ) -> bytes:
        """Return the body of the answer to a request, which is sent again where that helps and does no harm.

        Raises:
            Problem: the site has refused it.
            OSError, HTTPException: the site was not reached, or the answer did not arrive whole.

        """
        address = self._address(path, query or {})
        ends = time.monotonic() + self.patience
        attempt = 0
        while True:
            try:
                return self._sent(method, address, body)
            except (Problem, OSError, HTTPException) as error:
                pause = _pause_after(error, attempt, is_repeatable=is_repeatable or method == "GET")
                if pause is None or time.monotonic() + pause > ends:
                    raise
            attempt += 1
            time.sleep(pause)

    def _lines(self, path: str, query: Mapping[str, str | int]) -> Iterator[dict[str, Any]]:
        """Yield what the lines of a stream say; after a break it is asked for again, with the query as it is then.

        Raises:
            Problem: the site has refused it.
            OSError, HTTPException: the site was not reached for as long as this client is patient.

        """
        attempt, began = 0, 0.0
        while True:
            pause = _pause(attempt)
            if not attempt:
                began = time.monotonic()
            request = urllib.request.Request(self._address(path, query), headers=self._headers)  # noqa: S310
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as lines:  # noqa: S310
                    for line in lines:
                        attempt, began, pause = 0, time.monotonic(), _pause(0)
                        if line.strip():
                            yield json.loads(line)
            except urllib.error.HTTPError as error:
                with error:
                    problem = _problem(error)
                pause = float(problem.retry_after or pause)
                if problem.status not in (429, *LOST) or time.monotonic() + pause > began + self.patience:
                    raise problem from None
            except (OSError, HTTPException, ValueError):
                if time.monotonic() + pause > began + self.patience:
                    raise
            attempt += 1
            time.sleep(pause)

    def _address(self, path: str, query: Mapping[str, str | int]) -> str:
        asked = urlencode({name: value for name, value in query.items() if value != ""})
        return self.root + path + (f"?{asked}" if asked else "")

    def _sent(self, method: str, address: str, body: Mapping[str, Any] | None) -> bytes:
        """Return the body of the answer to one request; that of before where nothing has changed since."""
        headers, data = dict(self._headers), None
        tag, known = self._known.get(address, ("", b"")) if method == "GET" else ("", b"")
        if tag:
            headers["If-None-Match"] = tag
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(address, data, headers, method=method)  # noqa: S310  (the user's own site)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
                found: bytes = answer.read()
                self._remember(address, str(answer.headers.get("ETag") or ""), found)
                return found
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 304:
                    return known
                raise _problem(error) from None

    def _remember(self, address: str, tag: str, found: bytes) -> None:
        self._known.pop(address, None)
        if tag:
            self._known[address] = (tag, found)
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]


def _problem(error: urllib.error.HTTPError) -> Problem:
    """Return what an answer says that is none; a proxy in between may say it in its own way."""
    try:
        body = json.loads(error.read())
    except (OSError, HTTPException, ValueError):
        body = {}
    after = error.headers.get("Retry-After") or ""
    return Problem(error.code, body if isinstance(body, dict) else {}, int(after) if after.isdecimal() else None)


def _part(text: str) -> str:
    return quote(text, safe="")


def _pause_after(error: Exception, attempt: int, *, is_repeatable: bool) -> float | None:
    """Return for how many seconds to wait before a request that failed so is sent again, None where it is not to be."""
    if isinstance(error, Problem):
        # The site has not begun with what it puts off, so that it is always safe to ask again.
        if error.status in (429, 503) and error.retry_after is not None:
            return float(error.retry_after)
        is_repeatable = is_repeatable and error.status in LOST
    return _pause(attempt) if is_repeatable else None


def _pause(attempt: int) -> float:
    """Return for how many seconds to wait after that many attempts."""
    return PAUSES[min(attempt, len(PAUSES) - 1)]


def _key() -> str:
    """Return the name of a request, by which the site knows it again."""
    return secrets.token_urlsafe(12)
