"""What is said aloud when a page changes by itself: one sentence, short, of what others did."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.base import positions
from games.base.access import BotSeat
from games.clock import TimeControl
from games.models import Game, Player
from games.pages.play.page import play_page
from games.pages.spoken.news import LONGEST_ANNOUNCEMENT
from games.pages.view_request import ViewRequest
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.spoken.words import BOARDS, HTMX, blocked, news, see, spoken, table_for
from tests.games.tables import ME, NOON, bot, due, fresh, key, open_table, place, play_out, running
from tests.proof import mostly_proof


@pytest.fixture
def people(alice: User, bob: User, carol: User, dave: User) -> list[User]:
    return [alice, bob, carol, dave]


def heard(game: Game, user: User, log_in: LogIn, since: int, *, in_words: bool = False) -> str:
    """Return what this person hears whose page showed that version."""
    client = spoken(log_in(user)) if in_words else log_in(user)
    return news(see(client, game, f"board/?since={since}"))


@pytest.mark.parametrize("in_words", [True, False])
def test_a_move_of_somebody_else_is_said_with_what_comes_next(
    in_words: bool, people: list[User], log_in: LogIn
) -> None:
    game = table_for("blockyou-4", people)
    place(game, "V5:a1,b1,c1,a2,a3")
    sentence = "alice placed V5 at a1. "
    assert heard(game, people[1], log_in, game.version, in_words=in_words) == sentence + "It is your turn."
    assert heard(game, people[2], log_in, game.version, in_words=in_words) == sentence + "It is bob's turn."


def test_several_moves_are_one_sentence(people: list[User], log_in: LogIn) -> None:
    game = table_for("blockyou-4", people)
    for text in ("1:a1", "2:s1,t1", "1:a20"):
        place(game, text)
    assert heard(game, people[3], log_in, game.version) == (
        "alice placed 1 at a1, bob placed 2 at s1, carol placed 1 at a20. It is your turn."
    )


def test_what_i_did_is_told_as_the_answer_and_never_again(people: list[User], log_in: LogIn) -> None:
    game = table_for("blockyou-4", people)
    fields = {"placement": "1:a1", "number": due(game), "version": game.version, "key": key()}
    answer = log_in(people[0]).post(f"/games/{game.slug}/place/", fields, headers=HTMX)
    assert news(read(answer)) == "You placed 1 at a1. It is bob's turn."
    assert heard(game, people[0], log_in, game.version) == ""


def test_a_new_page_and_an_old_refusal_say_nothing(people: list[User], log_in: LogIn) -> None:
    game = table_for("blockyou-4", people)
    place(game, "1:a1")
    assert news(see(log_in(people[2]), game)) == ""
    refused = log_in(people[1]).post(
        f"/games/{game.slug}/place/",
        {"placement": "1:b2", "number": due(fresh(game)), "version": fresh(game).version},
        headers=HTMX,
    )
    assert (refused.status_code, news(read(refused))) == (422, "")


def test_the_colour_is_told_where_a_name_does_not_say_it(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    place(game, "1:a1")
    assert heard(game, bob, log_in, game.version) == "alice placed 1 at a1 (Blue). It is your turn: Yellow."
    game = open_table(alice, ME, bot(), bot(), bot())
    since = fresh(game).version
    place(game, "1:a1")
    place(game, "1:t1")
    assert heard(game, alice, log_in, since).startswith("Random bot 1 placed 1 at t1.")


def test_somebody_who_gives_up_is_told_and_so_is_the_end(people: list[User], log_in: LogIn) -> None:
    game = table_for("blockyou-3", people)
    resign(people[1], game.slug)
    assert heard(game, people[0], log_in, game.version) == "bob resigned. It is your turn."
    since = fresh(game).version
    resign(people[2], game.slug)
    assert heard(game, people[0], log_in, since) == "carol resigned. The game is over: You won."


def test_a_player_who_ran_out_of_time_is_told(people: list[User], log_in: LogIn) -> None:
    game = running(*people, time=TimeControl.days_a_move(1), stand_in="")
    assert game.deadline
    time_out(game.slug, number=due(game), now=game.deadline)
    assert heard(game, people[1], log_in, game.version).startswith("alice ran out of time.")


def test_what_a_bot_did_for_a_player_whose_time_ran_out_is_told(people: list[User], log_in: LogIn) -> None:
    game = running(*people[:3], now=timezone.now() - timedelta(days=30), time=TimeControl.days_a_move(1))
    place(game, "V3:a1,b1,a2", BotSeat(game.pk, 0), now=timezone.now())
    turn = " It is bob's turn."
    assert heard(game, people[0], log_in, game.version) == f"Sage, level 4 placed V3 at a1 for you.{turn}"
    assert heard(game, people[2], log_in, game.version) == f"Sage, level 4 placed V3 at a1 for alice.{turn}"


def test_a_bot_that_plays_for_an_absent_player_is_told(people: list[User], log_in: LogIn) -> None:
    game = running(*people[:3], now=timezone.now() - timedelta(days=30), time=TimeControl.days_a_move(1))
    place(game, "V3:a1,b1,a2", BotSeat(game.pk, 0), now=timezone.now())
    Player.objects.filter(game=game, seat=0).update(missed=2)
    game = play_out(fresh(game), turns=1, now=timezone.now())
    since = fresh(game).version
    play_out(game, turns=1, now=timezone.now())
    Game.objects.filter(pk=game.pk).update(deadline=None, turn_user=None, is_bot_due=True)
    assert heard(game, people[0], log_in, since).endswith("Sage, level 4 plays for you.")
    assert heard(game, people[1], log_in, since).endswith("Sage, level 4 plays for alice.")


def test_a_pass_is_told(alice: User, bob: User, log_in: LogIn) -> None:
    game = blocked(alice, bob)
    seat = positions.position_of(game).seat or 0
    one, other = [alice, bob][seat], [alice, bob][1 - seat]
    fields = {"number": due(game), "version": game.version, "key": key()}
    log_in(one).post(f"/games/{game.slug}/pass/", fields, headers=HTMX)
    assert heard(game, other, log_in, game.version).startswith(f"{one.username} passed")


@pytest.mark.parametrize(
    ("days", "passed", "ending"),
    [
        (2, timedelta(hours=1), "It is your turn."),
        (1, timedelta(hours=1), "It is your turn. 23 hours left."),
        (1, timedelta(hours=23, minutes=58, seconds=30), "It is your turn. 1 minute left."),
    ],
)
def test_a_deadline_within_a_day_belongs_to_the_sentence(
    days: int, passed: timedelta, ending: str, alice: User, bob: User
) -> None:
    game = running(alice, bob, variant="duo", time=TimeControl.days_a_move(days))
    place(game, "I5:e10,f10,g10,h10,i10")
    page = play_page(bob, game.slug, now=NOON + passed, view_request=ViewRequest(since=game.version))
    assert page.news.text.endswith(ending)
    assert page.news.deadline == (NOON + timedelta(days=days)).isoformat()


@pytest.mark.parametrize("variant", mostly_proof(BOARDS, "blockyou-3", "trigon-2"))
def test_no_announcement_is_longer_than_150_characters(variant: str, people: list[User], log_in: LogIn) -> None:
    for number, person in enumerate(people):
        longest = f"{person.username}-of-twenty-letters"[:20]
        User.objects.filter(pk=person.pk).update(username=longest, name_key=f"long{number}")
    start = table_for(variant, people)
    game, client = play_out(start, 9, turns=40), log_in(people[0])
    for language in ("en", "fr"):
        User.objects.filter(pk=people[0].pk).update(language=language)
        for since in range(start.version, game.version, 12):
            assert 0 < len(news(see(client, game, f"board/?since={since}"))) <= LONGEST_ANNOUNCEMENT
    assert LONGEST_ANNOUNCEMENT == 150


def test_there_is_one_polite_region_beside_what_is_swapped_and_errors_alone_interrupt(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob)
    for client in (log_in(bob), spoken(log_in(bob))):
        page = see(client, game)
        polite = [one for one in page.walk() if one.attributes.get("role") == "status"]
        assert {one.attributes.get("id") for one in polite} == {"announce", "connection"}
        assert not page.find(id="game").find_all(aria_live="polite")
        assert not page.find(id="game").find_all(role="status")
        assert not page.find(id="game").find_all(role="alert")
