"""People and bots to challenge with one tap, beside the lobby and one's own games."""

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.models import Game
from games.pages.lists.challenges import CHALLENGES_OFFERED, COMPANIONS_OFFERED
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import NOON, running

pytestmark = pytest.mark.django_db


def offered(client: Client, path: str) -> list[Element]:
    """Return the forms beside the lists of a page."""
    return read(client.get(path)).find("aside", class_="challenges").find_all("form")


def button(form: Element) -> Element:
    return form.find("button")


def over(loser: User, other: User) -> Game:
    game = running(loser, other, now=NOON)
    resign(loser, game.slug, now=NOON)
    return game


def test_a_stranger_in_an_empty_lobby_has_bots_to_play_and_plays_one_at_once() -> None:
    client = Client()
    forms = offered(client, "/lobby/")
    assert {form["action"] for form in forms} == {"/play-bots/"}
    names = [button(form)["value"] for form in forms]
    assert len(set(names)) == len(names) >= 2
    answer = client.post("/play-bots/", {"bot": names[0]})
    game = Game.objects.get()
    assert answer["Location"] == f"/games/{game.slug}/"
    assert game.players.get(bot=names[0])


@pytest.mark.parametrize("path", ["/lobby/", "/games/"])
def test_people_i_finished_games_with_come_first_and_are_invited_at_once(
    path: str, alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    over(bob, alice)
    over(alice, carol)
    client = log_in(alice)
    forms = offered(client, path)
    people = [form for form in forms if form["action"] == "/play-friend/"]
    assert forms[: len(people)] == people
    assert {button(form)["value"] for form in people} == {"bob", "carol"}
    assert [button(form).find(class_="visually-hidden").text for form in people] == [
        f": {button(form)['value']}" for form in people
    ]
    assert {form["action"] for form in forms[len(people) :]} == {"/play-bots/"}
    client.post("/play-friend/", {"companion": "bob"})
    table = Game.objects.latest("pk")
    assert [player.invitee for player in table.players.order_by("seat") if not player.user] == [bob]


def test_a_person_who_is_not_there_is_refused_in_a_sentence(alice: User, log_in: LogIn) -> None:
    answer = log_in(alice).post("/play-friend/", {"companion": "nobody-at-all"})
    assert answer.status_code == 400
    assert "There is no player named nobody-at-all." in answer.content.decode()
    assert not Game.objects.exists()


def test_guests_and_accounts_that_are_closed_are_not_offered(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    over(bob, alice)
    over(carol, alice)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    User.objects.filter(pk=carol.pk).update(is_guest=True)
    for path in ("/lobby/", "/games/"):
        assert {form["action"] for form in offered(log_in(alice), path)} == {"/play-bots/"}


def test_a_guest_is_offered_no_one_whom_guests_cannot_invite(alice: User, bob: User, log_in: LogIn) -> None:
    over(bob, alice)
    User.objects.filter(pk=alice.pk).update(is_guest=True)
    for path in ("/lobby/", "/games/"):
        assert {form["action"] for form in offered(log_in(alice), path)} == {"/play-bots/"}


def test_no_more_are_offered_than_fit_beside_a_list(alice: User, log_in: LogIn) -> None:
    for number in range(COMPANIONS_OFFERED + 2):
        over(User.objects.create_user(f"other{number}"), alice)
    forms = offered(log_in(alice), "/lobby/")
    people = [button(form)["value"] for form in forms if form["action"] == "/play-friend/"]
    assert len(people) == COMPANIONS_OFFERED
    assert len(forms) <= CHALLENGES_OFFERED
    assert "/play-bots/" in {form["action"] for form in forms}


def test_the_lists_alone_are_fetched_without_them(alice: User, log_in: LogIn) -> None:
    for path in ("/lobby/", "/games/"):
        assert "challenges" not in log_in(alice).get(path, headers={"HX-Request": "true"}).content.decode()
