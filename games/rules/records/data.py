"""A game as JSON; docs/notation.md describes the schema."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from games.rules.errors import (
    IllegalPlacement,
    IllegalRecord,
    Phrase,
    RulesError,
    UnreadableFile,
    UnreadableRecord,
    shown,
)
from games.rules.position import Position
from games.rules.record import Record, format_turn, play_on, play_text
from games.rules.records.comments import LONGEST_COMMENT, LONGEST_COMMENTS
from games.rules.records.game import (
    DETAILS,
    LONGEST_NAME,
    MOMENTS,
    GameRecord,
    TurnsTakenBack,
)
from games.rules.records.thinking import SeatedBot, Thinking
from games.rules.records.variations import MOST_VARIED, VariationPlace, VariationTree, VariedTurn
from games.rules.variants import get_variant

FORMAT, VERSION = "block-you", 1

#: No number of a turn has more digits.
_MOST_DIGITS = 5

#: No count of a thought is larger.
_LARGEST = 2**31 - 1
_LARGEST_SEED = 2**63 - 1


def write_json(game: GameRecord) -> str:
    """Return a game as JSON, the same text for equal games."""
    record = game.record.to_json()
    data = {
        "format": FORMAT,
        "version": VERSION,
        **{name: record[name] for name in ("variant", "colours", "scoring")},
        "players": list(game.players),
        **{name: getattr(game, name) for name in DETAILS},
        "setup": {"placed": [list(entry) for entry in game.placed], "to_play": game.to_play},
        "moves": record["moves"],
        "comments": {str(number): text for number, text in game.comments.items()},
    }
    if game.thoughts:
        data["thoughts"] = {str(number): _thought(thought) for number, thought in game.thoughts.items()}
    if game.bots:
        data["bots"] = {str(seat): _bot(bot) for seat, bot in game.bots.items()}
    if game.given:
        data["given"] = game.given
    if game.varied:
        data["variations"] = [_varied(one) for one in game.varied]
    if game.taken_back:
        data["taken_back"] = [
            {"back_to": one.back_to, "seat": one.seat, "at": one.at, "turns": list(one.turns)}
            for one in game.taken_back
        ]
    if times := _times(game):
        data["times"] = times
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _varied(one: VariedTurn) -> dict[str, Any]:
    """Return a turn of a variation: what it follows, and its name and what was written to it where there is any."""
    where = {"follows": one.parent} if one.parent else {"after": one.after}
    told = {"name": one.name, "comment": one.comment}
    return {**where, "move": one.turn, **{key: text for key, text in told.items() if text}}


def _bot(bot: SeatedBot) -> dict[str, Any]:
    """Return what a bot's seat was opened with; its simulations or seconds only where it was told how many."""
    data = asdict(bot)
    return {name: value for name, value in data.items() if value or name in ("name", "seed")}


def _thought(thought: Thinking) -> dict[str, Any]:
    """Return what was thought at a turn; its reasons only where there are any."""
    data = asdict(thought)
    reasons = data.pop("reasons")
    return {**data, "reasons": list(map(list, reasons))} if reasons else data


def _times(game: GameRecord) -> dict[str, Any]:
    """Return the moments of a game, those that are not known left out."""
    times: dict[str, Any] = {name: found for name in MOMENTS if (found := getattr(game, name))}
    if game.pauses:
        times["pauses"] = [{"began": began, **({"ended": ended} if ended else {})} for began, ended in game.pauses]
    if game.days:
        times["days"] = [
            {"given": given, "move": number, "by": giver, "to": receiver}
            for given, number, giver, receiver in game.days
        ]
    if game.holidays:
        times["holidays"] = [{"seat": seat, "began": began, "ended": ended} for seat, began, ended in game.holidays]
    return {**times, "moves": {str(number): text for number, text in game.played.items()}} if game.played else times


def change_texts(text: str, change: Callable[[str], str]) -> str:
    """Return the JSON that `write_json` wrote with other words: names of players, details and comments.

    What becomes too long is cut. The moves are not replayed.
    """
    data = json.loads(text)
    before: dict[str, str] = data["comments"]
    comments = {number: change(comment)[:LONGEST_COMMENT] for number, comment in before.items()}
    varied = [one.get("comment", "") for one in data.get("variations", ())]
    beside = [change(comment)[:LONGEST_COMMENT] for comment in varied]
    if sum(map(len, (*comments.values(), *beside))) > LONGEST_COMMENTS:
        comments = {number: comment[: len(before[number])] for number, comment in comments.items()}
        beside = [comment[: len(former)] for comment, former in zip(beside, varied, strict=True)]
    if varied:
        told = zip(data["variations"], beside, strict=True)
        data["variations"] = [
            {
                key: value
                for key, value in {**one, "name": _renamed(one, change), "comment": comment}.items()
                if value != ""
            }
            for one, comment in told
        ]
    players = [change(name)[:LONGEST_NAME] for name in data["players"]]
    details = {name: change(data[name])[:LONGEST_NAME] for name in DETAILS}
    return (
        json.dumps({**data, "players": players, **details, "comments": comments}, ensure_ascii=False, indent=1) + "\n"
    )


def _renamed(varied: dict[str, Any], change: Callable[[str], str]) -> str:
    """Return the name of a turn of a variation in other words, no longer than it may be."""
    return change(varied.get("name", ""))[:LONGEST_NAME]


def read_json(text: str) -> GameRecord:
    """Return the game in a text of JSON. Keys that are not known are left alone.

    Raises:
        UnreadableFile: it is no JSON.
        UnreadableRecord: a value is missing, or not what it should be; with its path.
        IllegalRecord: the game breaks the rules.

    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableFile(
            error.lineno, error.colno, Phrase("JSON (%(what)s)", {"what": Phrase(error.msg)})
        ) from None
    except (RecursionError, ValueError):
        raise UnreadableRecord("The JSON is nested too deeply, or contains a number that is too long.") from None
    return _played(_Object(data, ""))


class _Object:
    """An object of the data, and the path that leads to it."""

    def __init__(self, data: object, path: str) -> None:
        if not isinstance(data, dict):
            where = path or Phrase("The file")
            raise UnreadableRecord("%(where)s: expected an object, not %(found)s.", where=where, found=shown(data))
        self.data: Mapping[str, Any] = data
        self._path = f"{path}." if path else ""

    def text(self, key: str) -> str:
        """Return a text, empty where there is none."""
        return self.name(key) or ""

    def name(self, key: str) -> str | None:
        """Return a text, or None where there is none."""
        value = self.data.get(key)
        return None if value is None else _text(value, f"{self._path}{key}")

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty where there is none."""
        entries = self.entries(key)
        # A path takes longer to write than a text to look at, and a file may have many.
        return tuple(
            value if isinstance(value, str) else _text(value, f"{self._path}{key}[{number}]")
            for number, value in enumerate(entries)
        )

    def entries(self, key: str) -> list[object]:
        """Return a list, empty where there is none."""
        value = self.data.get(key)
        if not isinstance(value, list | None):
            where = f"{self._path}{key}"
            raise UnreadableRecord("%(where)s: expected a list, not %(found)s.", where=where, found=shown(value))
        return value or []

    def count(self, key: str, most: int = _LARGEST) -> int:
        """Return a whole number, 0 where there is none."""
        value = self.data.get(key)
        if value is None:
            return 0
        if type(value) is not int or not 0 <= value <= most:
            where = f"{self._path}{key}"
            raise UnreadableRecord("%(where)s: expected a whole number from 0 to %(most)d.", where=where, most=most)
        return value

    def chance(self, key: str) -> float | None:
        """Return a number from 0 to 1, or None where there is none."""
        value = self.data.get(key)
        if value is None:
            return None
        if type(value) not in (int, float) or not 0 <= value <= 1:
            raise UnreadableRecord("%(where)s: expected a number from 0 to 1.", where=f"{self._path}{key}")
        return float(value)

    def reasons(self, key: str) -> tuple[tuple[str, str, int], ...]:
        """Return a list of an effect, a colour and a count each, empty where there is none."""
        found = []
        for number, entry in enumerate(self.entries(key)):
            match entry:
                case [str(effect), str(colour), int(count)] if type(count) is int and 0 <= count <= _LARGEST:
                    found.append((effect, colour, count))
                case _:
                    where = f"{self._path}{key}[{number}]"
                    raise UnreadableRecord("%(where)s: expected an effect, a colour and a whole number.", where=where)
        return tuple(found)

    def turns(self, last: int) -> Iterator[tuple[int, str]]:
        """Yield every key as the number of a turn, and as it stands there; none after one beyond the last turn.

        Such a number is refused later, and there may be many.
        """
        for key in self.data:
            if not (key.isascii() and key.isdigit() and len(key) <= _MOST_DIGITS):
                where, found = self._path.removesuffix("."), shown(key)
                raise UnreadableRecord(
                    "%(where)s: expected move numbers as keys, not %(found)s.", where=where, found=found
                )
            yield int(key), key
            if int(key) > last:
                return

    def inner(self, key: str) -> "_Object":
        """Return an object inside this one, empty where there is none."""
        value = self.data.get(key)
        return _Object({} if value is None else value, f"{self._path}{key}")


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise UnreadableRecord("%(where)s: expected a text, not %(found)s.", where=path, found=shown(value))
    return value


def _played(data: _Object) -> GameRecord:
    """Return the game that the data describes, after playing all of its turns."""
    if data.text("format") != FORMAT:
        raise UnreadableRecord('%(where)s: expected "%(what)s".', where="format", what=FORMAT)
    version = data.data.get("version")
    if type(version) is not int or version != VERSION:
        raise UnreadableRecord("%(where)s: expected %(what)s.", where="version", what=VERSION)
    variant = data.name("variant")
    if variant is None:
        raise UnreadableRecord("%(where)s: expected the name of a variant.", where="variant")
    colours = data.texts("colours") if data.data.get("colours") is not None else None
    record = Record(variant, (), colours, data.name("scoring"))
    setup = data.inner("setup")
    placed = _placed(setup)
    empty = GameRecord(record, placed, setup.name("to_play"))
    start = _start(empty, placed)
    moves = _moves(start, data.texts("moves"))
    times = data.inner("times")
    return GameRecord(
        Record(variant, moves, colours, record.scoring),
        tuple((turn.colour or "", str(turn.placement)) for turn in start.history),
        empty.to_play,
        _comments(data.inner("comments"), len(moves)),
        data.texts("players"),
        thoughts=_thoughts(data.inner("thoughts"), len(moves)),
        opened=times.text("opened"),
        started=times.text("started"),
        ended=times.text("ended"),
        bots=_bots(data.inner("bots"), get_variant(variant).seats),
        pauses=_pauses(times),
        days=_days(times),
        holidays=_holidays(times),
        taken_back=_taken_back(data),
        given=data.count("given"),
        varied=_variations(data, start, moves),
        played=_played_at(times.inner("moves"), len(moves)),
        **{name: data.text(name) for name in DETAILS},
    )


def _placed(setup: _Object) -> tuple[tuple[str, str], ...]:
    placed = []
    for number, entry in enumerate(setup.entries("placed")):
        path = f"setup.placed[{number}]"
        if not isinstance(entry, list) or len(entry) != len(("colour", "placement")):
            raise UnreadableRecord("%(where)s: expected a colour and a move.", where=path)
        placed.append((_text(entry[0], f"{path}[0]"), _text(entry[1], f"{path}[1]")))
    return tuple(placed)


def _start(game: GameRecord, placed: tuple[tuple[str, str], ...]) -> Position:
    """Return the position before the first turn; `placed` is what is set up, in the order of the file."""
    try:
        return game.start()
    except IllegalPlacement as refusal:
        order = sorted(range(len(placed)), key=lambda entry: game.variant.colour_number(placed[entry][0]))
        where = Phrase(f"setup.placed[{order[refusal.entry or 0]}]")
        raise IllegalRecord(0, where, refusal) from None
    except RulesError as error:
        raise UnreadableRecord("%(where)s: %(why)s", where="setup", why=error.phrase) from None


def _moves(position: Position, moves: tuple[str, ...]) -> tuple[str, ...]:
    """Return the canonical texts of moves, after playing them."""
    for number, move in enumerate(moves):
        try:
            position = play_text(position, move)
        except IllegalPlacement as refusal:
            raise IllegalRecord(number + 1, Phrase(f"moves[{number}]"), refusal) from None
        except RulesError as error:
            raise UnreadableRecord("%(where)s: %(why)s", where=f"moves[{number}]", why=error.phrase) from None
    turns = position.history
    return tuple(map(format_turn, turns[len(turns) - len(moves) :]))


def _variations(data: _Object, start: Position, moves: tuple[str, ...]) -> tuple[VariedTurn, ...]:
    """Return the turns of variations, after playing them: each from what it follows."""
    entries = data.entries("variations")
    if len(entries) > MOST_VARIED:
        raise UnreadableRecord("The variations have more than %(most)d moves in total.", most=MOST_VARIED)
    tree, places = VariationTree(moves), [VariationPlace(0, 0)]
    # Turns that were played once are not checked again.
    stages = list(play_on(start, moves, validate=False)) if entries else [start]
    played: dict[int, Position] = {}
    for number, entry in enumerate(entries, 1):
        where = f"variations[{number - 1}]"
        one = _Object(entry, where)
        parent, after, turn = one.count("follows", number - 1), one.count("after", len(moves)), one.text("move")
        place = places[parent] if parent else VariationPlace(0, after)
        before = played[place.number] if place.number else stages[place.after]
        try:
            position = play_text(before, turn)
        except IllegalPlacement as refusal:
            raise IllegalRecord(place.after + 1, Phrase(where), refusal) from None
        except RulesError as error:
            raise UnreadableRecord("%(where)s: %(why)s", where=where, why=error.phrase) from None
        there = tree.follow(place, format_turn(position.history[-1]))
        places.append(there)
        if there.number:
            played[there.number] = position
            tree.call(there.number, one.text("name"))
            if comment := one.text("comment"):
                tree.write(there.number, comment)
    return tree.turns()


def _comments(comments: _Object, last: int) -> dict[int, str]:
    return {number: _text(comments.data[key], f"comments.{key}") for number, key in comments.turns(last)}


def _thoughts(thoughts: _Object, last: int) -> dict[int, Thinking]:
    return {number: _thinking(thoughts.inner(key)) for number, key in thoughts.turns(last)}


def _bots(bots: _Object, seats: int) -> dict[int, SeatedBot]:
    """Return the bots by seat; keys that are no seat are left alone."""
    found = {seat: bots.inner(str(seat)) for seat in range(seats) if bots.data.get(str(seat)) is not None}
    return {
        seat: SeatedBot(
            name=bot.text("name"),
            seed=bot.count("seed", _LARGEST_SEED),
            simulations=bot.count("simulations") or None,
            seconds=bot.count("seconds") or None,
        )
        for seat, bot in found.items()
    }


def _played_at(moments: _Object, last: int) -> dict[int, str]:
    return {number: moments.text(key) for number, key in moments.turns(last)}


def _pauses(times: _Object) -> tuple[tuple[str, str], ...]:
    entries = [_Object(entry, f"times.pauses[{number}]") for number, entry in enumerate(times.entries("pauses"))]
    return tuple((entry.text("began"), entry.text("ended")) for entry in entries)


def _days(times: _Object) -> tuple[tuple[str, int, int, int], ...]:
    entries = [_Object(entry, f"times.days[{number}]") for number, entry in enumerate(times.entries("days"))]
    return tuple((one.text("given"), one.count("move"), one.count("by"), one.count("to")) for one in entries)


def _holidays(times: _Object) -> tuple[tuple[int, str, str], ...]:
    entries = [_Object(entry, f"times.holidays[{number}]") for number, entry in enumerate(times.entries("holidays"))]
    return tuple((one.count("seat"), one.text("began"), one.text("ended")) for one in entries)


def _taken_back(data: _Object) -> tuple[TurnsTakenBack, ...]:
    entries = [_Object(entry, f"taken_back[{number}]") for number, entry in enumerate(data.entries("taken_back"))]
    return tuple(
        TurnsTakenBack(entry.count("back_to"), entry.count("seat"), entry.text("at"), entry.texts("turns"))
        for entry in entries
    )


def _thinking(thought: _Object) -> Thinking:
    return Thinking(
        engine=thought.text("engine"),
        level=thought.count("level"),
        simulations=thought.count("simulations"),
        milliseconds=thought.count("milliseconds"),
        value=thought.chance("value"),
        reasons=thought.reasons("reasons"),
    )
