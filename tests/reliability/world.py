"""A small world to knock at every door of: people in every relation to games in every state.

nobody is not logged in, eve is a stranger, guest is a stranger without an account, bob is an opponent, alice has opened
the tables and is to move, carol is invited to the open tables and plays the running ones, dave has retired.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.guests import create_guest
from accounts.mail import unsubscribe
from accounts.mail.restoring import restoring_link
from accounts.models import ApiToken, Scope, User
from accounts.tokens import make_token
from games.actions.groups.create_group import create_group
from games.actions.groups.join_group import join_group
from games.actions.groups.set_role import set_role
from games.actions.moves.resign import resign
from games.actions.notices.add_webhook import add_webhook
from games.actions.notices.renew_feed import renew_feed
from games.actions.puzzles.store_puzzles import store_puzzles
from games.actions.studies.create_study import create_study
from games.actions.tables.join_game import join_game
from games.background.sweep import hold_lease
from games.base import positions
from games.bots.puzzles.shipped import shipped_puzzles
from games.clock import TimeControl
from games.models import Game, Notification
from games.rules import Position
from games.rules.records import GameRecord, write_json
from tests.conftest import PASSWORD
from tests.games.tables import ME, OPEN, due, fresh, invited, open_table, running
from tests.reliability.addresses import addresses
from tests.reliability.declared import bodies

#: Addresses that say by a secret which game they are about.
BY_LINK = ("invitation", "invitation-picture")
ROLES = ("nobody", "eve", "guest", "bob", "alice", "carol", "dave")
#: Who may not even know that a private game exists.
OUTSIDERS = ("nobody", "eve", "guest")
STATES = ("open", "running", "finished")
MISSING = "aaaaaaaaaa"
#: No child's account has this number.
MISSING_KEY = 999_999
SAFE = ("GET", "HEAD")
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
METHODS = (*SAFE, *UNSAFE, "OPTIONS", "TRACE")

Cookies = dict[str, str]


@dataclass
class World:
    """The people, the browsers they are logged in with, and a game in each state, public and private."""

    cookies: dict[str, Cookies] = field(default_factory=dict)
    people: dict[str, User] = field(default_factory=dict)
    games: dict[tuple[str, str], Game] = field(default_factory=dict)
    handlers: dict[str, Any] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    #: A child of alice's and the secret of a link for it, where a test makes one.
    child: User | None = None
    child_link: str = "no-such-link"
    #: A comment in a study, where a test has one written.
    comment: str = "1000"

    def __post_init__(self) -> None:
        for name in ("alice", "bob", "carol", "dave", "eve"):
            user = User.objects.create_user(name, email=f"{name}@example.org", password=PASSWORD)
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
            self.people[name] = user
        EmailAddress.objects.create(user=self.people["alice"], email="alice@new.example.org")
        self.people["guest"] = create_guest()
        for name in ROLES:
            self.cookies[name] = logged_in(self.people[name]) if name in self.people else {}
        self.bot = User.objects.create_user("Fred", operator=self.people["alice"])
        # Guests make no tokens.
        self.tokens = {
            name: make_token(user, "Pentobi", list(Scope), timezone.now())
            for name, user in self.people.items()
            if not user.is_guest
        }
        # Their use is noted once a minute: it has been, for as long as all tests of this world take.
        ApiToken.objects.update(used_at=timezone.now() + timedelta(hours=1))
        self._make_games()
        hold_lease("a process", timezone.now() + timedelta(hours=1))
        # What is two days old here has been announced.
        Notification.objects.update(is_due=False)
        self.secret = renew_feed(self.people["alice"], language="en", now=timezone.now())
        self.study = create_study(self.people["alice"], RECORD).slug
        token = ApiToken.objects.get(user=self.people["alice"]).pk
        # A club of four, and one that nobody has joined yet.
        self.club = create_group(self.people["alice"])
        for name in ("bob", "carol", "dave"):
            join_group(self.people[name], self.club.invite_token)
        set_role(self.people["alice"], self.club.slug, "bob", "keeper")
        self.door = create_group(self.people["alice"], "Barasona")
        store_puzzles([(1, PUZZLE)], source="bots", first=PUZZLE_DAY)
        self.receiver = add_webhook(self.people["alice"], HOOK, token=token, now=timezone.now()).pk

    def _make_games(self) -> None:
        makers = {"open": self._open, "running": self._running, "finished": self._finished}
        for state, make in makers.items():
            for kind in ("public", "private"):
                self.games[state, kind] = make(is_public=kind == "public")

    def browser(self, role: str, **options: Any) -> Client:
        """Return a browser in which the role is logged in, for one request: no cookie of it is shared with others."""
        client = Client(raise_request_exception=False, **options)
        # What answers is put together once: that is half a millisecond of thousands of requests.
        client.handler = self.handlers.setdefault(str(options), client.handler)
        client.cookies.load(dict(self.cookies[role]))
        return client

    def path(self, name: str, game: Game | None = None) -> str:
        """Return the address of this name, about this game where it is about one."""
        alice = self.people["alice"]
        made: dict[str, Callable[[], str]] = {
            "slug": lambda: game.slug if game else MISSING,
            "token": lambda: game.invite_token if game else unsubscribe.link(alice).rstrip("/").rsplit("/", 1)[1],
            "former": lambda: restoring_link(alice, "alice@example.net").rstrip("/").rsplit("/", 1)[1],
            "username": lambda: "alice",
            "name": lambda: "carol" if name.startswith("api-group-") else "alice",
            "bot": lambda: "greedy",
            "opening": lambda: "barasona",
            "family": lambda: "duo",
            "study": lambda: self.study,
            "secret": lambda: self.child_link if name == "child-enter" else self.secret,
            "child": lambda: str(self.child.pk if self.child else MISSING_KEY),
            "uidb36": lambda: str(user_pk_to_url_str(alice)),
            "key": lambda: _key(name, alice),
            "variant": lambda: "duo",
            "pk": lambda: str(self.receiver if "webhook" in name else ApiToken.objects.get(user=alice).pk),
            "webhook": lambda: str(self.receiver),
            "account": lambda: str(self.bot.pk),
            "path": lambda: "nothing",
            "comment": lambda: self.comment,
            "person": lambda: str(alice.pk),
            "group": lambda: self.club.slug,
            "invite": lambda: self.door.invite_token,
            "member": lambda: "carol",
            "day": lambda: PUZZLE_DAY.isoformat(),
            "handle": lambda: "0123456789abcdef",
            "rest": lambda: "stop/",
        }
        # Of what is not listed it is the first, if there is any.
        return reverse(name, kwargs={part: made.get(part, lambda: "1")() for part in parts(name)})

    def _open(self, **settings: Any) -> Game:
        game = open_table(self.people["alice"], ME, OPEN, invited("carol"), OPEN, lets_choose=True, **settings)
        return fresh(join_game(self.people["bob"], game.slug, seat=1, token=game.invite_token))

    def _running(self, **settings: Any) -> Game:
        people = [self.people[name] for name in ("alice", "bob", "carol", "dave")]
        # Alice is to move and late: what she still does comes before the bot that is to play for her.
        past = timezone.now() - timedelta(days=2)
        game = running(*people, now=past, time=TimeControl.days_a_move(1), allows_advice=True, **settings)
        resign(self.people["dave"], game.slug)
        return fresh(game)

    def _finished(self, **settings: Any) -> Game:
        people = [self.people[name] for name in ("alice", "bob", "carol", "dave")]
        game = running(*people, **settings)
        for name in ("dave", "carol", "bob"):
            resign(self.people[name], game.slug)
        return fresh(game)


def logged_in(user: User) -> Cookies:
    client = Client()
    client.force_login(user)
    return {name: morsel.value for name, morsel in client.cookies.items()}


def _key(name: str, user: User) -> str:
    if name == "account_reset_password_from_key":
        return default_token_generator.make_token(user)
    return str(EmailConfirmationHMAC.create(EmailAddress.objects.get(user=user, verified=False)).key)


def parts(name: str) -> list[str]:
    """Return the names of the parts of an address that differ from page to page."""
    return re.findall(r"<(?:\w+:)?(\w+)>", addresses()[name])


def is_about_a_game(name: str) -> bool:
    return "slug" in parts(name) or name in BY_LINK


def legal_body(name: str, game: Game | None) -> dict[str, Any]:
    """Return a form that somebody may send to this address with success, where anybody may."""
    sent = BODIES.get(name, {})
    if not sent and game is not None:
        sent = MOVES_ON if name.startswith("api-") else {**MOVES_ON, **SHOWN}
    return {field: _filled(value, name, game) for field, value in sent.items()}


def _filled(value: Any, name: str, game: Game | None) -> Any:
    """Return what a value means for a game: a number for a program, its text in a form."""
    if not isinstance(value, str) or value not in OF_GAME:
        return value
    filled = OF_GAME[value](game)
    return filled if name.startswith("api-") else str(filled)


def first_placement(game: Game) -> str:
    """Return a placement that fits in a running game, any for others."""
    return str(positions.position_of(game).legal_placements()[0]) if game.status == "running" else "1:a1"


#: What stands in pointed brackets, for a game and for none.
OF_GAME: dict[str, Callable[[Game | None], Any]] = {
    "<due>": lambda game: due(game) if game else 1,
    "<pause>": lambda game: game.pause_version if game else 0,
    "<version>": lambda game: game.version if game else 1,
    "<placement>": lambda game: first_placement(game) if game else "1:a1",
}
#: What is sent to an address about a game that declares nothing; a page sends what it has shown, too.
MOVES_ON = {"number": "<due>"}
SHOWN = {"key": "a-key-of-ours", "pause": "<pause>", "request": "<version>"}
HOOK = "https://bots.example.org/hook"
IN_A_MONTH, IN_TWO_MONTHS = ((timezone.now() + timedelta(days=days)).date().isoformat() for days in (30, 60))
RECORD = GameRecord.of(Position.start("duo"), players=("alice", "bob"))
NEW = "diagonals touch, sides never"
PUZZLE, PUZZLE_DAY = next(shipped_puzzles()).puzzle, date(2026, 1, 1)
ANSWER = PUZZLE.solutions[0][0]
BODIES: dict[str, dict[str, Any]] = {
    **bodies(),
    # More than anyone has earned.
    **{name: {"first": IN_A_MONTH, "last": IN_TWO_MONTHS} for name in ("holidays", "api-holidays")},
    "api-studies": {"record": write_json(RECORD)},
    "studies": {"text": write_json(RECORD)},
    "puzzle-try": {"placement": ANSWER},
    "api-puzzle-try": {"move": ANSWER},
    "guest-claim": {"username": "frank", "password1": NEW},
    "account-delete": {"password": PASSWORD, "word": "delete"},
    "account_login": {"login": "bob", "password": PASSWORD},
    "account_signup": {"username": "frank", "password1": NEW},
    "account_reauthenticate": {"password": PASSWORD},
    "account_change_password": {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW},
    "account_set_password": {"password1": NEW, "password2": NEW},
    "password-renew": {"password1": NEW, "password2": NEW},
    "account_reset_password_from_key": {"password1": NEW, "password2": NEW},
}
