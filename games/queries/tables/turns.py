"""Whose turn it is, as the background jobs ask: for a bot to play, for a player to be notified."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BooleanField, Case, Exists, F, OuterRef, Q, QuerySet, When

from games.base import positions
from games.base.plans import TurnPlan
from games.clock import NO_REST, Rest, in_force, is_past
from games.models import Game, HolidayBook, Player, Status
from games.queries.tables.present import database_now
from games.rules import Position

#: Of turns whose time is up no more are looked at together.
LATE_LOT = 1000


@dataclass(frozen=True)
class BotTurn:
    """A bot's turn as it was read: `pause_version` is the game's when the bot begins to think.

    `opening` is the key of the opening that the bot was told to begin with, empty for any, and `simulations` how many
    games it was told to simulate, None for as many as usual, or else for how many `seconds`.
    """

    slug: str
    pause_version: int
    seat: int
    bot: str
    seed: int
    position: Position
    opening: str = ""
    simulations: int | None = None
    seconds: int | None = None


def to_play() -> QuerySet[Player]:
    """Return the seats whose turn it is, in all running games but those that are paused, with game and user."""
    return _all_to_play().filter(game__is_paused=False)


def _all_to_play() -> QuerySet[Player]:
    running = Player.objects.filter(game__status=Status.RUNNING, seat=F("game__turn_seat"), retired="")
    return running.select_related("game", "user")


def next_number(game: Game) -> int:
    """Return the number of the move that is due, as requests for moves name it.

    It is one more than the moves that stand, and as many more as were used up by what was taken back: a number never
    means two positions.
    """
    return game.move_count + 1 + game.spent_numbers


def is_turn_planned(game: Game, player: Player) -> bool:
    """Whether the turn that is due in a game is this player's, and planned."""
    if not player.plan or player.seat != game.turn_seat:
        return False
    return TurnPlan.from_data(player.plan).is_for(game.turn_colour, next_number(game))


#: What tells the reminders of a turn for which a day was given from those before: more than twice any move's number.
_ANEW = 100_000


def first_reminder(game: Game) -> int:
    """Return the event of the first reminder of the turn that is due; that of the second one is greater by one.

    With each day that is given for it, reminders begin anew.
    """
    return len(game.days_now) * _ANEW + 2 * next_number(game)


def rest_of_turn(game: Game) -> Rest:
    """Return when the clock of the player to move stands still during this turn. One query."""
    if game.turn_seat is None or game.turn_since is None:
        return NO_REST
    player = Player.objects.get(game=game, seat=game.turn_seat)
    return in_force(player.rest_facts(game.time_control), game.turn_since, player.stills(game))


def rest_now(game: Game) -> Rest:
    """Return when the clock that runs in a game stands still (needs the players fetched)."""
    player = next((player for player in game.players.all() if player.seat == game.turn_seat), None)
    if player is None or game.turn_since is None:
        return NO_REST
    return in_force(player.rest_facts(game.time_control), game.turn_since, player.stills(game))


def bot_turn(game_id: int, number: int, is_step: bool = False) -> BotTurn | None:
    """Return the bot's turn at exactly that move, None if it is no bot's or the game has moved on. Two queries.

    It may be that of a player who is away, or out of time (by the database's clock; one query more).

    In a paused game no bot has a turn, except for the one step that was asked for (`is_step`). Nothing is locked: the
    game may move on while the bot thinks, and its answer is refused by its number then.
    """
    player = (_all_to_play() if is_step else to_play()).filter(game=game_id).first()
    if player is None or next_number(player.game) != number or not (bot := _bot_at(player)):
        return None
    game = player.game
    position = positions.position_of(game, game.moves.filter(number__lte=game.move_count))
    seed = player.bot_seed if player.bot else player.pk
    told = (player.bot_opening, player.bot_simulations, player.bot_seconds) if player.bot else ()
    return BotTurn(game.slug, game.pause_version, player.seat, bot, seed, position, *told)


@dataclass(frozen=True)
class SideChoice:
    """A side that a bot has to choose at a table that waits for that: the variant with the pieces, who, and its seed.

    `simulations` are how many games it was told to simulate, None for as many as usual.
    """

    slug: str
    variant: str
    bot: str
    seed: int
    simulations: int | None = None


def side_to_choose(game_id: int) -> SideChoice | None:
    """Return the side that a bot has to choose at a table, None where none has to. One query.

    Nothing is locked: who starts the game looks again.
    """
    found = Player.objects.filter(game=game_id, game__status=Status.OPEN, game__fill_at__isnull=False)
    player = found.exclude(bot="").select_related("game").first()
    if player is None or not player.game.offers_sides:
        return None
    return SideChoice(player.game.slug, player.game.variant, player.bot, player.bot_seed, player.bot_simulations)


def planned_turns(before: datetime, after: datetime | None = None) -> dict[tuple[int, int], str]:
    """Return the slug of every game whose player has planned the turn that began before a moment, by game and number.

    Only those that began after the other moment, if one is given. Paused games have none. One query.
    """
    # Both databases go through the games in which a turn is due that is planned, not through all.
    planning = Game.objects.filter(
        pk__in=Player.objects.filter(is_planning=True, is_going=True).order_by().values("game")
    )
    going = planning.filter(status=Status.RUNNING, is_paused=False, turn_since__lt=before)
    if after is not None:
        going = going.filter(turn_since__gt=after)
    due = going.filter(players__is_planning=True, players__seat=F("turn_seat")).order_by("turn_since")
    rows = due.values_list("pk", "slug", "move_count", "spent_numbers", "turn_colour", "players__plan")
    return {
        (pk, moves + 1 + spent): slug
        for pk, slug, moves, spent, colour, plan in rows
        if TurnPlan.from_data(plan).is_for(colour, moves + 1 + spent)
    }


def slug_of(game_id: int) -> str:
    """Return the slug of a game, empty where there is none. One query."""
    return Game.objects.filter(pk=game_id).values_list("slug", flat=True).first() or ""


def bot_to_play(game_id: int) -> str:
    """Return the bot that is to take the turn in a game now, empty for none. One query, or two as `bot_turn`."""
    player = to_play().filter(game=game_id).first()
    return _bot_at(player) if player else ""


def pause_left(game_id: int) -> float:
    """Return how many seconds the bots of a game still wait before the move that is due, by their pause. Two queries,
    one where they do not wait.
    """
    pause, since = Game.objects.values_list("bot_pause", "turn_since").get(pk=game_id)
    if not pause or since is None:
        return 0
    return max(0.0, pause - (database_now() - since).total_seconds())


def _bot_at(player: Player) -> str:
    """Return the bot that is to take the turn of this seat now, empty where its player is."""
    if player.bot:
        return player.bot
    deadline = player.game.deadline
    is_late = deadline is not None and is_past(deadline, database_now())
    return player.game.absent_bot if player.is_away or is_late else ""


def bot_turns_due(before: datetime) -> dict[tuple[int, int], str]:
    """Return the bot of every turn of a bot that began before a moment, by game and move number. One query."""
    due = Player.objects.filter(game__is_bot_due=True, game__turn_since__lt=before, seat=F("game__turn_seat"))
    rows = due.values_list("game_id", "game__move_count", "game__spent_numbers", "bot", "game__stand_in")
    return {(game, moves + 1 + spent): bot or stand_in for game, moves, spent, bot, stand_in in rows}


def soonest(position: Position, hand: Sequence[str]) -> str:
    """Return the colour of these that is to play, or else can place first; empty where there are none.

    A colour that has to pass is shown too, while it is to play. Where none of them fits any more, it is the first that
    is due.
    """
    if not hand or not position.colour:
        return ""
    order = position.colours_in_play
    start = order.index(position.colour)
    coming = [colour for colour in order[start:] + order[:start] if colour in hand]
    if coming[0] == position.colour:
        return coming[0]
    return next((colour for colour in coming if position.has_legal(colour)), coming[0])


@dataclass(frozen=True)
class LateTurn:
    """A turn whose time is up. `bot` takes it where the table has one for that, else the seat is to retire.

    Before that a day of its player's holidays may be taken, where they want it (`has_holidays`).
    """

    game_id: int
    slug: str
    number: int
    bot: str
    has_holidays: bool = False


def late_turns(now: datetime) -> list[LateTurn]:
    """Return the turns of people whose time is up, those that ran out first before others. One query."""
    late = Game.objects.filter(deadline__lte=now).order_by("deadline")
    wanted = late.annotate(
        has_holidays=Exists(HolidayBook.objects.filter(user=OuterRef("turn_user"), spends_itself=True))
    )
    games = wanted.only("slug", "move_count", "spent_numbers", "variant", "stand_in")[:LATE_LOT]
    return [LateTurn(game.pk, game.slug, next_number(game), game.absent_bot, game.has_holidays) for game in games]


def oldest_bot_turn() -> datetime | None:
    """Return since when the bot has been due that has been due for longest, None if none is. One query."""
    due = Game.objects.filter(is_bot_due=True).order_by("turn_since")
    return due.values_list("turn_since", flat=True).first()


@dataclass(frozen=True)
class WaitingTurns:
    """People's turns that have not been settled: those to notify of, by player, and those not to, by game.

    Both with the number of the move. Settled are turns whose player has been notified or needs no notice.
    """

    to_notify: set[tuple[int, int]]
    needless: set[tuple[int, int]]


def waiting_turns(reached: Q, after: datetime, before: datetime) -> WaitingTurns:
    """Return people's turns that began in a span of time and are not settled. One query.

    `reached` says which players can be notified.
    """
    is_wanted = Case(When(reached, then=True), default=False, output_field=BooleanField())
    began = Player.objects.filter(game__is_notice_due=True, game__turn_since__gt=after, game__turn_since__lt=before)
    number = F("game__move_count") + 1 + F("game__spent_numbers")
    turns = began.filter(seat=F("game__turn_seat")).values_list("pk", "game_id", number, is_wanted)
    found = WaitingTurns(set(), set())
    for player, game, due, wanted in turns:
        if wanted:
            found.to_notify.add((player, due))
        else:
            found.needless.add((game, due))
    return found
