"""The steps that every request for a move shares: has it been answered before, is its move due, whose turn is it."""

import re
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TypeAlias

from django.db.models import BigIntegerField
from django.utils.translation import gettext_lazy as _

from accounts.database.prepared import Prepared
from games import clock
from games.base.access import Actor, BotSeat
from games.base.plans import PLAN_KEY
from games.errors import BadRequest, NotSeated, NotYourTurn, StaleGame, WrongStatus
from games.models import MOST_PAUSES, Game, Kind, Move, Player, Reason, Status, Thought
from games.queries.tables.present import database_now
from games.queries.tables.turns import next_number
from games.rules import Placement, UnreadablePlacement, get_variant
from games.rules.placement import table_for
from games.rules.records import Thinking
from games.table.lifecycle import Outcome

_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")

#: A placement as it is asked for: as people type it, by its id, or as a value of the rules.
AskedPlacement: TypeAlias = str | int | Placement

_MOVES = Prepared(lambda game: Move.objects.filter(game=game), game=BigIntegerField())

#: How the keys of bots' moves begin; the number of the move follows.
BOT_KEY = "bot-turn-"


def check_key(key: str, actor: Actor) -> None:
    """Refuse a client key that is not 8 to 64 letters, digits, hyphens or underscores, or that only a bot may have.

    A bot that plays for an absent player would take a move of theirs with its key for its own. Those of planned moves
    are no one's to send.

    Raises:
        BadRequest: `field` is key.

    """
    is_taken = key.startswith(PLAN_KEY) or (key.startswith(BOT_KEY) and not isinstance(actor, BotSeat))
    if is_taken or not _KEY.fullmatch(key):
        raise BadRequest(_("This page sent an incomplete request. Reload it and try again."), field="key")


def moment(now: datetime | None) -> datetime:
    """Return the time of the action: the moment given, else the database's present time. One query.

    Servers' clocks differ. A turn begins and ends by the one that they share, or its player loses the difference.
    """
    return database_now() if now is None else now


def load_moves(game: Game) -> list[Move]:
    """Return all moves so far, in order."""
    moves = _MOVES.ask(game=game.pk)
    for move in moves:
        move.game = game
    return moves


def read_placement(game: Game, asked: AskedPlacement) -> Placement:
    """Return the placement that a player has typed or tapped, that a program names, or that a bot has chosen.

    Raises:
        BadRequest: it is no placement; `field` is placement or id.

    """
    if isinstance(asked, Placement):
        return asked
    if isinstance(asked, int):
        return placement_of_id(game, asked)
    try:
        return Placement.parse(asked, game.variant)
    except UnreadablePlacement as unreadable:
        sentence = _("This move could not be read. Enter the piece and its cells, for example V3:a1,b1,a2.")
        raise BadRequest(sentence, field="placement") from unreadable


def placement_of_id(game: Game, number: int) -> Placement:
    """Return the placement of that id on the game's board.

    Raises:
        BadRequest: there is none; `field` is id.

    """
    try:
        return table_for(get_variant(game.variant)).placement(number)
    except IndexError as error:
        raise BadRequest(_("There is no move with that id on this board."), field="id") from error


def answered(game: Game, played: Sequence[Move], key: str, *wanted: object) -> Outcome | None:
    """Return the answer given before to the same request, None if the key is new.

    `wanted` is what has to be the same: kind, seat, placement and reason of retiring. At one device the seat may be
    another's: who asks is the person who plays next, and that is not the one who has moved.

    Raises:
        BadRequest: the key has served for something else; `field` is key.

    """
    known = next((move for move in played if key and move.client_key == key), None)
    if known is None:
        return None
    kind, seat, *rest = wanted
    is_known_seat = known.seat == seat or game.is_on_one_device
    if not is_known_seat or (known.kind, known.placement, known.retired) != (kind, *rest):
        sentence = _("This request clashes with an earlier one. Reload the page and try again.")
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


def check_due(game: Game, number: int) -> None:
    """Refuse a request for another move than the one that is due.

    Whatever else has changed on the page since, the request fits: moves alone lead from one position to another.

    Raises:
        StaleGame: with the number of the move that is due.

    """
    if number != next_number(game):
        raise _stale(game)


def check_pause(game: Game, pause_version: int) -> None:
    """Refuse a request made before the bots were last paused or resumed; that they have moved since does not matter.

    Raises:
        StaleGame: they have been paused or resumed since.

    """
    if pause_version != game.pause_version:
        raise _stale(game)


def check_may_pause(game: Game) -> None:
    """Refuse a request for one pause more than a game may have.

    Raises:
        WrongStatus: it has been paused that often.

    """
    if len(game.pauses) >= MOST_PAUSES:
        sentence = _("This game has been paused too often to be paused again. Play on or resign.")
        raise WrongStatus(sentence, code="paused-enough")


def is_asked_for(game: Game, request: int) -> bool:
    """Return whether that request for a pause stands; False once it has led to a pause or was dropped.

    Raises:
        StaleGame: another request stands by now.

    """
    asked = game.asked_pause
    if asked is not None and asked.version != request:
        raise _stale(game)
    return asked is not None


def check_agreed(game: Game, request: int) -> None:
    """Refuse to agree to a request for a pause that stands no more, unless all have agreed to it.

    Raises:
        WrongStatus: it was withdrawn or declined.

    """
    if not any(version == request for version, _begin, _end in game.pauses):
        sentence = _("This request for a pause has been withdrawn or declined. You can ask for a pause yourself.")
        raise WrongStatus(sentence, code="pause-dropped")


def check_not_paused(game: Game, actor: Actor) -> None:
    """Refuse a move in a paused game, unless only bots play and this one was asked for it during this pause.

    Raises:
        WrongStatus: the game is paused; a bot may have begun to think before, for the pause takes effect at once.

    """
    is_step = isinstance(actor, BotSeat) and game.is_of_bots and actor.pause_version == game.pause_version
    if game.is_paused and not is_step:
        raise WrongStatus(_("The game is paused. End the pause first, then play."), code="paused")


def _stale(game: Game) -> StaleGame:
    sentence = _("The game has moved on since this page was loaded. Look at the board, then try again.")
    return StaleGame(sentence, version=game.version, number=next_number(game))


def check_turn(game: Game, player: Player) -> None:
    """Refuse unless it is this seat's turn.

    Raises:
        NotYourTurn: another seat is to play, or this one has retired.

    """
    if game.turn_seat != player.seat:
        raise NotYourTurn(_("It is not your turn."))


def check_absent(game: Game, player: Player, actor: Actor, at: datetime) -> None:
    """Refuse a bot that would take a turn at that moment for a player who still has time, or who is back.

    Raises:
        NotYourTurn: the turn is the player's.

    """
    if not isinstance(actor, BotSeat) or player.bot or player.is_away:
        return
    if game.deadline is None or not clock.is_past(game.deadline, at):
        raise NotYourTurn(_("It is not your turn."))


def check_may_move(game: Game, player: Player, actor: Actor, number: int, at: datetime) -> None:
    """Refuse a move unless it is the one that is due, and this seat's to make at that moment.

    Raises:
        StaleGame, WrongStatus, NotYourTurn: as the checks above.

    """
    check_due(game, number)
    check_running(game)
    check_turn(game, player)
    check_not_paused(game, actor)
    check_absent(game, player, actor, at)


def next_move(game: Game, player: Player, kind: Kind, placement: str, key: str, actor: Actor) -> Move:
    """Return an unsaved row for the turn of this seat, without its time and number."""
    return Move(
        kind=kind,
        seat=player.seat,
        colour=game.turn_colour,
        placement=placement,
        bot=player.bot or (game.absent_bot if isinstance(actor, BotSeat) else ""),
        client_key=key,
    )


def keep_thought(move: Move, thinking: Thinking) -> None:
    """Keep beside a recorded move how its bot came to it. One query."""
    Thought.objects.create(move=move, **asdict(thinking))


def stepped_before(game: Game, number: int) -> Outcome | None:
    """Return the answer to the step of that number if it has been played during the present pause, else None."""
    known = (
        game.moves.filter(number=number - game.spent_numbers, version__gt=game.pause_version).first()
        if game.is_paused
        else None
    )
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
        raise NotSeated(_("You ran out of time and are no longer playing in this game."), code="retired")
    return Outcome(game, known.number, known.version, is_repeat=True)
