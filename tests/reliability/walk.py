"""Every address of the site with a form that it takes, and who sends it: what walks through an outage."""

import time
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils import timezone

from accounts.children.keeping import make_child_link
from accounts.models import User
from games.actions.archives.ask_for_archive import ask_for_archive
from games.actions.groups.set_standing_table import set_standing_table
from games.actions.moderation.appeal_decision import appeal_decision
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.report_player import report_player
from games.actions.ratings.rate_family import rate_family
from games.archives.making import make_archive_file
from tests.accounts.factors import show_factor, with_codes
from tests.conftest import person
from tests.games.children.families import child_of
from tests.games.tables import ME, OPEN, play_out, running, setup
from tests.reliability.addresses import addresses
from tests.reliability.knock import send
from tests.reliability.world import HOOK, NEW, World, is_about_a_game, legal_body

#: What ends a login, an account or a group comes last.
LAST = (
    *("child-hand-over", "child-delete", "own-bot-close", "group-delete"),
    *("account_logout", "account_change_password", "account_set_password", "account-delete"),
)
#: What alice sends to pages that ask again who one is.
FRESH: dict[str, dict[str, Any]] = {
    "api-tokens": {"name": "Pentobi again", "scopes": ["read", "play"]},
    "own-bots": {"username": "George"},
    "own-bot": {"name": "Its machine", "scopes": ["play"]},
    "own-bot-close": {"typed": "Fred"},
    "own-webhooks": {"address": f"{HOOK}/elsewhere"},
    "children": {"username": "Leo", "password": NEW, "answers": "yes"},
    "child-allow": {"username": "carol"},
    "child-name": {"username": "Mia Maria"},
    "child-password": {"password": NEW},
    "child-hand-over": {"typed": "Mia"},
    "child-delete": {"typed": "Mia"},
}
#: What only a moderator is shown.
DESK = ("moderation", "moderation-record", "moderation-appeal", "moderation-case", "case-reviews", "decision-lift")


@dataclass(frozen=True)
class Door:
    """An address, about a game in one state where it is about one, and the form for it."""

    name: str
    path: str
    body: dict[str, Any] = field(default_factory=dict)
    role: str = "alice"

    def knock(self, world: World, method: str) -> Any:
        """Return what its person is answered."""
        return send(world, self.role, method, self.path, self.body if method == "POST" else {})


def doors(world: World, *, has_shown_again: bool = True) -> list[Door]:
    """Return every address: three times where it is about a game, and those of the desk as a moderator's.

    Before pages that ask again who one is alice stands, with a child of hers, only if she `has_shown_again`.
    """
    furnish(world)
    if has_shown_again:
        show_again(world)
    states = [world.games[state, "public"] for state in ("open", "running", "finished")]
    names = sorted(addresses(), key=lambda name: (name in LAST, name))
    about = [(name, game) for name in names for game in (states if is_about_a_game(name) else [None])]
    bodies = FRESH | {"child-remove": {"remove": str(world.people["bob"].pk)}}
    plain = [
        Door(name, world.path(name, game), bodies.get(name) or legal_body(name, game))
        for name, game in about
        if name not in DESK
    ]
    return [*desk(world), *plain]


def furnish(world: World) -> None:
    """Let what alice is shown be there: a standing table, her archive and a rating."""
    alice, now = world.people["alice"], timezone.now()
    set_standing_table(alice, world.club.slug, setup(ME, OPEN, variant="duo"), now=now)
    archive = ask_for_archive(alice, language="en", now=now)
    make_archive_file(archive.pk, 0, now=now)
    play_out(running(alice, world.people["bob"], variant="duo", now=now), now=now)
    rate_family("duo", now=now)


def show_again(world: World) -> None:
    """Let alice have a child that may meet bob, and have just shown again who she is."""
    alice = world.people["alice"]
    world.child = child_of(alice, "Mia", world.people["bob"])
    world.child_link = make_child_link(world.child, timezone.now())
    session = world.browser("alice").session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "reauthenticated": True}]
    session["account_authentication_methods_user"] = str(alice.pk)
    session.save()


def desk(world: World) -> list[Door]:
    """Return the doors of a moderator before whom a case and an appeal wait, and of those whom decisions are about."""
    judge, other = (judge_called(name, world) for name in ("judith", "jules"))
    bob, carol, dave = (world.people[name] for name in ("bob", "carol", "dave"))
    decided = [ruled(judge, bob, about) for about in (carol, dave)]
    appeal_decision(dave, decided[1], words="I did not.")
    report_player(bob, "alice", reason="spam")
    case = report_player(carol, "alice", reason="spam")
    ruling = {"measure": "silence 1", "reason": "spam", "last": str(case.pk)}
    appeal = dave.decisions.get(pk=decided[1]).appeal.pk
    return [
        Door("moderation", reverse("moderation"), role=judge.username),
        Door("moderation-record", reverse("moderation-record"), role=judge.username),
        Door("moderation-appeal", reverse("moderation-appeal", args=[appeal]), {"grant": ""}, other.username),
        Door("decision-lift", reverse("decision-lift", args=[decided[0]]), {}, other.username),
        Door("decision-appeal", reverse("decision-appeal", args=[decided[0]]), {"words": "I did not."}, "carol"),
        Door("case-reviews", reverse("case-reviews", args=[world.people["alice"].pk]), {}, judge.username),
        Door("moderation-case", reverse("moderation-case", args=[world.people["alice"].pk]), ruling, judge.username),
    ]


def judge_called(name: str, world: World) -> User:
    """Return a new moderator, whose browser has just shown a second factor."""
    judge = person(name)
    User.objects.filter(pk=judge.pk).update(is_moderator=True)
    judge.refresh_from_db()
    with_codes(judge)
    browser = world.browser("nobody")
    browser.force_login(judge)
    show_factor(browser, judge)
    world.cookies[name] = {key: morsel.value for key, morsel in browser.cookies.items()}
    return judge


def ruled(judge: User, reporter: User, about: User) -> int:
    """Return the key of a warning that somebody has got."""
    report = report_player(reporter, about.username, reason="spam")
    return decide_case(judge, about.pk, measure="warn", reason="spam", last=report.pk)[0].pk
