"""When a running game will probably end follows from how its players have played so far."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.clock import TimeControl
from games.models import Game, Player
from games.queries.play.forecast import SPAN, Forecast, forecast, replies
from games.queries.play.moves import MoveRow
from games.words.moments import ends_line
from tests.conftest import LogIn
from tests.games.queries.states import state
from tests.games.spoken.words import see
from tests.games.tables import ME, NOON, bot, fresh, open_table, running, take_turn

pytestmark = [pytest.mark.django_db, pytest.mark.database]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
THREE_DAYS = TimeControl.days_a_move(3)


def turns(game: Game, number: int, after: timedelta) -> Game:
    """Let so many turns be played, each that long after the one before."""
    for _ in range(number):
        game = take_turn(game, now=(fresh(game).turn_since or NOON) + after)
    return fresh(game)


def told(game: Game, user: User, after: timedelta = timedelta()) -> Forecast | None:
    """Return what is told so long after the turn began."""
    return forecast(state(game, user, (game.turn_since or NOON) + after))


def test_it_is_said_once_everyone_has_taken_three_turns(alice: User, bob: User) -> None:
    game = turns(running(alice, bob, time=THREE_DAYS), 5, HOUR)
    assert told(game, alice) is None
    assert told(turns(game, 1, HOUR), alice) is not None


def test_whoever_takes_twice_as_long_makes_the_end_twice_as_far_away(alice: User, bob: User) -> None:
    ends = []
    for hours in (6, 12):
        game = turns(running(alice, bob, time=THREE_DAYS), 8, hours * HOUR)
        found = told(game, alice)
        assert found is not None
        ends.append(found.first - (game.turn_since or NOON))
    assert abs(ends[1] - 2 * ends[0]) < timedelta(milliseconds=1)


def test_the_slow_one_of_two_counts_as_much_as_their_own_turns(alice: User, bob: User) -> None:
    both = turns(running(alice, bob, time=THREE_DAYS), 8, 12 * HOUR)
    one = running(alice, bob, time=THREE_DAYS)
    for _ in range(4):
        one = turns(turns(one, 1, 12 * HOUR), 1, HOUR)
    first, second = told(both, alice), told(one, alice)
    assert first is not None
    assert second is not None
    assert (second.first - (one.turn_since or NOON)) < 0.6 * (first.first - (both.turn_since or NOON))


def test_two_of_one_pace_end_more_surely_than_a_slow_and_a_quick_one_of_the_same_mean(alice: User, bob: User) -> None:
    even = turns(running(alice, bob, time=THREE_DAYS), 8, 6 * HOUR)
    uneven = running(alice, bob, time=THREE_DAYS)
    for _ in range(4):
        uneven = turns(turns(uneven, 1, 11 * HOUR), 1, HOUR)
    surely, hardly = told(even, alice), told(uneven, alice)
    assert surely is not None
    assert hardly is not None
    assert (even.turn_since, even.move_count) == (uneven.turn_since, uneven.move_count)
    assert hardly.first < surely.first < surely.last < hardly.last


def test_the_fewer_turns_are_left_the_wider_is_the_band_beside_them(alice: User, bob: User) -> None:
    game, ratios = running(alice, bob, time=THREE_DAYS), list[float]()
    for number in (8, 12):
        game = turns(game, number, 12 * HOUR)
        found, since = told(game, alice), game.turn_since or NOON
        assert found is not None
        ratios.append((found.last - since) / (found.first - since))
    assert ratios[0] < ratios[1]


def test_it_says_the_same_for_as_long_as_the_turn_lasts_and_nothing_once_it_is_past(alice: User, bob: User) -> None:
    game = turns(running(alice, bob, time=THREE_DAYS), 8, HOUR)
    found = told(game, alice)
    assert found is not None
    assert found.last - found.first >= SPAN
    assert told(game, alice, DAY) == found
    assert told(game, alice, found.last - (game.turn_since or NOON)) is None


def test_nothing_is_foretold_without_clocks_or_people_or_in_a_pause(alice: User, bob: User) -> None:
    assert told(turns(running(alice, bob), 6, HOUR), alice) is None
    assert told(turns(open_table(alice, ME, bot(), time=THREE_DAYS), 1, HOUR), alice) is None
    game = turns(running(alice, bob, time=THREE_DAYS), 8, HOUR)
    Game.objects.filter(pk=game.pk).update(is_paused=True)
    assert told(fresh(game), alice) is None


def test_bots_take_no_time(alice: User, bob: User) -> None:
    game = running(alice, bob, time=THREE_DAYS)
    game = turns(game, 8, 6 * HOUR)
    found = told(game, alice)
    Player.objects.filter(game=game, user=bob).update(missed=2)
    with_bot = told(fresh(game), alice)
    assert found is not None
    assert with_bot is not None
    assert with_bot.last < found.last


def test_what_a_bot_does_for_a_player_who_is_away_is_no_habit_of_theirs() -> None:
    def move(number: int, hours: int, bot: str = "") -> MoveRow:
        return MoveRow(
            number, "place", 0, "blue", "", is_automatic=False, retired="", played_at=NOON + hours * HOUR, bot=bot
        )

    made = [move(1, 2), move(2, 5, "greedy"), move(3, 9, "greedy"), move(4, 9, "greedy"), move(5, 10)]
    assert [taken / 3600 for taken in replies(made, NOON)[0]] == [2, 3, 4, 1]
    pause = (NOON + HOUR, NOON + 3 * HOUR)
    assert [taken / 3600 for taken in replies(made, NOON, [pause])[0]] == [1, 2, 4, 1]


def test_holidays_that_are_to_come_put_the_end_off_for_those_who_sit_there(alice: User, bob: User) -> None:
    game = turns(running(alice, bob, time=THREE_DAYS), 8, 12 * HOUR)
    before = told(game, alice)
    begins = (game.turn_since or NOON) + DAY
    _spend(game, bob, begins, begins + 5 * DAY)
    after = told(fresh(game), alice)
    assert before is not None
    assert after is not None
    assert after.last - before.last == 5 * DAY
    assert forecast(state(fresh(game), None, game.turn_since or NOON)) == before


def _spend(game: Game, user: User, begins: datetime, ends: datetime) -> None:
    spans = [[game.version, begins.isoformat(), ends.isoformat()]]
    Player.objects.filter(game=game, user=user).update(holidays=spans)


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (NOON, NOON + HOUR, "This game will probably end around 1 Mar."),
        (NOON, NOON + 6 * DAY, "This game will probably end between 1 and 7 Mar."),
        (NOON, NOON + 40 * DAY, "This game will probably end between 1 Mar and 10 Apr."),
    ],
)
def test_a_month_is_named_once(first: datetime, last: datetime, said: str) -> None:
    assert ends_line(first, last) == said


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_says_it_and_so_does_the_game_in_words(alice: User, bob: User, log_in: LogIn, language: str) -> None:
    words = {"en": "This game will probably end", "fr": "Cette partie se terminera"}[language]
    User.objects.filter(pk=alice.pk).update(language=language)
    game = turns(running(alice, bob, time=THREE_DAYS, now=timezone.now() - DAY), 5, HOUR)
    client = log_in(alice)
    assert words not in see(client, game).text
    turns(game, 3, 6 * HOUR)
    assert words in see(client, game).text
