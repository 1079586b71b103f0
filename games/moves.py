"""The steps that every request for a move shares: has it been answered before, is it up to date, whose turn is it."""

import re
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.errors import BadRequest, NotSeated, NotYourTurn, StaleGame, WrongStatus
from games.lifecycle import Outcome
from games.models import Game, Kind, Move, Player, Reason, Status, Thought
from games.rules import Placement, UnreadablePlacement
from games.rules.records import Thinking

_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")


def check_key(key: str) -> None:
    """Refuse a client key that is not 8 to 64 letters, digits, hyphens or underscores.

    Raises:
        BadRequest: `field` is key.

    """
    if not _KEY.fullmatch(key):
        raise BadRequest(_("This page sent a request without a proper key. Reload it and try again."), field="key")


def moment(now: datetime | None) -> datetime:
    """Return when the action happens: the moment given, else the present."""
    return timezone.now() if now is None else now


def moves_of(game: Game) -> list[Move]:
    """Return all moves so far, in order."""
    return list(game.moves.all())


def read_placement(game: Game, text: str) -> str:
    """Return the canonical text of a placement that somebody has typed or tapped.

    Raises:
        BadRequest: it is no placement; `field` is placement.

    """
    try:
        return str(Placement.parse(text, game.variant))
    except UnreadablePlacement as unreadable:
        sentence = _("This is not a placement. Write the piece and its cells, for example V3:a1,b1,a2.")
        raise BadRequest(sentence, field="placement") from unreadable


def answered(game: Game, played: Sequence[Move], key: str, *wanted: object) -> Outcome | None:
    """Return the answer given before to the same request, None if the key is new.

    `wanted` is what has to be the same: kind, seat, placement and reason of retiring.

    Raises:
        BadRequest: the key has served for something else; `field` is key.

    """
    known = next((move for move in played if key and move.client_key == key), None)
    if known is None:
        return None
    if (known.kind, known.seat, known.placement, known.retired) != wanted:
        sentence = _("This request has the key of another one. Reload the page and try again.")
        raise BadRequest(sentence, code="key-used", field="key")
    return Outcome(game, known.number, known.version, is_repeat=True)


def check_running(game: Game) -> None:
    """Refuse unless the game is running.

    Raises:
        WrongStatus: it has not started, is over, or was cancelled.

    """
    if game.status == Status.OPEN:
        raise WrongStatus(_("The game has not started yet."), code="not-started")
    if game.status != Status.RUNNING:
        raise WrongStatus(_("The game is over."), code="game-over")


def check_version(game: Game, version: int) -> None:
    """Refuse a request that was made from another version of the game.

    Raises:
        StaleGame: with the current version.

    """
    if version != game.version:
        raise _stale(game)


def check_unheld_since(game: Game, version: int) -> None:
    """Refuse a request made from a version since which the bots were paused or went on. One query.

    That they have moved since is no reason: they do while the page is looked at, and each request that moves is one
    version.

    Raises:
        StaleGame: with the current version.

    """
    moved = game.moves.filter(version__gt=version).order_by().values("version").distinct().count()
    if version + moved != game.version:
        raise _stale(game)


def _stale(game: Game) -> StaleGame:
    sentence = _("The game has moved on since this page was loaded. Look at it again before you go on.")
    return StaleGame(sentence, version=game.version)


def check_turn(game: Game, player: Player) -> None:
    """Refuse unless it is this seat's turn.

    Raises:
        NotYourTurn: another seat is to play, or this one has retired.

    """
    if game.turn_seat != player.seat:
        raise NotYourTurn(_("It is not your turn."))


def next_move(game: Game, player: Player, kind: Kind, placement: str, key: str) -> Move:
    """Return the row of the turn that this seat takes now, not yet dated and numbered."""
    return Move(
        kind=kind,
        seat=player.seat,
        colour=game.turn_colour,
        placement=placement,
        bot=player.bot,
        client_key=key,
    )


def keep_thought(move: Move, thinking: Thinking) -> None:
    """Keep beside a recorded move how its bot came to it. One query."""
    Thought.objects.create(move=move, **asdict(thinking))


def stepped_before(game: Game, number: int, version: int) -> Outcome | None:
    """Return the answer to a step that was asked for at that version and has been played, None if none was.

    A paused game stands at a version once, so the version names the request.
    """
    known = game.moves.filter(number=number, version=version + 1).first()
    return Outcome(game, number, known.version, is_repeat=True) if known else None


def retired_before(game: Game, played: Sequence[Move], player: Player) -> Outcome | None:
    """Return the answer to the request by which this seat resigned, None if it has not.

    Raises:
        NotSeated: the seat has retired for another reason.

    """
    if not player.retired:
        return None
    known = next(move for move in played if move.kind == Kind.RETIRE and move.seat == player.seat)
    if known.retired != Reason.RESIGNED:
        raise NotSeated(_("You ran out of time and no longer play in this game."), code="retired")
    return Outcome(game, known.number, known.version, is_repeat=True)


def claimed_before(game: Game, played: Sequence[Move], key: str, claimant: Player) -> Outcome | None:
    """Return the answer to the same claim by anybody but the seat it was made against, None if the key is new.

    Raises:
        BadRequest: the key has served for something else; `field` is key.

    """
    known = next((move for move in played if move.client_key == key), None)
    late = None if known is None or known.seat == claimant.seat else known.seat
    return answered(game, played, key, Kind.RETIRE, late, "", Reason.OUT_OF_TIME)
