"""A quarter of a year: four people in a group, a child, somebody rude, somebody away, and somebody who stops.

All of it goes through the pages, as browsers ask for them. Time is moved; nobody waits. What each of them sees is said
at each step.
"""

import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.background.sweep import sweep
from games.base import positions
from games.models import Game
from games.queries.tables import turns
from games.table import moves
from tests.accounts.factors import show_factor, with_codes
from tests.conftest import PASSWORD, person
from tests.games.tables import any_placement, check_audited, due, key
from tests.games.tasks.workers import run_jobs

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

NEW_YEAR = datetime(2027, 1, 4, 12, tzinfo=UTC)
RUDE = "I know where you live."


class Quarter:
    """The people, each at a browser of their own, and the calendar."""

    def __init__(self, traveller: Any) -> None:
        self.traveller, self.browsers = traveller, dict[str, Client]()
        self.rng = random.Random(4)
        # The address of the group's page, its first game, and the talk of that.
        self.club, self.talk = "", ""
        self.first = Game()

    @property
    def path(self) -> str:
        """Return the address of the first game."""
        return f"/games/{self.first.slug}/"

    def to_move(self) -> str:
        """Return who is to move in the first game, empty where a bot is or no one."""
        self.first.refresh_from_db()
        return self.first.turn_user.username if self.first.turn_user else ""

    def play_until(self, name: str) -> None:
        """Let the others play until it is this person's turn."""
        while self.to_move() != name:
            self.plays(self.first)
            self.days(0.1)

    def comes(self, name: str, **facts: Any) -> None:
        """Let a person have an account with a confirmed address for more than a year, and log in."""
        user = person(name)
        joined = timezone.now() - timedelta(days=400)
        User.objects.filter(pk=user.pk).update(email=f"{name}@example.org", date_joined=joined, **facts)
        EmailAddress.objects.create(user=user, email=f"{name}@example.org", verified=True, primary=True)
        self.browsers[name] = Client()
        self.browsers[name].force_login(User.objects.get(pk=user.pk))

    def moderates(self, name: str) -> None:
        """Let a person be a moderator, with a second factor."""
        self.comes(name, is_moderator=True)
        with_codes(User.objects.get(username=name))

    def desk(self, name: str) -> str:
        """Return what waits for a moderator, who shows the second factor for it."""
        show_factor(self.browsers[name], User.objects.get(username=name))
        return self.sees(name, "/moderation/")

    def days(self, number: float) -> None:
        """Let so many days go by; the site looks twice a day what is due."""
        until = timezone.now() + timedelta(days=number)
        while timezone.now() < until:
            self.traveller.move_to(min(until, timezone.now() + timedelta(hours=12)), tick=False)
            sweep(timezone.now())
            run_jobs()

    def sees(self, who: str, path: str) -> str:
        """Return what a page says to a person, its spaces joined."""
        answer = self.browsers[who].get(path, follow=True)
        return f"{answer.status_code} " + re.sub(r"\s+", " ", answer.content.decode())

    def does(self, who: str, path: str, **form: str) -> Any:
        """Send a form of a page, and return the answer."""
        return self.browsers[who].post(path, form)

    def plays(self, game: Game, *, by: str = "") -> str:
        """Let the person play whose turn it is, and return who that was; `by` says who it has to be."""
        game.refresh_from_db()
        assert game.turn_user is not None
        name = game.turn_user.username
        assert by in ("", name)
        text = any_placement(positions.position_of(game), self.rng)
        form = {"placement": text, "number": str(due(game)), "key": key(), "pause": str(game.pause_version)}
        answer = self.does(name, f"/games/{game.slug}/place/", **form)
        assert answer.status_code == 302, answer.content.decode()
        return name

    def round_of(self, game: Game) -> None:
        """Let all four of a game play once, a few hours after each other."""
        for _turn in range(4):
            self.days(0.25)
            self.plays(game)

    def decides(self, judge: str, about: str, measure: str, **form: str) -> None:
        """Let a moderator open the one case that waits, and decide it by its form."""
        assert about in self.desk(judge)
        path = f"/moderation/cases/{User.objects.get(username=about).pk}/"
        (last,) = re.findall(r'name="last" value="(\d+)"', self.sees(judge, path))
        answer = self.does(judge, path, measure=measure, reason="insult", last=last, **form)
        assert answer.status_code == 302, answer.content.decode()


@pytest.fixture
def quarter(monkeypatch: pytest.MonkeyPatch) -> Iterator[Quarter]:
    monkeypatch.setattr(settings, "EMAIL_IS_SET", True)
    # The database has a clock of its own, which turns begin and end by.
    for module in (moves, turns):
        monkeypatch.setattr(module, "database_now", timezone.now)
    with time_machine.travel(NEW_YEAR, tick=False) as traveller:
        yield Quarter(traveller)


def letters(name: str) -> list[str]:
    """Return the letters about moderators' decisions that have been written to a person."""
    return [
        str(each.subject) for each in mail.outbox if f"{name}@example.org" in each.to and "moderator" in each.subject
    ]


def test_four_people_a_child_and_a_quarter_of_a_year(quarter: Quarter) -> None:
    for name in ("anna", "ben", "cara", "dora"):
        quarter.comes(name)
    quarter.moderates("judith")
    quarter.moderates("joan")
    they_make_a_group_and_play(quarter)
    ben_is_rude(quarter)
    he_appeals_in_vain(quarter)
    cara_goes_away(quarter)
    annas_child_plays(quarter)
    ben_is_rude_again(quarter)
    he_and_dora_are_missed(quarter)
    the_next_table_opens(quarter)
    ben_comes_back(quarter)
    quarter.days(40)
    assert quarter.path in quarter.sees("cara", quarter.club), "still among the results"
    assert timezone.now() > NEW_YEAR + timedelta(days=90)


def they_make_a_group_and_play(quarter: Quarter) -> None:
    """Anna makes a group, the others join by its link, and the group always has a table for four."""
    quarter.club = quarter.does("anna", "/groups/", name="Corner club")["Location"]
    (link,) = {*re.findall(r"/groups/join/[\w-]+/", quarter.sees("anna", quarter.club))}
    for name in ("ben", "cara", "dora"):
        assert "Corner club" in quarter.sees(name, link)
        quarter.does(name, link)
    assert "4 members" in quarter.sees("dora", quarter.club)
    quarter.does("anna", f"{quarter.club}standing/", players="4")
    quarter.first = Game.objects.get()
    quarter.talk = f"{quarter.path}talk/"
    for name in ("anna", "ben", "cara", "dora"):
        assert quarter.path in quarter.sees(name, quarter.club)
        quarter.does(name, f"{quarter.path}join/")
    quarter.first.refresh_from_db()
    assert quarter.first.status == "running"
    # After three rounds each page says when the table will end.
    quarter.round_of(quarter.first)
    assert "This game will probably end" not in quarter.sees("anna", quarter.path)
    for _round in range(2):
        quarter.round_of(quarter.first)
    for name in ("anna", "dora"):
        assert "This game will probably end" in quarter.sees(name, quarter.path)


def ben_is_rude(quarter: Quarter) -> None:
    """Anna and Cara read it. Anna blocks and reports him, and reads no more of it; he is not told."""
    talk = quarter.talk
    assert quarter.does("ben", talk, text=RUDE).status_code == 302
    assert RUDE in quarter.sees("cara", talk)
    (report,) = re.findall(rf"{talk}\d+/report/", quarter.sees("anna", talk))
    assert RUDE in quarter.sees("anna", report)
    quarter.does("anna", report, reason="insult", words="He frightens me.")
    quarter.does("anna", "/players/ben/block/")
    assert RUDE not in quarter.sees("anna", talk)
    assert RUDE in quarter.sees("cara", talk)
    assert quarter.sees("ben", "/players/anna/").startswith("200")
    assert "has blocked" not in quarter.sees("ben", "/notices/")
    # A moderator hides the line and lets him choose from phrases for a week. He reads why, also in a letter.
    quarter.decides("judith", "ben", "silence 7", words="Nobody threatens here.", line=report.split("/")[4])
    quarter.days(0.25)
    assert RUDE not in quarter.sees("cara", talk)
    for words in ("Ready phrases only", "Nobody threatens here."):
        assert words in quarter.sees("ben", "/decisions/")
    assert letters("ben") == ["Block-You: A moderator has made a decision"]
    assert quarter.does("ben", talk, text="Well played.").status_code == 403
    assert quarter.does("ben", talk, phrase="good-game").status_code == 302
    assert "A moderator has acted on it." in quarter.sees("anna", "/decisions/")


def he_appeals_in_vain(quarter: Quarter) -> None:
    """Once, and another moderator lets it stand."""
    appeal = re.findall(r"/decisions/\d+/appeal/", quarter.sees("ben", "/decisions/"))[0]
    quarter.does("ben", appeal, words="It was a joke.")
    assert not re.findall(r"/moderation/appeals/\d+/", quarter.desk("judith"))
    (path,) = {*re.findall(r"/moderation/appeals/\d+/", quarter.desk("joan"))}
    assert "It was a joke." in quarter.sees("joan", path)
    quarter.does("joan", path, words="Nobody laughed.")
    quarter.days(0.25)
    assert "Nobody laughed." in quarter.sees("ben", "/decisions/")
    assert letters("ben")[-1] == "Block-You: A moderator has answered your appeal"


def cara_goes_away(quarter: Quarter) -> None:
    """All at the table see it on her turn, and her clock stands still; Dora gives her a day more."""
    quarter.play_until("cara")
    today = timezone.localdate()
    tomorrow = today + timedelta(days=1)
    before = quarter.first.deadline
    quarter.does("cara", "/holidays/", first=str(tomorrow), last=str(tomorrow + timedelta(days=2)))
    assert quarter.to_move() == "cara"
    assert before is not None
    assert quarter.first.deadline == before + timedelta(days=3)
    quarter.days(1.5)
    for name in ("anna", "ben", "dora"):
        assert "of cara&#x27;s holidays on this move" in quarter.sees(name, quarter.path)
    answer = quarter.does("dora", f"{quarter.path}give-day/", number=str(due(quarter.first)))
    assert answer.status_code == 302
    assert quarter.to_move() == "cara"
    assert quarter.first.deadline == before + timedelta(days=4)
    quarter.days(3)
    assert "dora gave you a day" in quarter.sees("cara", "/notices/")
    assert quarter.plays(quarter.first, by="cara") == "cara"


def annas_child_plays(quarter: Quarter) -> None:
    """Only whom Anna allows knows of it; it talks in phrases with Cara."""
    quarter.does("anna", "/accounts/reauthenticate/", password=PASSWORD)
    child = quarter.does("anna", "/children/", username="Kim", password="", answers="on")["Location"]
    quarter.does("anna", f"{child}people/", username="cara")
    (way,) = {*re.findall(r"/children/enter/[\w-]+/", quarter.does("anna", f"{child}link/").content.decode())}
    quarter.browsers["Kim"] = Client()
    quarter.does("Kim", way)
    assert "Hello, Kim" in quarter.sees("Kim", "/")
    table = quarter.does("Kim", "/play-friend/", companion="cara")["Location"]
    quarter.does("cara", f"{table}join/")
    assert quarter.does("Kim", f"{table}talk/", text="hello").status_code == 403
    assert quarter.does("Kim", f"{table}talk/", phrase="hello").status_code == 302
    assert quarter.sees("anna", table).startswith("200"), "the guardian sees the games"
    for stranger in ("ben", "dora"):
        assert quarter.sees(stranger, table).startswith("404")
        assert quarter.sees(stranger, "/players/Kim/").startswith("404")
    assert quarter.sees("Kim", "/lobby/").startswith("403")


def ben_is_rude_again(quarter: Quarter) -> None:
    """The week is over by itself, and he writes as before: Cara reports him, and he is kept out for a month."""
    quarter.days(3)
    assert quarter.does("ben", quarter.talk, text=RUDE).status_code == 302
    report = re.findall(rf"{quarter.talk}\d+/report/", quarter.sees("cara", quarter.talk))[-1]
    quarter.does("cara", report, reason="insult", words="Again.")
    quarter.decides("joan", "ben", "suspend 30", words="It is enough.")
    quarter.days(0.25)
    assert "It is enough." in quarter.sees("ben", "/games/")
    assert quarter.does("ben", f"{quarter.path}resign/").status_code == 403
    quarter.first.refresh_from_db()
    assert quarter.first.status == "running"


def he_and_dora_are_missed(quarter: Quarter) -> None:
    """Their turns are missed like anyone's: after two a bot plays for each. The others play on."""
    for _look in range(60):
        if quarter.to_move() in ("anna", "cara"):
            quarter.plays(quarter.first)
        if {player.user.username for player in quarter.first.players.all() if player.is_away and player.user} == {
            "ben",
            "dora",
        }:
            break
        quarter.days(1)
    players = {player.user.username: player for player in quarter.first.players.all() if player.user}
    assert [name for name, player in sorted(players.items()) if player.is_away] == ["ben", "dora"]
    assert [name for name, player in sorted(players.items()) if player.retired] == []
    assert "for dora" in quarter.sees("cara", quarter.path)
    check_audited(quarter.first)


def the_next_table_opens(quarter: Quarter) -> None:
    """Anna and Cara give up what is left of it, and the group has another table by itself."""
    for name in ("anna", "cara"):
        quarter.does(name, f"{quarter.path}resign/")
    quarter.days(0.5)
    quarter.first.refresh_from_db()
    assert quarter.first.status == "finished"
    assert quarter.path in quarter.sees("cara", quarter.club), "among the results"
    assert Game.objects.exclude(pk=quarter.first.pk).filter(standing_table__isnull=False).count() == 1


def ben_comes_back(quarter: Quarter) -> None:
    """When the month is over, but not to where Anna sits. Nothing that was decided is forgotten."""
    quarter.days(30)
    assert quarter.sees("ben", "/games/").startswith("200")
    assert "It is enough." in quarter.sees("ben", "/decisions/")
    quarter.does("anna", f"{quarter.club}table/", players="2")
    table = Game.objects.latest("pk")
    assert f"/games/{table.slug}/" in quarter.sees("cara", quarter.club)
    assert f"/games/{table.slug}/" not in quarter.sees("ben", quarter.club)
    assert quarter.does("ben", f"/games/{table.slug}/join/").status_code >= 400
    assert not table.players.filter(user__username="ben").exists()
    assert "/players/ben/" not in quarter.sees("anna", quarter.club)
    check_audited(quarter.first)
