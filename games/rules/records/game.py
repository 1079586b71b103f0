"""A game with all that is kept of it in a file: also who played, and what was written to its turns."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games.rules.errors import OVERLAP, Phrase, UnreadableRecord
from games.rules.frozen import FrozenMapping
from games.rules.geometry import Point
from games.rules.legality import refusal
from games.rules.placement import Placement, table_for
from games.rules.position import Position
from games.rules.record import Record, play_on
from games.rules.records.comments import LONGEST_COMMENT, LONGEST_COMMENTS, clean_lines, too_long_beside
from games.rules.records.thinking import SeatedBot, Thinking
from games.rules.records.variations import VariedTurn, checked_variations, variation_line
from games.rules.variants import Variant, get_variant

LONGEST_NAME = 100
#: More players are not looked at, even where the names of those beyond the seats are empty.
MOST_NAMES = 100

#: More reasons are not kept of a turn.
MOST_REASONS = 10
_REASON = Phrase("An engine's reason")

#: The details of a game that are one line of text each.
DETAILS = ("title", "event", "round", "date", "result")
_CALLED = {
    "title": Phrase("The title"),
    "event": Phrase("The event"),
    "round": Phrase("The round"),
    "date": Phrase("The date"),
    "result": Phrase("The result"),
}

#: More pauses are not kept of a game.
MOST_SPANS = 1_000

#: The moments of a whole game that its record keeps, and how one is written. The rules know no calendar.
MOMENTS = ("opened", "started", "ended")
_MOMENT = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII)


def _checked_moment(text: str) -> str:
    if text and not _MOMENT.fullmatch(text):
        raise UnreadableRecord("A time in a record has to be written as 2026-11-25T09:30:00.000Z.")
    return text


def clean_line(text: str) -> str:
    """Return a text as one line without control characters."""
    return " ".join(filter(None, map(str.strip, clean_lines(text).split("\n"))))


@dataclass(frozen=True)
class TurnsTakenBack:
    """Turns that were taken back, by the player in a seat: `turns` as records write them, the first of the number
    `back_to`, and when, as moments are written. They are kept as they are told, and not played again.
    """

    back_to: int
    seat: int
    at: str
    turns: tuple[str, ...]


@dataclass(frozen=True)
class GameRecord:
    """A game as a file holds it; two are equal where they tell the same.

    `placed` are the colours and canonical texts of what lies there before the first turn, and `to_play`
    is the colour that has it, None for the first of the order. `comments` are by number of the turn: 0 is
    before the first. `players` has a name for each seat, empty where none is known. `thoughts` are what
    programs thought, by number of the turn, and `bots` what their seats were opened with, by seat from 0. `opened`,
    `started` and `ended` say when that happened to the game, and `played` when each turn was, by its number: texts in
    UTC as `2026-11-25T09:30:00.000Z`, empty where it is not known.
    `pauses` are those on which its players agreed, from the oldest to the latest: such texts of when each began and
    ended, the latter empty while it lasts. `taken_back` are the times at which turns were taken back, in order.
    `days` are those that players gave each other, from the oldest to the latest: when, for which turn by its number,
    and the seats of who gave it and of who got it. `holidays` say of which seat, when each began and when it ended.
    So many first turns were `given`: the game began at the position after them. `varied` are the turns of variations,
    which no result follows from.
    Texts are cleaned of control characters, and the colours and the scoring are always written.

    Raises:
        RulesError: there is no such variant, colour or scoring; a text is too long; a moment is no such text.

    """

    record: Record
    placed: tuple[tuple[str, str], ...] = ()
    to_play: str | None = None
    comments: Mapping[int, str] = field(default_factory=FrozenMapping)
    players: tuple[str, ...] = ()
    title: str = ""
    event: str = ""
    round: str = ""
    date: str = ""
    result: str = ""
    thoughts: Mapping[int, Thinking] = field(default_factory=FrozenMapping)
    opened: str = ""
    started: str = ""
    ended: str = ""
    played: Mapping[int, str] = field(default_factory=FrozenMapping)
    bots: Mapping[int, SeatedBot] = field(default_factory=FrozenMapping)
    pauses: tuple[tuple[str, str], ...] = ()
    days: tuple[tuple[str, int, int, int], ...] = ()
    holidays: tuple[tuple[int, str, str], ...] = ()
    taken_back: tuple[TurnsTakenBack, ...] = ()
    given: int = 0
    varied: tuple[VariedTurn, ...] = ()

    @classmethod
    def of(cls, position: Position, **details: Any) -> "GameRecord":
        """Return the record of a game so far that began on an empty board.

        Raises:
            UnwritableRecord: it was set up otherwise.

        """
        return cls(Record.of(position), **details)

    def __post_init__(self) -> None:
        first = Position.start(self.variant, self.record.colours, self.record.scoring)
        record = Record.of(first)
        if len(self.placed) > most_placed(self.variant):
            raise UnreadableRecord("The starting position has more pieces than there are.")
        keep = object.__setattr__
        keep(self, "record", replace(record, moves=tuple(self.record.moves)))
        placed = sorted(self.placed, key=lambda entry: self.variant.colour_number(entry[0]))
        keep(self, "placed", tuple((colour, text) for colour, text in placed))
        keep(self, "to_play", None if self.to_play == first.colour else self.to_play)
        keep(self, "varied", self._cleaned_variations())
        keep(self, "comments", FrozenMapping(self._cleaned_comments()))
        keep(self, "thoughts", FrozenMapping(self._cleaned_thoughts()))
        keep(self, "bots", FrozenMapping(self._cleaned_bots()))
        keep(self, "played", FrozenMapping(self._cleaned_moments()))
        keep(self, "pauses", self._checked_pauses())
        keep(self, "days", self._checked_days())
        keep(self, "holidays", self._checked_holidays())
        keep(self, "taken_back", self._checked_taken_back())
        if not 0 <= self.given <= len(self.record.moves):
            raise UnreadableRecord("The game has fewer moves than were given to it.")
        for name in MOMENTS:
            keep(self, name, _checked_moment(getattr(self, name)))
        keep(self, "players", self._cleaned_players())
        for name in DETAILS:
            keep(self, name, _short(getattr(self, name), _CALLED[name]))

    def _cleaned_comments(self) -> dict[int, str]:
        cleaned = {number: clean_lines(text) for number, text in sorted(self.comments.items())}
        for number, text in cleaned.items():
            if not 0 <= number <= len(self.record.moves):
                raise UnreadableRecord("There is no move %(number)d to comment on.", number=number)
            if len(text) > LONGEST_COMMENT:
                raise _too_long(Phrase("The comment on move %(number)d", {"number": number}), LONGEST_COMMENT)
        beside = sum(len(one.comment) + len(one.name) for one in self.varied)
        if sum(map(len, cleaned.values())) + beside > LONGEST_COMMENTS:
            raise UnreadableRecord("The comments are longer than %(most)d characters in total.", most=LONGEST_COMMENTS)
        return {number: text for number, text in cleaned.items() if text}

    def _cleaned_variations(self) -> tuple[VariedTurn, ...]:
        what = Phrase("The name of a variation")
        varied = [one._replace(comment=clean_lines(one.comment), name=_short(one.name, what)) for one in self.varied]
        for number, one in enumerate(varied, 1):
            if len(one.comment) > LONGEST_COMMENT:
                raise too_long_beside(number)
        return checked_variations(varied, len(self.record.moves))

    def _cleaned_thoughts(self) -> dict[int, Thinking]:
        cleaned = {}
        for number, thought in sorted(self.thoughts.items()):
            if not 1 <= number <= len(self.record.moves):
                raise UnreadableRecord("There is no move %(number)d for these engine notes.", number=number)
            reasons = tuple(
                (_short(effect, _REASON), _short(colour, _REASON), count) for effect, colour, count in thought.reasons
            )
            if len(reasons) > MOST_REASONS:
                raise UnreadableRecord(
                    "Move %(number)d has more than %(most)d reasons.", number=number, most=MOST_REASONS
                )
            engine = _short(thought.engine, Phrase("The name of an engine"))
            cleaned[number] = replace(thought, engine=engine, reasons=reasons)
        return cleaned

    def _cleaned_bots(self) -> dict[int, SeatedBot]:
        if any(not 0 <= seat < self.variant.seats for seat in self.bots):
            raise UnreadableRecord("There are only %(seats)d seats for bots.", seats=self.variant.seats)
        return {
            seat: replace(bot, name=_short(bot.name, Phrase("The name of a bot")))
            for seat, bot in sorted(self.bots.items())
        }

    def _cleaned_moments(self) -> dict[int, str]:
        cleaned = {}
        for number, moment in sorted(self.played.items()):
            if not 1 <= number <= len(self.record.moves):
                raise UnreadableRecord("There is no move %(number)d to give a time to.", number=number)
            cleaned[number] = _checked_moment(moment)
        return {number: moment for number, moment in cleaned.items() if moment}

    def _checked_pauses(self) -> tuple[tuple[str, str], ...]:
        if len(self.pauses) > MOST_SPANS:
            raise UnreadableRecord("The game has more pauses than %(most)d.", most=MOST_SPANS)
        checked = tuple((_checked_moment(begin), _checked_moment(end)) for begin, end in self.pauses)
        if not all(begin for begin, _end in checked):
            raise UnreadableRecord("A pause in a record has to say when it began.")
        return checked

    def _checked_days(self) -> tuple[tuple[str, int, int, int], ...]:
        seats = range(self.variant.seats)
        if len(self.days) > len(seats):
            raise UnreadableRecord("The game has more given days than players.")
        for moment, number, giver, receiver in self.days:
            is_known = giver in seats and receiver in seats and number >= 1
            if not _checked_moment(moment) or not is_known:
                raise UnreadableRecord(
                    "A given day in a record has to say when it was given, by whom and for which move."
                )
        return self.days

    def _checked_holidays(self) -> tuple[tuple[int, str, str], ...]:
        if len(self.holidays) > MOST_SPANS:
            raise UnreadableRecord("The game has more holidays than %(most)d.", most=MOST_SPANS)
        for seat, begins, ends in self.holidays:
            if seat not in range(self.variant.seats) or not _checked_moment(begins) or not _checked_moment(ends):
                raise UnreadableRecord(
                    "A holiday in a record has to say whose it was, when it began and when it ended."
                )
        return self.holidays

    def _checked_taken_back(self) -> tuple[TurnsTakenBack, ...]:
        if len(self.taken_back) > MOST_SPANS:
            raise UnreadableRecord("Turns of the game were taken back more often than %(most)d times.", most=MOST_SPANS)
        checked = []
        for one in self.taken_back:
            if not (0 <= one.seat < self.variant.seats and one.back_to >= 1 and 1 <= len(one.turns) <= MOST_SPANS):
                raise UnreadableRecord("Turns that were taken back need a seat and the number of the first of them.")
            turns = tuple(_short(turn, Phrase("A turn that was taken back")) for turn in one.turns)
            checked.append(replace(one, at=_checked_moment(one.at), turns=turns))
        return tuple(checked)

    def _cleaned_players(self) -> tuple[str, ...]:
        seats, count = self.variant.seats, len(self.players)
        names = [_short(name, Phrase("The name of a player")) for name in self.players[:MOST_NAMES]]
        if any(names[seats:]) or count > MOST_NAMES:
            raise UnreadableRecord(
                "There are %(names)d player names, but only %(seats)d seats.", names=count, seats=seats
            )
        return (*names, *[""] * seats)[:seats]

    @property
    def variant(self) -> Variant:
        """Return the variant that is played."""
        return get_variant(self.record.variant)

    def start(self) -> Position:
        """Return the position before the first turn.

        Raises:
            IllegalPlacement: what is set up is no piece, lies beyond the board or on something, or is not in stock;
                `entry` is the number of it in `placed`.
            RulesError: a text is no placement, or a colour not in the game.

        """
        record, table = self.record, table_for(self.variant)
        if not self.placed and self.to_play is None:
            return Position.start(self.variant, record.colours, record.scoring)
        laid = [(colour, table.parse(text)) for colour, text in self.placed]
        _check_apart(self.variant, [placement for _, placement in laid])
        return Position.setup(self.variant, laid, self.to_play, record.colours, record.scoring)

    def positions(self, *, validate: bool = True) -> Iterator[Position]:
        """Yield the position before the first turn and after each one; see `record.positions`."""
        return play_on(self.start(), self.record.moves, validate=validate)

    def line(self, number: int) -> tuple[str, ...]:
        """Return the turns of the game up to where the variation through the varied turn of a number begins, and its
        own to its end; all turns of the game for 0.
        """
        line = variation_line(self.varied, number) if number else ()
        return (*self.record.moves[: line[0].after], *(one.turn for one in line)) if line else self.record.moves


def most_placed(variant: Variant) -> int:
    """Return how many pieces all colours hold."""
    return len(variant.colours) * len(variant.pieces) * variant.copies


def _short(text: str, what: Phrase) -> str:
    line = clean_line(text)
    if len(line) > LONGEST_NAME:
        raise _too_long(what, LONGEST_NAME)
    return line


def _too_long(what: Phrase, most: int) -> UnreadableRecord:
    return UnreadableRecord("%(what)s is longer than %(most)d characters.", what=what, most=most)


def _check_apart(variant: Variant, placements: list[Placement]) -> None:
    """Raise an error if two things that are set up cover the same cell."""
    taken: set[Point] = set()
    for entry, placement in enumerate(placements):
        both = taken.intersection(placement.points)
        if both:
            raise refusal(variant.grid, {OVERLAP: both}, entry)
        taken.update(placement.points)


def result_text(position: Position) -> str:
    """Return how a game has ended as SGF writes results; nothing while it runs.

    Two seats: B+7, W+R where the other has retired, 0 where no seat has won. More: 3+7 is the third by 7
    before the next, 1=3 the first and the third with equally much.
    """
    if not position.is_over:
        return ""
    names, won = seat_signs(len(position.seats)), position.winners()
    if len(won) > 1:
        return "0" if len(position.seats) == len(won) else "=".join(names[seat] for seat in won)
    scores = position.seat_scores()
    others = [score for seat, score in enumerate(scores) if seat not in won and seat not in position.retired]
    margin = scores[won[0]] - max(others) if others else "R"
    return f"{names[won[0]]}+{margin}"


def seat_signs(seats: int) -> str:
    """Return the signs of the seats of a game, one character each."""
    return "BW" if seats == len("BW") else "1234"[:seats]
