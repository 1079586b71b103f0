"""Make the games that the push benchmark plays, and say how: one line of slugs, then one line a move.

A line has the game's slug, a session, a CSRF token, the number of the move and the placement. Moves go round the games.
"""

import random
import sys
from itertools import count

import django

django.setup()

from django.conf import settings  # noqa: E402  (after set-up)
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.middleware.csrf import get_token  # noqa: E402
from django.test import RequestFactory  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.sessions import SessionStore  # noqa: E402
from games.actions.tables.create_game import create_game  # noqa: E402
from games.actions.tables.join_game import join_game  # noqa: E402
from games.base.positions import start_of  # noqa: E402
from games.base.setup import GameSetup, SeatSetup  # noqa: E402
from games.models import Game  # noqa: E402

_names = count()


def person(prefix: str = "p") -> tuple[User, str]:
    """Return a new person and the key of their session."""
    user = User.objects.create_user(username=f"{prefix}{next(_names)}")
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return user, str(session.session_key)


def new_game() -> tuple[Game, list[str]]:
    """Return a running game of two new people, and their sessions in the order of their seats."""
    (alice, hers), (bob, his) = person(), person()
    setup = GameSetup(variant="blockyou-2", seats=(SeatSetup(kind="me"), SeatSetup(kind="open")), is_shuffled=False)
    return join_game(bob, create_game(alice, setup).slug), [hers, his]


def main() -> None:
    """Make the games and plan the moves."""
    games, moves = map(int, sys.argv[1:])
    call_command("migrate", verbosity=0)
    made = [new_game() for _ in range(games)]
    token = get_token(RequestFactory().get("/"))
    print(" ".join(game.slug for game, _sessions in made))
    positions, rng = [start_of(game) for game, _sessions in made], random.Random(1)
    for number in range(moves):
        which = number % games
        (game, sessions), position = made[which], positions[which]
        placement = rng.choice(position.legal_placements())
        due = str(position.move_count + 1)
        print("\t".join([game.slug, sessions[position.seat or 0], token, due, str(placement)]))
        positions[which] = position.play(placement)


if __name__ == "__main__":
    main()
