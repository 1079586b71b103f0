"""Whose turn it is, as the background jobs ask: for a bot to play, for a player to be told."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games import positions
from games.models import Game, Notice, Player, Status
from games.rules import Position


@dataclass(frozen=True)
class BotTurn:
    """A bot's turn as it was read: `version` is the game's when the position was `position`."""

    slug: str
    version: int
    seat: int
    bot: str
    seed: int
    position: Position


def to_play() -> QuerySet[Player]:
    """Return the seats whose turn it is, in all running games but those that are paused, with game and user."""
    return _all_to_play().filter(game__is_paused=False)


def _all_to_play() -> QuerySet[Player]:
    running = Player.objects.filter(game__status=Status.RUNNING, seat=F("game__turn_seat"), retired="")
    return running.select_related("game", "user")


@dataclass(frozen=True)
class NewTurn:
    """The turn that is due, and what it takes to ask for it: `email` is empty where nobody may be told by e-mail."""

    player_id: int
    number: int
    bot: str
    email: str


def new_turn(game_id: int) -> NewTurn | None:
    """Return the turn that is due in a running game, None while it is paused.

    One query, of few columns: every move waits for it.
    """
    columns = ("pk", "game__move_count", "bot", "user__email", "user__wants_turn_emails", "user__is_active")
    row = to_play().filter(game=game_id).values_list(*columns).first()
    if row is None:
        return None
    player_id, moves, bot, email, is_wanted, is_active = row
    return NewTurn(player_id, moves + 1, bot, email if email and is_wanted and is_active else "")


def next_number(game: Game) -> int:
    """Return the number of the move that is due."""
    return game.move_count + 1


def bot_turn(game_id: int, number: int, is_step: bool = False) -> BotTurn | None:
    """Return the bot's turn at exactly that move, None if it is no bot's or the game has moved on. Two queries.

    In a paused game no bot has a turn, but where somebody has asked for this one step. Nothing is locked: the game may
    move on while the bot thinks, and its answer is refused by the version then.
    """
    player = (_all_to_play() if is_step else to_play()).filter(game=game_id).first()
    if player is None or not player.bot or next_number(player.game) != number:
        return None
    game = player.game
    position = positions.position_of(game, game.moves.filter(number__lt=number))
    return BotTurn(game.slug, game.version, player.seat, player.bot, player.bot_seed, position)


def bot_turns_due(before: datetime) -> dict[tuple[int, int], str]:
    """Return the bot of every turn of a bot that began before a moment, by game and move number. One query."""
    due = to_play().exclude(bot="").filter(game__turn_since__lt=before)
    return {(player.game_id, next_number(player.game)): player.bot for player in due}


def turns_to_tell(after: datetime, before: datetime) -> Iterator[tuple[int, int]]:
    """Yield player and move number of people's turns that began in a span of time and are not settled. One query.

    Settled are those that were told or need not be. People without an e-mail address, or who want none, are left out.
    """
    settled = Notice.objects.filter(
        Q(is_skipped=True) | Q(sent_at__isnull=False),
        player=OuterRef("pk"),
        number=F("player__game__move_count") + 1,
    )
    people = to_play().filter(user__isnull=False, user__wants_turn_emails=True).exclude(user__email="")
    for player in people.filter(~Exists(settled), game__turn_since__gt=after, game__turn_since__lt=before):
        yield player.pk, next_number(player.game)
