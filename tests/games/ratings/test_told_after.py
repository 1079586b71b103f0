"""What a game did to a rating is told on its page and to programs, also where it has come to count later."""

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.ratings.rate_family import rate_family
from games.models import Game, PlayerRating, RatedSeat
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.ratings.games import lost, program
from tests.games.spoken.words import spoken
from tests.games.tables import NOON, fresh, running

pytestmark = pytest.mark.django_db

LATER = "Rated later: one of the players was a guest then."
ALSO = "One of the players was a guest then. Since they got an account, your rating also counts how you finished"


def make_guest(person: User, *, is_guest: bool = True) -> None:
    User.objects.filter(pk=person.pk).update(is_guest=is_guest)
    person.refresh_from_db()


def told(client: Client, game: Game) -> str:
    page = read(client.get(f"/games/{game.slug}/"))
    return " ".join(each.text for each in page.find_all(class_="rated"))


def resigned(*people: User) -> Game:
    """Return a game that all but the last of these people have resigned, one after the other."""
    game = running(*people)
    for person in people[:-1]:
        resign(person, game.slug, now=NOON)
    return fresh(game)


@pytest.mark.parametrize("players", [3, 4])
def test_the_page_of_a_game_of_three_or_four_says_which_place_was_to_be_expected(
    players: int, alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    people = [dave, carol, bob, alice][:players]
    game, winner = resigned(*people), people[-1]
    after = PlayerRating.objects.get(user=winner)
    rating = f"{round(after.points)} ± {round(after.deviation)}"
    expected = (players + 1) / 2
    sentence = (
        f"Rated: you finished 1st of {players}, where {expected} was to be expected. "
        f"Your rating goes from 1500 to {rating}."
    )

    assert told(log_in(winner), game) == sentence
    assert told(spoken(log_in(winner)), game) == sentence
    assert told(log_in(people[0]), game).startswith(f"Rated: you finished 2nd of {players}, where {expected}")


def test_a_game_with_a_guest_says_nothing_until_the_guest_has_an_account_and_then_why_it_counts(
    alice: User, bob: User, log_in: LogIn
) -> None:
    make_guest(bob)
    game = lost(alice, bob)
    assert told(log_in(alice), game) == ""
    make_guest(bob, is_guest=False)
    assert told(log_in(alice), game) == ""
    rate_family("duo", now=NOON)

    assert PlayerRating.objects.count() == 2
    for person in (alice, bob):
        assert told(log_in(person), game).startswith(LATER)
    assert told(Client(), game) == ""
    assert program(alice).get(f"games/{game.slug}").json()["rating"] is None


def test_who_was_rated_at_once_reads_that_the_game_counts_against_a_former_guest_too(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    make_guest(carol)
    game = resigned(bob, carol, alice)
    before = told(log_in(alice), game)
    assert before.startswith("Rated: your chance was 50%.")
    make_guest(carol, is_guest=False)
    rate_family("blockyou-3", now=NOON)

    assert told(log_in(alice), game).startswith(f"{before} {ALSO}")
    assert told(log_in(carol), game).startswith(LATER)


def test_a_game_among_members_says_nothing_of_guests(alice: User, bob: User, log_in: LogIn) -> None:
    game = lost(alice, bob)
    rate_family("duo", now=NOON)
    assert "guest" not in told(log_in(bob), game)


def test_it_is_told_in_french(alice: User, bob: User, log_in: LogIn) -> None:
    make_guest(bob)
    game = lost(alice, bob)
    make_guest(bob, is_guest=False)
    rate_family("duo", now=NOON)
    client = log_in(alice)
    User.objects.filter(pk=alice.pk).update(language="fr")
    assert told(client, game).startswith("Cotée plus tard")


def test_a_place_that_was_to_be_expected_has_a_comma_in_french(
    alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    game, client = resigned(dave, carol, bob, alice), log_in(alice)
    User.objects.filter(pk=alice.pk).update(language="fr")
    assert "place attendue 2,5." in told(client, game)


def test_programs_are_told_what_a_game_did_to_their_own_rating(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="duo")
    assert program(alice).get(f"games/{game.slug}").json()["rating"] is None
    resign(alice, game.slug, now=NOON)
    seat = RatedSeat.objects.get(player__user=bob)

    assert program(bob).get(f"games/{game.slug}").json()["rating"] == {
        "place": 1,
        "seats": 2,
        "expected": 1.5,
        "before": 1500,
        "deviation_before": 300,
        "after": round(seat.points_after or 0),
        "deviation": round(seat.deviation_after or 0),
    }
    assert program(alice).get(f"games/{game.slug}").json()["rating"]["place"] == 2
    assert Client().get(f"/api/v1/games/{game.slug}").json()["rating"] is None
