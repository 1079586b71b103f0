"""Games and studies as records: what is kept of them in a file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.base import access, positions
from games.errors import NotFound
from games.models import Game, Kind, Occupant, Player, Reason
from games.queries.analysis.comments import comments_of
from games.queries.play.bot_thoughts import bots_of, thoughts_of
from games.queries.play.moves import MoveRow, move_rows
from games.queries.play.players import Seated
from games.queries.play.takebacks import TakenBack, taken_back
from games.queries.tables.table import holidays_in
from games.rules import Position
from games.rules.errors import IllegalRecord, RulesError, UnwritableRecord
from games.rules.records import GameRecord, TurnsTakenBack, read, result_text, write_blksgf, write_json
from games.table.texts import comments
from games.words import names, sentences
from games.words.happenings.takebacks import many_taken_back, taken_back_line
from games.words.phrases import phrase_text

#: Where moves were taken back more often at one place, a record says how often.
LISTED_TAKEBACKS = 3

NO_BLKSGF = _("Games on this board cannot be written as .blksgf. Save the record as .json.")


@dataclass(frozen=True)
class RecordFile:
    """A file to keep: its name, the type of its content, and the content."""

    name: str
    content_type: str
    content: bytes


def game_record(user: access.Viewer, slug: str, token: str = "") -> GameRecord:
    """Return the record of a game so far, with its players as they are called now.

    Once it is over, with what bots thought. Three queries, four or five.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it has not started.

    """
    return record_of(access.started_game_to_view(user, slug, token))


def _name_in_record(player: Player) -> str:
    """Return what a player is called where records go: a child is a child, whoever reads it."""
    is_child = player.user is not None and player.user.is_child
    return gettext("Child") if is_child else names.player_name(player)


def record_of(game: Game) -> GameRecord:
    """Return the record of a started game as `game_record` does (needs the players fetched).

    One query, one more once it is over, and one where moves were taken back.
    """
    moves = move_rows(game)
    position, gone, now = positions.position_of(game, moves), taken_back(game), timezone.now()
    return GameRecord.of(
        position,
        comments=_remarks(game, moves, gone),
        thoughts=thoughts_of(game),
        bots=bots_of(game),
        players=tuple(map(_name_in_record, game.players.all())),
        title=game.name,
        date=game.started_at.date().isoformat() if game.started_at else "",
        result=result_text(position),
        opened=_moment(game.created_at),
        started=_moment(game.started_at),
        ended=_moment(game.finished_at),
        pauses=_pauses(game),
        # When a player will be away is told to those who sit with them alone.
        holidays=tuple(
            (each.seat, _moment(each.begins_at), _moment(each.ends_at))
            for each in holidays_in(game)
            if each.begins_at <= now
        ),
        days=tuple((_moment(day.given_at), day.move, day.giver, day.seat) for day in game.days_given),
        taken_back=tuple(
            TurnsTakenBack(one.back_to, one.seat, _moment(one.taken_at), tuple(map(positions.text_of, one.moves)))
            for one in gone
        ),
        played={move.number: _moment(move.played_at) for move in moves},
        given=game.given_moves,
    )


def _pauses(game: Game) -> tuple[tuple[str, str], ...]:
    """Return when each pause on which people agreed began and ended, the latter empty while it lasts."""
    last = len(game.pause_spans) - (game.paused_since is not None)
    return tuple(
        (_moment(begin), _moment(end if number < last else None))
        for number, (begin, end) in enumerate(game.pause_spans)
    )


def _moment(moment: datetime | None) -> str:
    """Return a moment as records write it, in UTC to the millisecond; empty where it is not known."""
    if moment is None:
        return ""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _remarks(game: Game, moves: list[MoveRow], gone: Sequence[TakenBack]) -> Mapping[int, str]:
    """Return what no form of a record has a place for: whose time ran out, who played for them, and why it ended.

    `.blksgf` has none for what was taken back either.
    """
    late = {
        move.number: gettext("ran out of time")
        for move in moves
        if move.kind == Kind.RETIRE and move.retired == Reason.OUT_OF_TIME
    }
    given = {game.given_moves: gettext("The moves up to here were given: the game began at this position.")}
    begun = given if game.given_moves else {}
    notes = begun | _gone(game, gone, len(moves)) | _played_for(game, moves) | late
    return {**notes, len(moves): sentences.end_reason(game.reason)} if game.reason else notes


def _gone(game: Game, gone: Sequence[TakenBack], last: int) -> dict[int, str]:
    """Return what was taken back after which moves that stand; a line each where it was not often."""
    named = {player.seat: names.player_name(player) for player in game.players.all()}
    found: dict[int, list[str]] = {}
    for one in gone:
        if one.back_to <= last + 1:
            piece = sentences.piece_called(one.piece)
            line = taken_back_line(named[one.seat], one.back_to, one.moves[-1].number, piece)
            found.setdefault(one.back_to - 1, []).append(line)
    return {
        number: " ".join(lines) if len(lines) <= LISTED_TAKEBACKS else many_taken_back(len(lines))
        for number, lines in found.items()
    }


def _played_for(game: Game, moves: list[MoveRow]) -> dict[int, str]:
    """Return which moves a bot made for an absent player."""
    people = {player.seat: player for player in game.players.all() if not player.bot}
    return {
        move.number: gettext("%(bot)s played for %(name)s")
        % {"bot": names.bot_name(move.bot), "name": names.player_name(people[move.seat])}
        for move in moves
        if move.bot and move.seat in people
    }


def study_record(user: access.Viewer, slug: str) -> GameRecord:
    """Return the record of a study with all that the person is shown of what was written in it.

    As many queries as `comments_of`, and one.

    Raises:
        NotFound: there is no such study for this person.

    """
    study = access.study_to_view(user, slug)
    shown = [each for each in comments_of(study, user) if not each.is_hidden]
    return comments.with_comments(stored(study.record), shown)


def record_to_edit(user: access.Viewer, slug: str, edition: int) -> GameRecord | None:
    """Return the record of a study for who writes in it, None where another edition of the study is stored.

    It is read before a transaction, which has to find that edition too: to check all moves takes milliseconds.

    Raises:
        NotFound: there is no such study for this person.
        NotSeated: they do not write in it.

    """
    study = access.study_to_view(user, slug)
    access.check_editor(user, study)
    return stored(study.record) if study.edition == edition else None


def stored(text: str) -> GameRecord:
    """Return the record that a study keeps."""
    return read(text)


def unreadable_text(error: RulesError) -> str:
    """Return why a record cannot be opened, with the place, and what breaks the rules."""
    if not isinstance(error, IllegalRecord):
        return gettext("This record cannot be opened. %(why)s") % {"why": phrase_text(error.phrase)}
    reasons = " ".join(sentences.reason(reason, error.names.get(reason, ())) for reason in error.reasons)
    values = {"where": phrase_text(error.place), "number": error.number, "why": reasons}
    if error.number:
        return gettext("%(where)s: move %(number)d breaks the rules. %(why)s") % values
    return gettext("%(where)s: the starting position breaks the rules. %(why)s") % values


def blksgf_file(game: GameRecord) -> RecordFile:
    """Return the game as the file that Pentobi reads.

    Raises:
        NotFound: there is no such file of a game of this variant.

    """
    try:
        text = write_blksgf(game)
    except UnwritableRecord:
        raise NotFound(NO_BLKSGF, code="no-blksgf") from None
    return RecordFile(f"{_name(game)}.blksgf", "application/x-blokus-sgf; charset=utf-8", text.encode())


def json_file(game: GameRecord) -> RecordFile:
    """Return the game as this site's own file."""
    return RecordFile(f"{_name(game)}.json", "application/json", write_json(game).encode())


def _name(game: GameRecord) -> str:
    """Return what the file is called: variant, date and players, in letters that every disk knows."""
    words = (game.record.variant, game.date, game.title, *(() if game.title else game.players))
    return "-".join(part for word in words if (part := slugify(word)))[:80].rstrip("-") or "game"


def seated(game: GameRecord, position: Position) -> tuple[Seated, ...]:
    """Return the players of a record by seat; they have no accounts here."""
    return tuple(
        Seated(Occupant(name), Reason.RESIGNED if seat in position.retired else "")
        for seat, name in enumerate(player_names(game, position))
    )


def player_names(game: GameRecord, position: Position) -> tuple[str, ...]:
    """Return the players' names by seat; a seat without a name is called after its colours."""
    return tuple(name or seat_name(position, seat) for seat, name in enumerate(game.players))


def seat_name(position: Position, seat: int) -> str:
    """Return the colours of a seat in words."""
    return sentences.listed([sentences.colour(colour) for colour in position.seats[seat]])
