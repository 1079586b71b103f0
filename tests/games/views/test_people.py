"""The page of people: whom one follows, with whom one played, the score, and an invitation in one tap."""

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.people.follow_person import follow_person
from games.models import FollowedPerson, Game, Player
from tests.conftest import LogIn
from tests.games.play.pages import read, text_at
from tests.games.tables import running
from tests.games.views.conftest import QueryCount

pytestmark = pytest.mark.django_db


def test_people_are_followed_from_their_pages_and_listed_on_ones_own(alice: User, bob: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    assert "You follow no one yet." in text_at(browser, "/people/")
    form = read(browser.get("/players/bob/")).find("form", action="/players/bob/follow/")
    assert form.find("input", name="csrfmiddlewaretoken")["value"]
    answer = browser.post("/players/bob/follow/", follow=True)
    assert "You follow bob." in answer.content.decode()
    assert read(answer).find("form", action="/players/bob/unfollow/")
    follow_person(bob, "alice")
    page = text_at(browser, "/people/")
    assert "Follows you too" in page
    assert "/players/bob/" in page
    assert browser.post("/players/bob/unfollow/", {"listed": "on"})["Location"] == "/people/"
    assert not FollowedPerson.objects.filter(person=alice).exists()
    assert "Follows you too" not in text_at(browser, "/players/bob/")


def test_one_tap_invites_whom_one_played_with_to_the_board_one_chose_last(
    alice: User, bob: User, log_in: LogIn
) -> None:
    resign(bob, running(alice, bob, variant="duo").slug)
    browser = log_in(alice)
    page = read(browser.get("/people/"))
    assert "Duo, 2 players: you lead 1:0" in page.text
    form = page.find("form", action="/play-friend/")
    assert form.find("button").text.strip() == "Invite"
    answer = browser.post(form["action"], {"companion": form.find("input", name="companion")["value"]})
    game = Game.objects.get(slug=answer["Location"].split("/")[2])
    assert (game.variant, game.is_public) == ("duo", False)
    assert set(game.players.values_list("user__username", "invitee__username")) == {("alice", None), (None, "bob")}


def test_an_invitation_that_is_refused_says_why_and_opens_no_table(alice: User, bob: User, log_in: LogIn) -> None:
    block_person(bob, "alice")
    answer = log_in(alice).post("/play-friend/", {"companion": "bob"})
    assert answer.status_code == 409
    assert "bob cannot be invited at the moment." in answer.content.decode()
    assert not Player.objects.exists()


def test_the_preference_who_may_invite_is_kept_and_an_older_page_leaves_it(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    form = {"theme": "dark", "language": "en"}
    browser.post("/accounts/preferences/", {**form, "invited_by": "followed"})
    assert User.objects.get(pk=alice.pk).invited_by == "followed"
    browser.post("/accounts/preferences/", form)
    assert User.objects.get(pk=alice.pk).invited_by == "followed"
    assert browser.post("/accounts/preferences/", {**form, "invited_by": "friends of friends"}).status_code == 200
    assert User.objects.get(pk=alice.pk).invited_by == "followed"


def test_the_page_costs_as_much_with_many_people_as_with_few(
    alice: User, bob: User, carol: User, log_in: LogIn, query_count: QueryCount
) -> None:
    browser = log_in(alice)
    follow_person(alice, "bob")
    running(alice, carol)
    few = query_count(browser, "/people/")
    others = User.objects.bulk_create(
        User(username=f"x{number}", name_key=f"x{number}", shape=f"s{number}", shape_of_six=f"t{number}")
        for number in range(60)
    )
    FollowedPerson.objects.bulk_create(
        FollowedPerson(person=alice, other=other, made_at=other.date_joined) for other in others
    )
    assert query_count(browser, "/people/") == few <= 7
    assert text_at(browser, "/people/").count("/unfollow/") == 24
    assert browser.get("/people/?page=9")["Location"] == "/people/"
