"""The table that a group always has: when the next one is due, and how it opens."""

from datetime import datetime

from accounts.models import User
from games import events
from games.base.setup import GameSetup, SeatSetup
from games.base.terms import terms_kept
from games.models import Access, Game, Group, Player, StandingTable, Status
from games.rules.variants import drawn_again, get_variant
from games.table import opening, seats


def setup_of_standing(standing: StandingTable) -> GameSetup:
    """Return the next table: every seat is open to the members, and pieces that are drawn are drawn again."""
    variant = drawn_again(standing.variant, seats.any_seed())
    free = (SeatSetup(kind="open"),) * get_variant(variant).seats
    return GameSetup(variant=variant, seats=free, **terms_kept(standing.terms))


def open_next(standing: StandingTable, owner: User, now: datetime) -> Game:
    """Open the next game of a standing table, which is locked with the person who owns its group, and tell it."""
    setup = setup_of_standing(standing)
    game = opening.new_table(owner, setup, now)
    game.group_id = standing.group_id
    opening.open_table(game, [Player(access=Access.OPEN) for _seat in setup.seats], now)
    standing.game, standing.due_at = game, None
    standing.save()
    return game


def call_for_another(group: Group, former: int, now: datetime) -> None:
    """Note that the next game of a group's standing table is due if a former owner opened the one that waits.

    That one is cancelled with their leaving, or just after it. One query, and one more where there is such a table.
    """
    waiting = StandingTable.objects.filter(group=group, game__status=Status.OPEN, game__creator=former)
    for standing in waiting.select_for_update(no_key=True, of=("self",)):
        StandingTable.objects.filter(pk=standing.pk).update(due_at=now)
        events.publish(events.StandingTableDue(standing_id=standing.pk))
