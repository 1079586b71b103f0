"""What stands around the board: stocks, leads, thinking bots, players who left or are late."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.base.positions import position_of
from games.clock import TimeControl
from games.models import Game, Move, Player
from games.rules import Position
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.spoken.words import see
from tests.games.tables import ME, bot, due, fresh, open_table, place, play_out, running

TWO_DAYS = TimeControl.days_a_move(2)


def seats(page: Element) -> list[Element]:
    return page.find_all("li", class_="player")


# Stocks


def test_each_opponents_pieces_are_named_and_the_viewers_own_only_in_the_tray(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = play_out(running(alice, bob, variant="duo"), 4, turns=12)
    mine, theirs = seats(see(log_in(alice), game))
    assert mine.find_all(class_="stock__picture") == []
    said = theirs.find(class_="stock__picture")["aria-label"]
    position = position_of(game)
    colour = position.seats[1][0]
    assert all(name in said for name in position.stock(colour))


def test_pieces_that_fit_nowhere_are_faded_and_said_to_be(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, variant="duo"), 4, turns=20)
    position = position_of(game)
    for (colour,), seat in zip(position.seats, seats(see(Client(), game)), strict=True):
        stuck = set(position.stock(colour)) - position.fitting_pieces(colour)
        assert bool(stuck) == bool(seat.find_all("path", data_faded=""))
        assert ("do not fit anywhere now" in seat.find(class_="stock__picture")["aria-label"]) == bool(stuck)


def test_names_of_people_lead_to_their_profiles(alice: User, bob: User) -> None:
    page = see(Client(), running(alice, bob))
    assert [seat.find("a", class_="player__name")["href"] for seat in seats(page)] == [
        "/players/alice/",
        "/players/bob/",
    ]


# Scores


def test_a_score_says_what_it_counts_and_who_leads(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="duo")
    assert [seat.find(class_="player__points").text for seat in seats(see(Client(), game))] == ["of 89", "of 89"]
    place(game, "X:e10,d9,e9,f9,e8")
    first, second = seats(see(Client(), game))
    assert first.find(class_="player__points").text == "of 89 · leads"
    assert second.find(class_="player__points").text == "of 89"
    assert first.find(class_="player__count")["title"].startswith("Each cell you cannot place costs a point.")


def test_with_two_colours_each_the_player_leads_and_no_colour_does(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="blockyou-2")
    place(game, "V5:a1,b1,c1,a2,a3")
    page = see(Client(), game)
    assert [seat.find(class_="player__points").text for seat in seats(page)] == ["of 178 · leads", "of 178"]
    assert not [line.text for line in page.find_all("p", class_="stock__line") if "lead" in line.text]


def test_players_level_at_the_top_share_the_lead_and_one_who_left_has_none(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, variant="blockyou-3")
    place(game, "V5:a1,b1,c1,a2,a3")
    place(game, "V5:t1,s1,r1,t2,t3")
    leads = [seat.find(class_="player__points").text for seat in seats(see(Client(), game))]
    assert leads == ["of 89 · joint lead", "of 89 · joint lead", "of 89"]
    resign(alice, game.slug)
    leads = [seat.find(class_="player__points").text for seat in seats(see(Client(), game))]
    assert leads == ["of 89", "of 89 · leads", "of 89"]


@pytest.mark.parametrize(("language", "first"), [("en", "1st"), ("fr", "nº\N{NARROW NO-BREAK SPACE}1")])
def test_a_leader_is_1st_in_english_and_number_1_in_french(language: str, first: str, alice: User, bob: User) -> None:
    game = running(alice, bob, variant="duo")
    place(game, "X:e10,d9,e9,f9,e8")
    leader, other = seats(read(Client().get(f"/games/{game.slug}/", headers={"Accept-Language": language})))
    assert leader.find(class_="player__lead").text == first
    assert other.find_all(class_="player__lead") == []


# Thinking


def test_a_bot_is_seen_thinking_from_the_moment_its_turn_begins(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot("sage-9"), variant="duo")
    assert see(log_in(alice), game).find_all(class_="dots") == []
    place(game, "X:e10,d9,e9,f9,e8")
    page = see(log_in(alice), game)
    mine, theirs = seats(page)
    assert (len(mine.find_all(class_="dots")), len(theirs.find_all(class_="dots"))) == (0, 1)
    assert page.find(class_="say__turn").text == "Sage, level 9 is thinking Orange, usually 2 s"


def test_the_usual_time_is_that_of_the_bots_own_moves_in_the_game(alice: User, log_in: LogIn) -> None:
    game = play_out(open_table(alice, ME, bot("sage-9"), variant="duo"), 1, turns=5)
    for move in game.moves.all():
        Move.objects.filter(pk=move.pk).update(played_at=game.created_at + timedelta(seconds=7 * move.number))
    assert "usually 7 s" in see(log_in(alice), game).find(class_="say__turn").text


def test_bots_that_answer_at_once_and_paused_ones_are_not_waited_for_by_the_second(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot("random"), variant="duo")
    place(game, "X:e10,d9,e9,f9,e8")
    assert see(log_in(alice), game).find(class_="say__turn").text.endswith("is thinking Orange")
    Game.objects.update(is_paused=True)
    assert see(log_in(alice), game).find_all(class_="dots") == []


# Late, removed, resigned


@pytest.fixture
def late(alice: User, bob: User) -> Game:
    """Return a game in which alice's time is up."""
    return running(alice, bob, now=timezone.now() - timedelta(days=3), time=TWO_DAYS)


def day(moment: datetime) -> str:
    return f"{timezone.localtime(moment).day} {timezone.localtime(moment):%b}"


def test_a_player_whose_time_is_up_reads_what_may_happen(late: Game, alice: User, log_in: LogIn) -> None:
    note = see(log_in(alice), late).find(class_="say__note").text
    assert note == "Your time is up."


def test_little_time_left_says_what_follows_and_much_time_says_nothing(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, now=timezone.now(), time=TWO_DAYS)
    assert see(log_in(alice), game).find_all(class_="say__note") == []
    Game.objects.update(deadline=timezone.now() + timedelta(hours=2))
    note = see(log_in(alice), game).find(class_="say__note").text
    assert note == "If your time runs out, you lose the game."


def test_a_player_who_ran_out_of_time_reads_when_and_what_can_be_done(
    late: Game, alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    game = running(
        alice, bob, carol, variant="blockyou-3", now=timezone.now() - timedelta(days=3), time=TWO_DAYS, stand_in=""
    )
    time_out(game.slug, number=due(game))
    text = see(log_in(alice), game).find(class_="say__absence").text
    assert text.startswith(f"Your time ran out on {day(timezone.now())}, at move 1.")
    assert "Start another game" in text
    assert see(log_in(bob), game).find(class_="say__note").text == "alice ran out of time and is out of the game."


def test_a_player_who_resigned_reads_that_the_others_play_on(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    game = running(alice, bob, carol, variant="blockyou-3")
    resign(bob, game.slug)
    text = see(log_in(bob), game).find(class_="say__absence").text
    assert text.startswith("You resigned on ")
    assert "alice was" not in see(log_in(carol), game).text
    assert Player.objects.filter(game=fresh(game), retired="resigned").count() == 1


def test_the_colours_of_a_player_who_left_have_left_too(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    game = running(alice, bob, carol, variant="blockyou-3")
    resign(bob, game.slug)
    (held,) = see(log_in(alice), game).find_all(class_="moves__left")
    assert [item.text for item in held.find_all(class_="moves__stock")] == [
        "21 pieces left",
        "resigned",
        "21 pieces left",
    ]


# Two colours


def test_a_colour_that_has_to_pass_shows_its_own_tray(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, variant="classic-2", declares_passes=True)
    seed = 0
    while (position := position_of(game)).has_legal() or not position.has_legal(other_colour(position)):
        game = play_out(running(alice, bob, variant="classic-2", declares_passes=True), seed, turns=60)
        while position_of(game).has_legal() and game.status == "running":
            game = play_out(game, seed, turns=1)
        seed += 1
    mine = (alice, bob)[position.seat or 0]
    page = see(log_in(mine), game)
    shown = [tray for tray in page.find_all("form", class_="tray") if "hidden" not in tray.attributes]
    assert [tray["data-tray"] for tray in shown] == [position.colour]
    assert page.find(class_="say__turn").text.endswith("no moves left, so pass")


def other_colour(position: Position) -> str:
    """Return the other colour of the seat to play."""
    return next(colour for colour in position.seats[position.seat or 0] if colour != position.colour)


# Players who place no more


def are_blocked(game: Game) -> list[bool]:
    """Return of blue and of yellow whether they have pieces and no move for them."""
    position = position_of(game)
    return [bool(position.stock(colour)) and not position.has_legal(colour) for colour in ("blue", "yellow")]


def test_a_colour_without_moves_has_a_mark_and_only_a_player_who_left_is_struck_through(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    game, seed = running(alice, bob, carol), 0
    while game.status != "running" or sum(are_blocked(game)) != 1:
        game, seed = running(alice, bob, carol), seed + 1
        while game.status == "running" and not any(are_blocked(game)):
            game = play_out(game, 1000 * seed + game.move_count, turns=1)
    resign(carol, game.slug)
    page, blocked = see(log_in(alice), game), are_blocked(game)
    assert ["data-blocked" in seat.attributes for seat in seats(page)] == [*blocked, False]
    assert ["data-out" in seat.attributes for seat in seats(page)] == [False, False, True]
    chip = seats(page)[blocked.index(True)].find_all("span", class_="avatar")[0]
    assert ("data-blocked" in chip.attributes, chip["aria-label"][-15:]) == (True, ": no moves left")


def test_seats_of_the_same_bot_are_numbered_and_others_are_not(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot(), bot("sage-3"), bot())
    page = see(log_in(alice), game)
    named = [seat.find(class_="stock__head").find(class_="stock__name").text for seat in seats(page)]
    assert named == ["You", "Random bot 1", "Sage, level 3", "Random bot 2"]
    assert [each.text for each in page.find_all(class_="player__short")] == ["Random 1", "Sage 3", "Random 2"]


def test_passes_that_make_themselves_are_one_line_that_leads_to_the_first(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob))
    page = see(Client(), game)
    lines = page.find_all("li", class_="move")
    numbers = [line.find(class_="move__number").text for line in lines]
    runs = [line for line in lines if "–" in line.find(class_="move__number").text]
    assert runs
    for line in runs:
        first = int(line.find(class_="move__number").text.partition("–")[0])
        assert line.find("a", class_="move__what")["href"].endswith(f"?move={first}")
        assert "pass" in line.find("a", class_="move__what").text
    spans = [[int(end) for end in number.split("–")] for number in numbers]
    covered = [number for span in reversed(spans) for number in range(span[0], span[-1] + 1)]
    assert covered == list(range(1, game.move_count + 1))
    automatic = ["data-automatic" in line.attributes for line in lines]
    assert not any(one and other for one, other in pairwise(automatic))
