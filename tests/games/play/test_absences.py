"""What pages say of players who have missed turns, for themselves and for the others; and how they come back."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.actions.moves.come_back import come_back
from games.actions.moves.time_out import time_out
from games.base.access import BotSeat
from games.clock import TimeControl
from games.models import Game, Move, Player
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.spoken.words import see
from tests.games.tables import ME, OPEN, due, fresh, open_table, place, play_out, running, take_turn

A_DAY = TimeControl.days_a_move(1)
LONG_AGO = timezone.now() - timedelta(days=30)


@pytest.fixture
def missed(alice: User, bob: User, carol: User) -> Game:
    """Return a game in which a bot has just placed the first piece for alice."""
    game = running(alice, bob, carol, now=LONG_AGO, time=A_DAY)
    place(game, "V3:a1,b1,a2", BotSeat(game.pk, 0), now=timezone.now())
    return fresh(game)


@pytest.fixture
def away(missed: Game) -> Game:
    """Return the same game when alice is away and it is her turn again."""
    game = play_out(missed, turns=2, now=timezone.now())
    Player.objects.filter(game=game, seat=0).update(missed=2)
    Game.objects.filter(pk=game.pk).update(deadline=None, turn_user=None, is_bot_due=True)
    return fresh(game)


def test_a_player_reads_what_a_bot_placed_for_them(missed: Game, alice: User, log_in: LogIn) -> None:
    page = see(log_in(alice), missed)
    assert page.find(class_="say__absence").text == (
        "You ran out of time. If you miss your next turn too, a bot plays for you until you come back. "
        "Sage, level 4 played for you: V3 (move 1)."
    )
    assert page.find_all("form", class_="return") == []


def test_of_many_turns_that_a_bot_took_the_last_is_named(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    game = running(alice, bob, carol, now=LONG_AGO, time=A_DAY)
    for _ in range(4):
        Player.objects.filter(game=game, seat=0).update(missed=2)
        Game.objects.filter(pk=game.pk).update(deadline=None, turn_user=None, is_bot_due=True)
        game = take_turn(game, by_bot=True, now=timezone.now())
        game = play_out(game, turns=2, now=timezone.now())
    moves = Move.objects.filter(game=game, seat=0).order_by("number")
    last = moves.last()
    assert last
    piece = last.placement.partition(":")[0]
    said = see(log_in(alice), game).find(class_="say__absence").text
    assert f"Sage, level 4 took 4 turns for you, most recently {piece} (move {last.number})." in said


@pytest.mark.parametrize(
    ("seats", "stand_in", "sentence"),
    [
        (2, "sage-4", "If your time runs out, you lose the game."),
        (3, "", "If your time runs out, you are out of the game."),
        (3, "sage-4", "If your time runs out, the bot Sage 4 plays this turn for you."),
    ],
)
def test_who_has_little_time_left_reads_what_being_late_means(
    seats: int, stand_in: str, sentence: str, alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    now = timezone.now()
    began = now - timedelta(hours=23, minutes=30)
    game = running(*(alice, bob, carol)[:seats], now=began, time=A_DAY, stand_in=stand_in)
    assert sentence in see(log_in(alice), game).text


def test_the_others_read_for_whom_a_bot_placed(missed: Game, alice: User, bob: User, log_in: LogIn) -> None:
    lines = {user: see(log_in(user), missed).find(class_="moves__list").text for user in (alice, bob)}
    assert "Sage, level 4 placed V3 for alice" in lines[bob]
    assert "Sage, level 4 placed V3 for you" in lines[alice]


def test_a_player_who_is_away_comes_back_with_one_press(away: Game, alice: User, log_in: LogIn) -> None:
    page = see(log_in(alice), away)
    assert page.find(class_="say__turn").text == "Sage, level 4 is playing for you Blue"
    address = page.find("form", class_="return")["action"]
    answer = log_in(alice).post(address, headers={"HX-Request": "true"})
    said = read(answer).find(class_="say__absence").text
    assert said == "You are back: you play your next turn yourself. Sage, level 4 played for you: V3 (move 1)."
    assert fresh(away).turn_user == alice


def test_nothing_more_is_said_after_a_move_of_ones_own(away: Game, alice: User, log_in: LogIn) -> None:
    come_back(alice, away.slug)
    play_out(away, turns=1, now=timezone.now())
    assert see(log_in(alice), away).find_all(class_="say__absence") == []


def test_the_others_see_who_is_away_and_cannot_bring_them_back(away: Game, bob: User, log_in: LogIn) -> None:
    page = see(log_in(bob), away)
    assert page.find(class_="say__turn").text == "Sage, level 4 is playing for alice Blue"
    assert page.find_all(class_="player__left")[0].text.startswith("away · ")
    # Beside the score for narrow screens, which do not show how much is left.
    marked = [bool(seat.find_all(class_="player__away")) for seat in page.find_all("li", class_="player")]
    assert marked == [True, False, False]
    assert page.find_all("form", class_="return") == []


def test_the_list_of_games_does_not_wait_for_a_player_who_is_away(away: Game, alice: User, log_in: LogIn) -> None:
    text = read(log_in(alice).get("/games/")).text
    assert "a bot plays for you" in text
    assert "Your turn" not in text


def test_the_game_in_words_says_the_same_and_has_the_same_button(away: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    client.post(f"/games/{away.slug}/mode/", {"spoken": "yes"})
    page = see(client, away)
    assert "Sage, level 4 played for you: V3 (move 1)." in page.find(id="absence").text
    assert page.find_all("form", class_="return")
    assert "1. Sage, level 4 placed V3 at a1 for you: a1, b1, a2." in page.text


def test_a_void_game_says_so(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, now=LONG_AGO, time=A_DAY)
    time_out(game.slug, number=due(game))
    for user in (alice, bob):
        assert "This game does not count: a player's time ran out" in see(log_in(user), game).text


RULES: list[tuple[int, str, str]] = [
    (
        2,
        "sage-4",
        "A player who runs out of time loses; a game in which one of the two has not moved yet does not count.",
    ),
    (3, "", "A player who runs out of time is out of the game; their pieces stay."),
    (
        3,
        "greedy",
        "If a player runs out of time, the bot Greedy plays that turn;"
        " after two missed turns in a row, it plays for them until they come back.",
    ),
]


@pytest.mark.parametrize(("seats", "bot", "rule"), RULES)
def test_a_table_says_what_happens_to_missed_turns(
    seats: int, bot: str, rule: str, alice: User, log_in: LogIn, open_for: Callable[..., Game]
) -> None:
    assert rule in see(log_in(alice), open_for(seats, time=A_DAY, stand_in=bot)).text
    assert rule not in see(log_in(alice), open_for(seats, stand_in=bot)).text
    rules = read(log_in(alice).get("/rules/")).text
    assert rule.replace("the bot Greedy", "a bot") in rules


@pytest.fixture
def open_for(alice: User) -> Callable[..., Game]:
    """Return a way to open a table for so many people."""
    return lambda seats, **settings: open_table(alice, ME, *[OPEN] * (seats - 1), **settings)


@pytest.mark.parametrize(("chosen", "kept"), [("none", ""), ("sage-6", "sage-6"), ("", "sage-4")])
def test_who_opens_a_table_chooses_the_bot(chosen: str, kept: str, alice: User, log_in: LogIn) -> None:
    seats = {f"seat-{number}": "open" for number in (1, 2)} | {"seat-0": "me"}
    more = {"variant": "blockyou-3", "days": "3", "is_public": "yes", "passes": "automatic", "stand_in": chosen}
    colours = {f"seat-{number}-colour": colour for number, colour in enumerate(("blue", "yellow", "red"))}
    assert log_in(alice).post("/games/new/", seats | more | colours).status_code == 302
    assert Game.objects.get().stand_in == kept
    again = read(log_in(alice).get("/games/new/"))
    assert "checked" in again.find("input", name="stand_in", value=chosen or "sage-4").attributes


def test_a_table_for_two_has_no_such_choice_and_nonsense_is_refused(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    assert read(client.get("/games/new/?variant=blockyou-2")).find_all("input", name="stand_in") == []
    assert client.post("/games/new/", {"variant": "blockyou-3", "stand_in": "mallory"}).status_code != 302
