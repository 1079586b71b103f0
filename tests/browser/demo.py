"""One world of data for the tests that look at every page: the demonstration's people and games, seeded once a run.

Run as a program in a site's surroundings it fills the site's database and prints, as JSON, where every page is seen.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.browser.moderated import DESK_VISITS, moderate, session_with_password
from tests.browser.people import PASSWORD
from tests.browser.site import ROOT, Site

#: Where each page is seen, by the name of its address; in braces the game of a scene, a token or a study.
VISITS = {
    "home": ["/"],
    "rules": ["/rules/"],
    "learn": [
        "/learn/",
        "/learn/?lesson=edge&placement=L4:d5,d6,d7,e7",
        "/learn/?lesson=lanes&placement=V5:e3,f3,g3,g4,g5",
    ],
    "offline": ["/offline/"],
    "privacy": ["/privacy/"],
    "ratings": ["/ratings/"],
    "player-rating": ["/players/alice/ratings/blockyou-2/", "/players/alice/ratings/codingame/"],
    "ratings-of": ["/ratings/duo/", "/ratings/blockyou-4/"],
    "bots": ["/bots/"],
    "bot": ["/bots/greedy/", "/bots/no-such-bot/"],
    "openings": ["/openings/"],
    "opening": ["/openings/barasona/", "/openings/xf/", "/openings/no-such-opening/"],
    "puzzles": ["/puzzles/"],
    "puzzle": ["/puzzles/2026-11-29/", "/puzzles/2026-11-29/?piece=1", "/puzzles/2020-01-01/"],
    "lobby": ["/lobby/", "/lobby/?page=99"],
    "history": ["/history/", "/history/?opponent=nobody-at-all", "/history/?result=won&variant=blockyou-4"],
    "player": ["/players/alice/", "/players/nobody-at-all/"],
    "blocked": ["/blocked/"],
    "seeks": ["/seeks/"],
    "holidays": ["/holidays/"],
    "own-data": ["/data/"],
    "bring-along": ["/data/bring/"],
    "people": ["/people/"],
    "groups": ["/groups/"],
    "group": ["/groups/{club}/"],
    "group-members": ["/groups/{club}/members/"],
    "group-join": ["/groups/join/{door}/", "/groups/join/of-nobody/"],
    "group-report": ["/groups/join/{door}/report/"],
    "child-enter": ["/children/enter/{child-door}/", "/children/enter/of-nobody/"],
    "muted": ["/muted/"],
    "my-games": ["/games/"],
    "notices": ["/notices/"],
    "notice-choices": ["/notices/choices/"],
    "new-game": ["/games/new/?variant=blockyou-4", "/games/new/?variant=codingame-2"],
    "one-device": ["/one-device/"],
    "invitation": ["/join/{invitation}/"],
    "game": [
        "/games/{Sunday round}/",
        "/games/{Coffee break}/",
        "/games/{Not this week}/",
        "/games/{Corner cases}/",
        "/games/{Four seasons}/",
        "/games/{Long silence}/",
        "/games/{Say it aloud}/",
        "/games/{Every last piece}/",
        "/games/{Two of each}/",
        "/games/{Honeycomb}/",
        "/games/{watched}/",
        "/games/{table}/",
        "/games/{handed}/",
        "/games/{Against the machines}/?takeback=yes",
    ],
    "game-away": ["/games/{Corner cases}/away/", "/games/{Honeycomb}/away/"],
    "game-placements": ["/games/{Corner cases}/placements/", "/games/{Corner cases}/placements/?piece=L5"],
    "game-advice": ["/games/{Corner cases}/advice/"],
    "game-why": ["/games/{thought}/why/", "/games/{Against the machines}/why/", "/games/{watched}/why/"],
    "game-ask": ["/games/{Corner cases}/ask/"],
    "game-edit": ["/games/{table}/edit/"],
    "game-channel": ["/games/{table}/channel/", "/games/{Sunday round}/channel/"],
    "game-talk": ["/games/{Corner cases}/talk/"],
    "game-reaction": ["/games/{Corner cases}/moves/{placed}/reaction/"],
    "game-watchers-talk": ["/games/{Every last piece}/talk/watchers/"],
    "talk-report": ["/games/{Corner cases}/talk/{line}/report/"],
    "game-report": ["/games/{Corner cases}/report/", "/games/{Four seasons}/report/"],
    "player-report": ["/players/bob/report/"],
    "decisions": ["/decisions/"],
    "conduct": ["/conduct/"],
    "game-analysis": [
        "/games/{Corner cases}/analysis/",
        "/games/{Corner cases}/analysis/?move=3&piece=L5",
        "/games/{Honeycomb}/analysis/",
        "/games/{Every last piece}/analysis/?move=40",
    ],
    "game-note": ["/games/{Corner cases}/note/"],
    "game-plan": ["/games/{Four seasons}/plan/", "/games/{Two of each}/plan/?piece=2", "/games/{Honeycomb}/plan/"],
    "replay": ["/games/{Every last piece}/replay/", "/games/{Honeycomb}/replay/?move=7", "/games/{thought}/replay/"],
    "review": ["/games/{Every last piece}/review/", "/games/{Honeycomb}/review/"],
    "embed": ["/games/{Every last piece}/embed/"],
    "mistakes": ["/mistakes/"],
    "studies": ["/studies/"],
    "study": ["/studies/{study}/", "/studies/{commented}/?move=5"],
    "study-set-up": ["/studies/set-up/", "/studies/set-up/?board=duo"],
    "study-board": ["/studies/{commented}/board/?branch=1&move=10", "/studies/{commented}/board/?move=9&piece=1"],
    "study-branches": ["/studies/{commented}/board/branches/"],
    "study-compare": ["/studies/{commented}/compare/", "/studies/{study}/compare/"],
    "study-comment-report": ["/studies/{commented}/comments/{comment}/report/"],
    "from-study": ["/studies/{study}/from/?move=9"],
    "from-game": ["/games/{Every last piece}/from/?move=9", "/games/{Every last piece}/from/?move=0"],
    "game-branches": ["/games/{Corner cases}/analysis/branches/", "/games/{Every last piece}/analysis/branches/"],
    "game-compare": ["/games/{Corner cases}/analysis/compare/", "/games/{Every last piece}/analysis/compare/"],
    "api-page": ["/api/"],
    "account": ["/accounts/"],
    "preferences": ["/accounts/preferences/"],
    "own-name": ["/accounts/name/"],
    "guest-claim": ["/accounts/claim/"],
    "account-restore-address": ["/accounts/email/restore/{former}/", "/accounts/email/restore/of-nobody/"],
    "account-delete": ["/accounts/delete/"],
    "unsubscribe": ["/accounts/unsubscribe/{unsubscribe}/", "/accounts/unsubscribe/of-nobody/"],
    "account_login": ["/accounts/login/"],
    "account_signup": ["/accounts/signup/"],
    "account_email": ["/accounts/email/"],
    "account_change_password": ["/accounts/password/change/"],
    "account_logout": ["/accounts/logout/"],
    "account_inactive": ["/accounts/inactive/"],
    "account_reauthenticate": ["/accounts/reauthenticate/"],
    "mfa_index": ["/accounts/keys/"],
    "account_email_verification_sent": ["/accounts/confirm-email/"],
    "account_confirm_email": ["/accounts/confirm-email/no-such-key/"],
    "account_reset_password": ["/accounts/password/reset/"],
    "account_reset_password_done": ["/accounts/password/reset/done/"],
    "account_reset_password_from_key": ["/accounts/password/reset/key/{reset}/", "/accounts/password/reset/key/1-no/"],
    "account_reset_password_from_key_done": ["/accounts/password/reset/key/done/"],
}
#: What answers a GET and is no page of its own: files, parts that pages fetch, and addresses that lead elsewhere.
NO_PAGES = {
    "health",
    "metrics",
    "manifest",
    "robots",
    "sitemap",
    "security-txt",
    "change-password",
    "favicon",
    "service-worker",
    "device",
    "puzzle-today",
    # They lead to the page of a game's channel.
    "game-webhook",
    "game-webhook-part",
    "waiting",
    "game-board",
    "game-talk-lines",
    "game-watchers-talk-lines",
    "game-picture",
    "invitation-picture",
    "game-animation",
    "game-record-blksgf",
    "game-record-json",
    "study-record-blksgf",
    "study-record-json",
    "own-archive",
    "history-csv",
    "calendar",
    "atom",
    "history-json",
    "account_set_password",
    "account_confirm_login_code",
    # Shown just after the password was given, or something else, or to strangers: keys/test_pages.
    "password-renew",
    "password-remove",
    "mfa_authenticate",
    "mfa_reauthenticate",
    "mfa_reauthenticate_webauthn",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_add_webauthn",
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
    "mfa_login_webauthn",
    "passkey-lost",
    "signup-by-passkey",
    "signup-make-passkey",
    # Shown just after the password was given: test_programs.
    "api-tokens",
    "own-bots",
    "own-bot",
    "own-bot-close",
    "own-webhooks",
    "api-nowhere",
    # Shown just after the password was given, or no GET: test_children.
    "children",
    "child",
    "child-hand-over",
    "child-delete",
    "child-allow",
    "child-remove",
    "child-name",
    "child-phrases",
    "child-link",
    "child-password",
    "child-logins-end",
    "child-archive-ask",
    "child-archive",
    # Shown to those who come from a guest, or from a provider of log-ins: keys/test_pages.
    "bring-guest",
    "sign-on-again",
    "sign-on-back",
    "sign-on-name",
    # Shown to moderators alone: test_moderation.
    *DESK_VISITS,
}


@dataclass
class Demo:
    """A site with every state that a page can be in."""

    site: Site
    names: Mapping[str, str]

    @classmethod
    def on(cls, site: Site) -> "Demo":
        """Fill the site."""
        command = [sys.executable, "-m", "tests.browser.demo"]
        told = subprocess.check_output(command, cwd=ROOT, env=site.surroundings(), text=True, timeout=240)
        return cls(site, json.loads(told.splitlines()[-1]))

    def paths(self, name: str) -> list[str]:
        """Return where the page with this name of its address is seen."""
        return [path.format_map(self.names) for path in VISITS[name]]

    def game(self, scene: str) -> str:
        """Return the path of the game of a scene."""
        return f"/games/{self.names[scene]}/"


def main() -> None:
    """Fill the database of the site that we are in, and say what stands for the names in braces."""
    import django

    django.setup()
    from allauth.account.utils import user_pk_to_url_str
    from django.contrib.auth.tokens import default_token_generator
    from django.core.management import call_command

    from accounts.mail import unsubscribe
    from accounts.mail.restoring import restoring_link
    from accounts.models import User
    from games.actions.studies.create_study import create_study
    from games.models import Game
    from games.table.records import game_record

    call_command("seed_demo", password=PASSWORD, verbosity=0)
    call_command("make_puzzles", verbosity=0)
    alice = User.objects.get(username="alice")
    names: dict[str, Any] = dict(Game.objects.exclude(name="").values_list("name", "slug"))
    names["invitation"] = Game.objects.get(name="Just us two").invite_token
    names["study"] = create_study(alice, game_record(alice, names["Every last piece"])).slug
    names["commented"], names["comment"] = write_together(alice, names["Every last piece"])
    names["unsubscribe"] = unsubscribe.link(alice).rstrip("/").rsplit("/", 1)[1]
    names["former"] = restoring_link(alice, "alice@former.example").rstrip("/").rsplit("/", 1)[1]
    names["reset"] = f"{user_pk_to_url_str(alice)}-{default_token_generator.make_token(alice)}"
    names["table"] = open_table(alice)
    names["handed"] = share_device(alice)
    names["club"], names["door"] = play_in_groups(alice)
    leave_alone(alice)
    talk(names["Corner cases"], names["Coffee break"])
    names["line"] = line_of_another(alice, names["Corner cases"])
    names["placed"] = react(alice, names["Corner cases"])
    names["child"], names["child-door"] = keep_child(alice)
    names["watched"], names["thought"] = games_of_bots(alice)
    review(alice, names["Every last piece"])
    names |= moderate()
    names["guardian"] = session_with_password(alice)
    sys.stdout.write(json.dumps(names))


def write_together(user: Any, game: str) -> tuple[str, int]:
    """Keep a game as a study in which another writes too; return its address and the key of what the other wrote."""
    from accounts.models import User
    from games.actions.people.follow_person import follow_person
    from games.actions.studies.add_editor import add_editor
    from games.actions.studies.add_variation import add_variation
    from games.actions.studies.create_study import create_study
    from games.actions.studies.write_comment import write_comment
    from games.rules.record import play_on
    from games.table.records import game_record, stored

    study = create_study(user, game_record(user, game), title="Where it turned")
    other = User.objects.filter(is_guest=False, operator=None, guardian=None, is_active=True).exclude(pk=user.pk)[0]
    follow_person(user, other.username)
    User.objects.filter(pk=other.pk).update(invited_by="everyone")
    add_editor(user, study.slug, other.username)
    write_comment(user, study.slug, move=5, text="Here I still had three corners.", edition=1)
    kept = write_comment(other, study.slug, move=5, text="And I saw two of them.\n\nNot the third.", edition=2)
    record = stored(study.record)
    *_, position = play_on(record.start(), record.record.moves[:9])
    another = next(each for each in map(str, position.legal_placements()) if each != record.record.moves[9])
    place = add_variation(user, study.slug, move=9, placement=another, edition=3)
    assert place.variation, "the game's own move is no variation"
    return study.slug, kept.pk


def open_table(user: Any) -> str:
    """Open a table for four at which a bot sits, and change its time."""
    from games.actions.tables.create_game import create_game
    from games.actions.tables.edit_table import edit_table
    from games.base.setup import GameSetup, SeatSetup
    from games.base.terms import TableTerms
    from games.clock import PACES

    seats = (SeatSetup(kind="me"), SeatSetup(kind="bot", bot="greedy"), SeatSetup(kind="open"), SeatSetup(kind="open"))
    game = create_game(user, GameSetup(variant="blockyou-4", seats=seats, time=PACES["slow"]))
    edit_table(user, game.slug, TableTerms.of(game, time=PACES["fast"]))
    return game.slug


def share_device(user: Any) -> str:
    """Begin a game on one device, which is to be handed to its first player."""
    from games.actions.tables.create_game import create_game
    from games.base.setup import GameSetup, SeatSetup

    seats = (SeatSetup(kind="me", local_name="Ada"), SeatSetup(kind="local", local_name="Bea"))
    return create_game(user, GameSetup(variant="blockyou-2", seats=seats, is_public=False, is_shuffled=False)).slug


def play_in_groups(user: Any) -> tuple[str, str]:
    """Let others open a table and play a game in a group of this person's, and make another group; return both ways."""
    from accounts.models import User
    from games.actions.groups.create_group import create_group
    from games.actions.moves.resign import resign
    from games.actions.tables.create_game import create_game
    from games.actions.tables.join_game import join_game
    from games.base.setup import GameSetup, SeatSetup
    from games.models import Group

    bob, carol = (User.objects.get(username=name) for name in ("bob", "carol"))
    me, free = SeatSetup(kind="me"), SeatSetup(kind="open")
    club = Group.objects.get(owner=user).slug
    game = create_game(bob, GameSetup(variant="duo", seats=(me, free)), group=club)
    join_game(carol, game.slug)
    resign(carol, game.slug)
    create_game(bob, GameSetup(variant="trigon-3", seats=(me, free, free)), group=club)
    door = create_group(bob, "Thursday evenings")
    create_game(bob, GameSetup(variant="blockyou-4", seats=(me, free, free, free)), group=door.slug)
    return club, door.invite_token


def talk(*slugs: str) -> None:
    """Let the people at these tables say something, as far as they may."""
    from games.actions.talk.send_message import send_message
    from games.errors import NotSeated
    from games.models import Player

    for slug in slugs:
        people = [seat.user for seat in Player.objects.filter(game__slug=slug, user__isnull=False) if seat.user]
        for person, phrase in zip(people * 2, ("hello", "luck", "nice-move", "take-time"), strict=False):
            send_message(person, slug, phrase=phrase)
        try:
            send_message(people[-1], slug, text="I thought about this corner for three days, and then you took it.")
        except NotSeated:
            continue


def line_of_another(reader: Any, slug: str) -> str:
    """Return the key of what another person has said at a table."""
    from games.models import TalkMessage

    return str(TalkMessage.objects.filter(game__slug=slug).exclude(author=reader).latest("pk").pk)


def react(user: Any, slug: str) -> int:
    """React to the latest placement of another player, and return its number."""
    from games.actions.talk.give_reaction import give_reaction
    from games.models import Move, Player

    own = Player.objects.filter(game__slug=slug, user=user).values("seat")
    latest = Move.objects.filter(game__slug=slug, kind="place").exclude(seat__in=own).latest("number")
    give_reaction(user, slug, number=latest.number, word="clever")
    return latest.number


def keep_child(guardian: Any) -> tuple[int, str]:
    """Make an account for a child of this person's, and return its key and the secret of a link that lets it in."""
    from allauth.account.models import EmailAddress
    from django.utils import timezone

    from accounts.children.keeping import make_child, make_child_link

    EmailAddress.objects.get_or_create(user=guardian, email="alice@demo.example", verified=True)
    child = make_child(guardian, "Mia", PASSWORD)
    return child.pk, make_child_link(child, timezone.now())


def leave_alone(user: Any) -> None:
    """Open a game with a bot that has waited for so long that it is put away."""
    from datetime import timedelta

    from django.utils import timezone

    from games.actions.tables.create_game import create_game
    from games.base.setup import GameSetup, SeatSetup
    from games.clock import TimeControl

    seats = (SeatSetup(kind="me"), SeatSetup(kind="bot", bot="greedy"))
    alone = GameSetup(variant="duo", seats=seats, is_public=False, is_shuffled=False, time=TimeControl())
    create_game(user, alone, now=timezone.now() - timedelta(days=30))


def games_of_bots(user: Any) -> tuple[str, str]:
    """Open a game of bots that is paused, and one that is played to its end with what they thought."""
    from games.actions.tables.create_game import create_game
    from games.base.setup import GameSetup, SeatSetup
    from games.bots.turns import play_turn
    from games.models import Game

    seats = tuple(SeatSetup(kind="bot", bot="greedy", seed=seed) for seed in (1, 2))
    paused, played = (
        create_game(user, GameSetup(variant="duo", seats=seats, is_paused=is_paused)) for is_paused in (True, False)
    )
    while play_turn(played.pk, Game.objects.get(pk=played.pk).move_count + 1):
        pass
    return paused.slug, played.slug


def review(user: Any, slug: str) -> None:
    """Have a finished game reviewed, at once and not thoroughly."""
    from games.actions.analysis.ask_for_review import ask_for_review
    from games.bots import reviewer
    from games.models import Review

    ask_for_review(user, slug)
    Review.objects.update(simulations=20)
    (review_id,) = Review.objects.values_list("pk", flat=True)
    done: int | None = 0
    while done is not None:
        done = reviewer.continue_review(review_id, done)


if __name__ == "__main__":
    main()
