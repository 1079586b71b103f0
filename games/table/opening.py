"""How a table comes into being, new or as a rematch."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Prefetch, prefetch_related_objects

from accounts.models import User
from games import events
from games.base import children, counters
from games.base.given import GivenStart
from games.base.setup import GameSetup
from games.base.terms import columns_of
from games.models import Game, Move, Occasion, Player
from games.roster.sides import better_seat
from games.rules.variants import get_variant
from games.table import changes, lifecycle
from games.table.notices.channels import post_in_channel
from games.table.seats import await_side

#: A second tap within this time is the same wish: it finds what the first has made.
TAPPED_TWICE = timedelta(seconds=10)


def new_table(creator: User, setup: GameSetup, now: datetime) -> Game:
    """Return the row of a table, not saved, as the setup wants it."""
    variant = get_variant(setup.variant)
    is_filled = bool(setup.filled_in) and any(seat.kind not in ("me", "bot") for seat in setup.seats)
    return Game(
        creator=creator,
        variant=variant.id,
        colours=_colours(setup),
        created_at=now,
        changed_at=now,
        fill_at=now + setup.filled_in if is_filled else None,
        fill_bot=setup.fill_bot if is_filled else "",
        **columns_of(setup.agreed()),
    )


def _colours(setup: GameSetup) -> list[str]:
    """Return the colours by seat where the variant leaves them to choose, else nothing."""
    variant = get_variant(setup.variant)
    if not variant.choosable_colours:
        return []
    return [colour for (colour,) in variant.seat_colours(setup.colours or None)]


def open_table(game: Game, players: Iterable[Player], now: datetime, given: GivenStart | None = None) -> None:
    """Save the game with these seats, shuffled where it says so; start it if none is empty; tell it after commit.

    Where no one is awaited, no one chooses: such seats are drawn. With named opening pieces a bot chooses its side.
    What is `given` are its first moves. A child makes it a sheltered table.

    Raises:
        InvitationRefused, BadRequest: a child could not sit there.

    """
    if given is not None:
        game.given_moves = game.move_count = len(given.moves)
        game.begun_from, game.board = given.game, given.position.board
        # Nor is a side chosen where the pieces to open with were named: they lie there.
        game.lets_choose = False
    seats = list(players)
    game.is_on_one_device = any(player.is_local for player in seats)
    children.shelter(game, seats)
    if game.lets_choose and all(player.is_taken for player in seats):
        game.lets_choose, game.is_shuffled = False, True
    if game.is_shuffled:
        secrets.SystemRandom().shuffle(seats)
    if game.offers_sides:
        _let_bot_choose(game, seats)
    changes.keep_waiting(game, seats, now)
    game.save()
    for number, player in enumerate(seats):
        player.game, player.seat = game, number
        player.joined_at = now if player.is_taken else None
    Player.objects.bulk_create(seats)
    if given is not None:
        Move.objects.bulk_create(given.rows(game, now))
    prefetch_related_objects([game], Prefetch("players", Player.objects.select_related("user", "invitee")))
    events.publish(events.GameCreated(**changes.about(game)))
    invited = [player.invitee_id for player in seats if player.invitee_id not in (None, game.creator_id)]
    occasion = Occasion.REMATCH if game.rematch_of_id else Occasion.INVITED
    changes.record(game, occasion, invited, now, other=game.creator_id)
    post_in_channel(game, now)
    with counters.together():
        if not await_side(game, now):
            lifecycle.start_if_full(game, now)
        counters.touch(changes.lists_of(game))


def _let_bot_choose(game: Game, seats: list[Player]) -> None:
    """Give the better side to the only bot at a table of a person who named the opening pieces."""
    bots = [number for number, player in enumerate(seats) if player.bot]
    is_full = all(player.is_taken for player in seats)
    if is_full and len(bots) == 1 and bots[0] != better_seat(get_variant(game.variant)):
        seats.reverse()
