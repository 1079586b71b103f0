"""What a moderator reads around a reported line, and at which table it was said: no more than it takes to judge it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.report_line import report_line
from games.actions.talk.send_message import send_message
from games.models import Audience, Game, PlayerReport, TalkMessage
from games.queries.moderation.around import lines_around
from tests.games.play.pages import read
from tests.games.tables import running
from tests.games.views.conftest import QueryCount

pytestmark = pytest.mark.django_db


def say(game: Game, author: User, number: int, audience: Audience = Audience.PLAYERS) -> TalkMessage:
    at = timezone.now() + timedelta(seconds=number)
    return TalkMessage.objects.create(
        game=game, author=author, text=f"Line {number}.", audience=audience, created_at=at
    )


def report(reporter: User, line: TalkMessage) -> PlayerReport:
    return report_line(reporter, line.game.slug, line.pk, reason="insult", shown=line.text)


def around(desk: Client, person: User) -> list[list[str]]:
    """Return the lines that stand around each report of a case."""
    page = read(desk.get(f"/moderation/cases/{person.pk}/"))
    return [[line.text for line in each.find_all("li")] for each in page.find_all("ol", class_="around")]


def test_three_lines_before_a_reported_one_and_three_after_it_are_read_and_no_others(
    alice: User, bob: User, game: Game, desk: Client
) -> None:
    other = running(alice, bob, is_public=False)
    said = []
    for number in range(10):
        said.append(say(game, (alice, bob)[number % 2], number))
        say(other, bob, 100 + number)
        say(game, bob, 200 + number, Audience.WATCHERS)
    report(alice, said[5])
    names = ("alice", "bob")
    assert around(desk, bob) == [[f"{names[number % 2]} Line {number}." for number in range(2, 9)]]
    page = read(desk.get(f"/moderation/cases/{bob.pk}/"))
    assert [each.text for each in page.find_all("li", aria_current="true")] == ["bob Line 5."]


def test_there_are_no_lines_around_one_that_stands_alone(alice: User, bob: User, game: Game, desk: Client) -> None:
    report(alice, say(game, bob, 1))
    assert around(desk, bob) == []


def test_of_what_is_hidden_and_of_who_is_gone_no_words_are_read(
    alice: User, bob: User, game: Game, desk: Client
) -> None:
    hidden, left, line = (say(game, bob, number) for number in range(3))
    TalkMessage.objects.filter(pk=hidden.pk).update(is_hidden=True)
    TalkMessage.objects.filter(pk=left.pk).update(author=None, text="")
    report(alice, line)
    assert around(desk, bob) == [
        ["bob Hidden by a moderator.", "A closed account Deleted with the account.", "bob Line 2."]
    ]


def test_once_it_is_decided_no_line_around_it_is_read_any_more(
    alice: User, bob: User, game: Game, judge: User, desk: Client
) -> None:
    say(game, alice, 1)
    sent = report(alice, say(game, bob, 2))
    assert len(around(desk, bob)) == 1
    decide_case(judge, bob.pk, measure="warn", reason="insult", last=sent.pk)
    assert around(desk, bob) == []
    text = read(desk.get(f"/moderation/cases/{bob.pk}/")).text
    assert "Line 2." in text
    assert "Line 1." not in text


def test_a_private_table_is_said_to_be_one_and_a_public_one_is_a_link(
    alice: User, bob: User, game: Game, desk: Client
) -> None:
    report(alice, say(game, bob, 1))
    page = read(desk.get(f"/moderation/cases/{bob.pk}/"))
    assert "Private table: Block-You, 2 players. Moderators cannot open it." in page.text
    assert not page.find_all("a", href=f"/games/{game.slug}/")
    public = running(alice, bob, is_public=True)
    report(alice, send_message(bob, public.slug, phrase="hello"))
    page = read(desk.get(f"/moderation/cases/{bob.pk}/"))
    assert page.find("a", href=f"/games/{public.slug}/").text == "Table: Block-You, 2 players"


def test_a_message_is_called_one(alice: User, bob: User, game: Game, desk: Client) -> None:
    report(alice, say(game, bob, 1))
    page = read(desk.get(f"/moderation/cases/{bob.pk}/"))
    assert "A message · Insults or harassment" in page.text
    assert "line" not in page.find("main").text


def test_many_reported_lines_cost_no_more_than_one(
    alice: User, bob: User, game: Game, desk: Client, query_count: QueryCount
) -> None:
    costs = []
    for number in range(5):
        report(alice, say(game, bob, number))
        costs.append(query_count(desk, f"/moderation/cases/{bob.pk}/"))
    assert costs[0] == costs[-1]


def test_no_line_is_asked_for_where_none_was_reported(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert lines_around([]) == {}
