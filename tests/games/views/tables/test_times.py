"""Choosing how much time there is, and the same words about it everywhere."""

import pytest
from django.test import Client

from accounts.models import User
from games.clock import DAY, HOUR, MINUTE, PACES, TimeControl
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, open_table, running
from tests.games.views.tables.test_create import filled
from tests.games.views.tables.test_create_variants import words
from tests.games.views.tables.test_presets import chosen

PAGE = "/games/new/"
OWN = {
    "time": "custom",
    "initial_amount": "36",
    "initial_unit": "h",
    "increment_amount": "90",
    "increment_unit": "min",
    "cap_amount": "4",
    "cap_unit": "d",
}


def opened() -> TimeControl:
    return Game.objects.get().time_control


@pytest.mark.parametrize("pace", PACES)
def test_each_pace_opens_a_table_with_its_times(pace: str, alice: User, log_in: LogIn) -> None:
    log_in(alice).post(PAGE, filled("me", "open", time=pace))
    assert opened() == PACES[pace]


def test_three_times_of_ones_own_are_taken_in_any_unit(alice: User, log_in: LogIn) -> None:
    log_in(alice).post(PAGE, filled("me", "open", **OWN))
    assert opened() == TimeControl(36 * HOUR, 90 * MINUTE, 4 * DAY)


def test_days_a_move_and_no_limit_are_offered_too(alice: User, log_in: LogIn) -> None:
    log_in(alice).post(PAGE, filled("me", "open", time="days", days="5"))
    log_in(alice).post(PAGE, filled("me", "open", time="unlimited"))
    assert [game.time_control for game in Game.objects.order_by("pk")] == [TimeControl.days_a_move(5), TimeControl()]


@pytest.mark.parametrize(
    ("wrong", "field", "sentence"),
    [
        ({"initial_amount": "31", "initial_unit": "d"}, "initial_amount", "begin with 5 minutes to 30 days."),
        ({"initial_amount": ""}, "initial_amount", "Enter a whole number."),
        ({"increment_amount": "-1"}, "increment_amount", "Enter a whole number."),
        ({"increment_amount": "15", "increment_unit": "d"}, "increment_amount", "add 1 minute to 14 days."),
        ({"cap_amount": "1"}, "cap_amount", "at least as long as each of the other two times, and at most 60 days."),
        ({"cap_unit": "weeks"}, "cap_unit", "Choose minutes, hours or days."),
    ],
)
def test_a_time_out_of_bounds_is_refused_at_its_field(
    wrong: dict[str, str], field: str, sentence: str, alice: User, log_in: LogIn
) -> None:
    answer = log_in(alice).post(PAGE, filled("me", "open", **OWN | wrong))
    page = read(answer)
    assert (answer.status_code, Game.objects.count()) == (422, 0)
    assert sentence in page.find(class_="faults").text
    assert sentence in page.find(id=f"id_{field}_error").text
    assert "checked" in page.find("input", name="time", value="custom").attributes


def test_what_a_choice_does_not_need_refuses_nothing(alice: User, log_in: LogIn) -> None:
    log_in(alice).post(PAGE, filled("me", "open", time="slow", days="99", initial_amount="x", cap_unit="weeks"))
    assert opened() == PACES["slow"]


def test_an_unknown_choice_is_refused(alice: User, log_in: LogIn) -> None:
    answer = log_in(alice).post(PAGE, filled("me", "open", time="never"))
    assert "Choose a time from the list." in answer.content.decode()


@pytest.mark.parametrize("pace", ["evening", "slow"])
def test_the_last_pace_is_the_first_offer(pace: str, alice: User, log_in: LogIn) -> None:
    open_table(alice, ME, OPEN, time=PACES[pace])
    assert chosen(read(log_in(alice).get(PAGE)), "time") == [pace]


def test_the_last_times_of_ones_own_are_the_first_offer(alice: User, log_in: LogIn) -> None:
    open_table(alice, ME, OPEN, time=TimeControl(36 * HOUR, 90 * MINUTE, 4 * DAY))
    page = read(log_in(alice).get(PAGE))
    assert chosen(page, "time") == ["custom"]
    assert [page.find("input", name=name)["value"] for name in OWN if name.endswith("amount")] == ["36", "90", "4"]
    assert [chosen(page, name) for name in OWN if name.endswith("unit")] == [["h"], ["min"], ["d"]]


def test_another_board_keeps_the_times(alice: User, log_in: LogIn) -> None:
    page = read(log_in(alice).post(PAGE, filled("me", "open", **OWN, show="duo"), follow=True))
    assert (chosen(page, "time"), page.find("input", name="initial_amount")["value"]) == (["custom"], "36")


def test_the_form_says_about_how_long_a_game_of_each_pace_takes(alice: User, log_in: LogIn) -> None:
    text = words(log_in(alice).get(f"{PAGE}?variant=blockyou-4").content.decode())
    normal, evening = "3 days + 1 day per move, up to 7 days", "15 minutes + 5 minutes per move, up to 1 hour"
    assert f"Normal about a move a day · takes about 5 weeks {normal} on the clock" in text
    assert f"Same evening about 5 minutes a move · takes about 3 hours {evening} on the clock" in text
    assert "The length of a game for 4 people is an estimate: about 17 moves each" in text


def test_lists_say_how_fast_a_game_goes_and_the_table_the_invitation_and_the_game_all_that_is_agreed(
    alice: User, bob: User, log_in: LogIn
) -> None:
    client, told = log_in(alice), "3 days + 1 day per move, up to 7 days on the clock"
    table = open_table(alice, ME, OPEN, time=PACES["normal"])
    game = running(alice, bob, time=PACES["normal"])
    link = f"/join/{table.invite_token}/"
    for path in ("/lobby/", "/games/"):
        shown = words(client.get(path).content.decode())
        assert (path, "about a move a day" in shown, told in shown) == (path, True, False)
    for path in (f"/games/{table.slug}/", f"/games/{game.slug}/"):
        assert told in words(client.get(path).content.decode())
    assert told in words(Client().get(link).content.decode())
    client.post(f"/games/{game.slug}/mode/", {"spoken": "yes"})
    assert told in words(client.get(f"/games/{game.slug}/").content.decode())
