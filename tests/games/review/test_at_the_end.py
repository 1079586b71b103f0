"""Where a game turned, on the page of its end: asked for there, followed, shown from the viewer's side."""

import re

import pytest
from django.test import Client

from accounts.models import User
from games.actions.analysis.ask_for_review import ask_for_review
from games.actions.analysis.cancel_review import cancel_review
from games.bots.reviewer import continue_review
from games.models import Game, Review
from tests.conftest import LogIn
from tests.games.play.pages import Element, read

pytestmark = pytest.mark.django_db


def turned(client: Client, game: Game) -> Element:
    """Return the part of the finished game that tells where it turned."""
    return read(client.get(f"/games/{game.slug}/")).find(id="turned")


def test_a_button_says_what_the_review_will_show_and_leads_back_to_the_game(
    alice: User, game: Game, log_in: LogIn
) -> None:
    client = log_in(alice)
    form = turned(client, game).find("form")
    assert "the move at which the game turned" in form.text
    assert form.find("button").text == "Where did the game turn?"
    asked = client.post(form["action"], {"from": form.find("input", name="from")["value"]})
    assert asked["Location"] == f"/games/{game.slug}/#turned"
    assert Review.objects.get().asked_by == alice
    assert client.post(form["action"])["Location"] == f"/games/{game.slug}/review/"


def test_who_has_no_account_is_not_offered_what_they_cannot_ask_for(game: Game) -> None:
    assert not turned(Client(), game).find_all("form")


def test_the_part_follows_the_review_by_itself_until_it_is_ready(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask_for_review(alice, game.slug)
    waiting = turned(client, game)
    assert waiting["hx-get"] == f"/games/{game.slug}/board/"
    assert waiting.find("noscript").find("a")["href"] == f"/games/{game.slug}/"
    tags = []
    done: int | None = 0
    while done is not None:
        part = client.get(waiting["hx-get"], HTTP_HX_REQUEST="true")
        tags.append(part["ETag"])
        assert client.get(waiting["hx-get"], HTTP_IF_NONE_MATCH=part["ETag"]).status_code == 304
        assert f"{done} of " in read(part).find(id="turned").text
        done = continue_review(Review.objects.get().pk, done)
    ready = client.get(waiting["hx-get"], HTTP_IF_NONE_MATCH=tags[-1])
    assert ready.status_code == 200
    assert "hx-get" not in read(ready).find(id="turned").attributes
    assert len({*tags, ready["ETag"]}) == len(tags) + 1


def test_those_who_watch_without_a_login_get_it_too(alice: User, game: Game) -> None:
    address = f"/games/{game.slug}/board/"
    before = Client().get(address)["ETag"]
    ask_for_review(alice, game.slug)
    assert Client().get(address, HTTP_IF_NONE_MATCH=before).status_code == 200


def test_a_review_that_was_cancelled_can_be_asked_for_again(alice: User, game: Game, log_in: LogIn) -> None:
    ask_for_review(alice, game.slug)
    cancel_review(alice, game.slug)
    assert turned(log_in(alice), game).find("form")


def test_the_winner_reads_of_the_turning_point_and_the_loser_of_the_chance_that_was_there(
    reviewed: Game, log_in: LogIn
) -> None:
    winner, loser = (reviewed.players.get(place=place).user for place in (1, 2))
    assert winner
    assert loser
    assert turned(log_in(winner), reviewed).text.startswith("The game turned at move ")
    told = turned(log_in(loser), reviewed).text
    assert told.startswith("You had your chance at move ")
    assert "Your chance of winning" in told
    assert not any(", when You " in turned(log_in(player), reviewed).text for player in (winner, loser))
    assert turned(Client(), reviewed).text.startswith("The game turned at move ")


def test_where_it_turned_is_told_in_french_too(reviewed: Game, log_in: LogIn) -> None:
    winner, loser = (reviewed.players.get(place=place).user for place in (1, 2))
    assert winner
    assert loser
    for user in (winner, loser):
        User.objects.filter(pk=user.pk).update(language="fr")
    assert re.match(r"La partie a basculé au coup \d+, quand ", turned(log_in(winner), reviewed).text)
    told = turned(log_in(loser), reviewed).text
    assert re.match(r"Vous avez eu votre chance au coup \d+, quand ", told)
    assert "Vos chances de gagner sont passées de" in told


def test_who_sees_the_picture_reads_of_no_cells_and_who_does_not_hears_them(reviewed: Game) -> None:
    told = turned(Client(), reviewed)
    seen, heard = told.find("p").find_all("span")
    assert re.fullmatch(r"It would have been better to place (piece )?\w+ where the dashes are\.", seen.text)
    assert (seen["aria-hidden"], heard["class"]) == ("true", "visually-hidden")
    assert re.fullmatch(r"Better: \w+ at \w+: (\w+, )+\w+\.", heard.text)
    (point,) = [one for one in told.find_all("a") if "#point-" in one["href"]]
    number = point["href"].rpartition("-")[2]
    mover = reviewed.moves.get(number=number)
    piece, name = mover.placement.partition(":")[0], reviewed.players.get(seat=mover.seat).user
    assert told.find("p").text.startswith(f"The game turned at move {number}, when {name} placed {piece}. ")


def test_it_is_said_why_another_placement_was_better(reviewed: Game) -> None:
    review = Review.objects.get()
    for kept in review.findings:
        kept["best"][0]["reasons"] = [["keeps", "", 0]]
    review.save()
    assert re.search(r" (Purple|Orange) closes none of its own corners\. ", turned(Client(), reviewed).text)


def test_in_words_the_better_placement_is_told_with_its_cells(reviewed: Game) -> None:
    client = Client()
    client.cookies["spoken"] = "yes"
    assert re.search(r"Better: \w+ at \w+: (\w+, )+\w+\.", turned(client, reviewed).text)
    assert "dashes" not in turned(client, reviewed).text


def test_the_picture_shows_the_board_before_the_move_what_was_played_and_what_was_better(
    alice: User, bob: User, reviewed: Game, log_in: LogIn
) -> None:
    pictures = [turned(client, reviewed).find("svg") for client in (log_in(alice), log_in(bob), Client())]
    for picture in pictures:
        assert picture.find("path", class_="turned__played")["d"] != picture.find("path", class_="turned__other")["d"]
    # Each sees it as their own board lies: hers is turned by half, his is not, as for those who watch.
    better = [picture.find("path", class_="turned__other")["d"] for picture in pictures]
    assert better[0] != better[1] == better[2]
