"""The clocks of a game: one for each player, exact for its reader, and the same after an update as on a fresh page."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.tables.join_game import join_game
from games.clock import PACES, TimeControl
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, without_secrets
from tests.games.play.test_fragment import LONG_AGO, part
from tests.games.spoken.words import see
from tests.games.tables import ME, OPEN, bot, fresh, open_table, place, running

EVENING = PACES["evening"]


def of_two_people_and_a_bot(alice: User, bob: User) -> Game:
    table = open_table(alice, ME, OPEN, bot(), now=timezone.now(), time=EVENING)
    return join_game(bob, table.slug, token=table.invite_token, now=timezone.now())


def clocks(page: Element) -> list[Element]:
    return page.find_all("time", class_="player__clock")


def test_every_player_has_a_clock_and_only_that_of_the_player_to_move_runs(alice: User, bob: User) -> None:
    game = running(alice, bob, now=timezone.now() - timedelta(minutes=5, seconds=1), time=EVENING)
    mine, theirs = clocks(see(Client(), game))
    assert (mine["datetime"], mine["data-behaviour"]) == (
        game.deadline and game.deadline.isoformat(timespec="seconds"),
        "countdown",
    )
    assert mine.text.strip().startswith("09:5")
    assert (theirs["datetime"], theirs.text.strip()) == ("PT900S", "15:00")
    assert "data-behaviour" not in theirs.attributes


def test_ones_own_clock_is_urgent_in_its_last_quarter_and_no_other_players(
    alice: User, bob: User, log_in: LogIn
) -> None:
    urgent = {}
    for minutes in (11, 12):
        game = running(alice, bob, now=timezone.now() - timedelta(minutes=minutes), time=EVENING)
        for client, reader in ((log_in(alice), "mine"), (log_in(bob), "hers"), (Client(), "watched")):
            clock = clocks(see(client, game))[0]
            urgent[minutes, reader] = (clock.attributes.get("data-tone"), clock["data-urgent"])
    assert urgent == {
        (11, "mine"): (None, "225"), (11, "hers"): (None, "0"), (11, "watched"): (None, "0"),
        (12, "mine"): ("urgent", "225"), (12, "hers"): (None, "0"), (12, "watched"): (None, "0"),
    }  # fmt: skip


def test_bots_and_games_without_time_have_no_clock(alice: User, bob: User) -> None:
    with_bot = of_two_people_and_a_bot(alice, bob)
    assert len(clocks(see(Client(), with_bot))) == 2
    assert clocks(see(Client(), running(alice, bob, time=TimeControl()))) == []


def test_no_clock_is_shown_where_none_can_run_since_one_person_plays_alone(
    alice: User, bob: User, log_in: LogIn
) -> None:
    alone = open_table(alice, ME, bot(), now=timezone.now(), time=EVENING)
    assert clocks(see(log_in(alice), alone)) == []
    left = of_two_people_and_a_bot(alice, bob)
    log_in(bob).post(f"/games/{left.slug}/resign/")
    assert clocks(see(log_in(alice), left)) == []


def test_what_opens_at_a_player_says_when_the_clock_ends(alice: User, bob: User) -> None:
    game = running(alice, bob, now=timezone.now(), time=PACES["slow"])
    first, second = see(Client(), game).find_all("div", class_="stock")
    assert (
        "Clock: 6\N{NO-BREAK SPACE}d 23\N{NO-BREAK SPACE}h · until " in first.text
        or "Clock: 7\N{NO-BREAK SPACE}d 0\N{NO-BREAK SPACE}h · until " in first.text
    )
    assert "UTC" in first.text
    assert "Clock: 7\N{NO-BREAK SPACE}d 0\N{NO-BREAK SPACE}h" in second.text
    assert "until" not in second.text


def test_the_clocks_are_read_in_words_too(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, now=timezone.now(), time=PACES["slow"])
    client = log_in(bob)
    client.post(f"/games/{game.slug}/mode/", {"spoken": "yes"})
    told = " ".join(see(client, game).find("section", id="scores").text.split())
    assert "Your clock 7 days" in told
    assert "alice's clock" in told


@pytest.mark.parametrize("pace", PACES)
def test_an_update_brings_the_clocks_of_a_fresh_page(pace: str, alice: User, bob: User, log_in: LogIn) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    game = running(alice, bob, now=LONG_AGO, time=PACES[pace])
    place(game, "1:a1")
    for client in (log_in(alice), log_in(bob), Client()):
        assert without_secrets(part(client, game, "board/")) == without_secrets(part(client, game, ""))


def test_a_page_is_read_anew_in_another_zone(alice: User, bob: User, log_in: LogIn) -> None:
    client, game = log_in(alice), running(alice, bob, time=PACES["slow"])
    tag = client.get(f"/games/{game.slug}/board/")["ETag"]
    assert client.get(f"/games/{game.slug}/board/", headers={"if-none-match": tag}).status_code == 304
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    assert client.get(f"/games/{game.slug}/board/", headers={"if-none-match": tag}).status_code == 200


def test_a_move_gives_its_increment_for_all_to_see(alice: User, bob: User) -> None:
    game = running(alice, bob, now=timezone.now(), variant="duo", time=EVENING)
    place(game, "X:e10,d9,e9,f9,e8", now=timezone.now())
    shown = [clock.text.strip() for clock in clocks(see(Client(), fresh(game)))]
    assert shown[0] in ("20:00", "19:59")
    assert shown[1] in ("15:00", "14:59")


def test_a_deadline_is_written_in_the_zone_of_each_reader(alice: User, bob: User, log_in: LogIn) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    game = running(alice, bob, time=PACES["normal"])
    page = f"/games/{game.slug}/"
    assert "JST" in log_in(alice).get(page).content.decode()
    assert "UTC" in log_in(bob).get(page).content.decode()
    assert "UTC" in Client().get(page).content.decode()
    assert timezone.get_current_timezone_name() == "UTC"
