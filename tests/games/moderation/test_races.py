"""What comes at one instant: two taps, two moderators, an account that is closed while it is decided about."""

from collections.abc import Mapping
from functools import partial

import pytest

from accounts.erasure import close_account
from accounts.models import User
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.report_player import report_player
from games.actions.talk.send_message import send_message
from games.errors import GameError, NotFound, WrongStatus
from games.models import Decision, Game, PlayerReport, TalkMessage
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.tables import running
from tests.proof import proof

pytestmark = pytest.mark.django_db(transaction=True)


def moderators(*names: str) -> list[User]:
    found = [person(name) for name in names]
    User.objects.filter(pk__in=[each.pk for each in found]).update(is_moderator=True)
    return list(User.objects.filter(username__in=names))


@pytest.mark.parametrize("rounds", [4, *proof(100)])
def test_two_taps_at_once_are_one_report(rounds: int) -> None:
    alice, bob = person("alice"), person("bob")
    for _round in range(rounds):
        first, second = at_once([lambda: report_player(alice, "bob", reason="spam")] * 2)
        assert first == second
        assert PlayerReport.objects.filter(person=bob, closed_at=None).count() == 1
        PlayerReport.objects.all().delete()


@pytest.mark.parametrize("rounds", [4, *proof(100)])
def test_of_two_moderators_at_once_one_decides(rounds: int) -> None:
    alice, bob = person("alice"), person("bob")
    judges = moderators("judith", "joan")
    for number in range(rounds):
        report = report_player(alice, "bob", reason="spam")
        more = {"measure": ("warn", "suspend", "rename")[number % 3], "days": 1, "reason": "spam", "last": report.pk}

        def decide(judge: User, more: Mapping[str, object] = more) -> object:
            return decide_case(judge, bob.pk, **more)  # type: ignore[arg-type]

        found = at_once([lambda judge=judge: decide(judge) for judge in judges])  # type: ignore[misc]
        refused = [each for each in found if isinstance(each, GameError)]
        assert [type(each) for each in refused] == [WrongStatus]
        assert Decision.objects.count() == number + 1
        User.objects.filter(pk=bob.pk).update(username="bob", name_key="bob", suspended_until=None)


@pytest.mark.parametrize("rounds", [3, *proof(60)])
def test_a_line_is_hidden_while_its_author_writes_and_another_closes_the_account(rounds: int) -> None:
    [judge] = moderators("judith")
    for number in range(rounds):
        alice, bob = person(f"alice{number}"), person(f"bob{number}")
        game: Game = running(alice, bob, is_public=False)
        line: TalkMessage = send_message(bob, game.slug, text="Hey.")
        report = report_player(alice, bob.username, reason="insult")
        PlayerReport.objects.filter(pk=report.pk).update(message=line, game=game)

        def decide(about: User = bob, last: int = report.pk, key: int = line.pk) -> object:
            more = {"measure": "silence", "days": 1, "reason": "insult", "lines": [key]}
            return decide_case(judge, about.pk, last=last, **more)  # type: ignore[arg-type]

        def write(about: User = bob, slug: str = game.slug) -> object:
            return send_message(about, slug, phrase="hello")

        found = at_once([decide, write, partial(close_account, alice)])
        assert not isinstance(found[0], NotFound)
        line.refresh_from_db()
        assert line.is_hidden
