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
from tests.reliability.declared import not_visited, visits

#: Where each page is seen, by the name of its address; in braces the game of a scene, a token or a study.
VISITS = visits()
#: What answers a GET and is no page of its own, or is shown to some alone.
NO_PAGES = {*not_visited(), *DESK_VISITS}


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
    give_time(alice, names["Corner cases"], names["club"])
    talk(names["Corner cases"], names["Coffee break"])
    names["line"] = line_of_another(alice, names["Corner cases"])
    names["placed"] = react(alice, names["Corner cases"])
    names |= keep_child(alice)
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


def give_time(user: Any, game: str, club: str) -> None:
    """Give this person a day in a game, holidays of which one is taken, and a group with a table that opens again;
    block one other person for them and mute another.
    """
    from datetime import timedelta

    from django.utils import timezone

    from accounts.models import User
    from games.actions.groups.set_standing_table import set_standing_table
    from games.actions.kindness.give_day import give_day
    from games.actions.kindness.take_holiday import take_holiday
    from games.actions.people.block_person import block_person
    from games.actions.people.mute_person import mute_person
    from games.base.setup import GameSetup, SeatSetup
    from games.models import Game, HolidayBook

    number = Game.objects.get(slug=game).move_count + 1
    give_day(User.objects.get(username="bob"), game, number=number)
    week, soon = timedelta(days=7), timezone.now().date() + timedelta(days=30)
    HolidayBook.objects.update_or_create(
        user=user, defaults={"seconds": int(week.total_seconds()), "counted_at": timezone.now()}
    )
    take_holiday(user, soon, soon + timedelta(days=2))
    free = SeatSetup(kind="open")
    set_standing_table(user, club, GameSetup(variant="duo", seats=(free, free)))
    for name, refuse in (("Nils", block_person), ("Greta", mute_person)):
        User.objects.create_user(name)
        refuse(user, name)


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


def keep_child(guardian: Any) -> dict[str, Any]:
    """Make an account for a child of this person's, which plays with a bot.

    Return the child's key, the secret of a link that lets it in, its game, and a session of the child's.
    """
    from allauth.account.models import EmailAddress
    from django.utils import timezone

    from accounts.children.keeping import make_child, make_child_link
    from games.actions.tables.create_game import create_game
    from games.base.setup import GameSetup, SeatSetup

    EmailAddress.objects.get_or_create(user=guardian, email="alice@demo.example", verified=True)
    child = make_child(guardian, "Mia", PASSWORD)
    seats = (SeatSetup(kind="me"), SeatSetup(kind="bot", bot="greedy"))
    game = create_game(child, GameSetup(variant="duo", seats=seats, is_public=False, is_shuffled=False))
    way = make_child_link(child, timezone.now())
    session = session_with_password(child)
    return {"child": child.pk, "child-door": way, "childs-game": game.slug, "childs-session": session}


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
