"""The tables of a season: its people as accounts, four at a table, and when each of them looks at the site."""

import random
from datetime import timedelta
from functools import partial

from allauth.account.models import EmailAddress
from django.db import transaction

from accounts.models import User
from benchmarks.season.people import Person, invite
from benchmarks.season.world import OPENED_WITHIN, World
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.base.setup import GameSetup, SeatSetup
from games.clock import PACES, TimeControl

SEATS = 4
#: How many tables a person sits at.
TABLES_EACH = 4
TIMES = (PACES["fast"], PACES["normal"], PACES["normal"], TimeControl.days_a_move(2))


def fill(world: World, games: int, days: int, last: int, rng: random.Random) -> None:
    """Open the tables of a season of that many days, and plan when people look until the last day."""
    people = invite(max(SEATS, games * SEATS // TABLES_EACH), world.now, days, rng)
    accounts = [_account(person) for person in people]
    for _table in range(games):
        seated = rng.sample(accounts, SEATS)
        world.at(world.now + OPENED_WITHIN * rng.random(), partial(_open, seated, rng))
    for person, user in zip(people, accounts, strict=True):
        for moment in person.looks(rng, world.now.date(), last):
            world.at(moment, partial(world.visit, user))
    world.at(world.now + timedelta(hours=1), world.keep_sweeping)


@transaction.atomic
def _account(person: Person) -> User:
    user = User.objects.create_user(
        person.name, email=f"{person.name}@example.org", wants_turn_emails=True, time_zone=person.zone.key
    )
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def _open(seated: list[User], rng: random.Random) -> None:
    """Open a table for these people and have them sit down."""
    seats = (SeatSetup(kind="me"), *(SeatSetup(kind="link"),) * (SEATS - 1))
    time = rng.choice(TIMES)
    setup = GameSetup(
        variant="blockyou-4", seats=seats, time=time, stand_in="greedy", is_public=False, is_shuffled=False
    )
    game = create_game(seated[0], setup)
    for user in seated[1:]:
        join_game(user, game.slug, token=game.invite_token)
