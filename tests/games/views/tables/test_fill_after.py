"""A seeker chooses after how many hours bots take the empty seats of the table that is opened for anyone."""

import random
from datetime import datetime, timedelta
from statistics import median

import pytest

from accounts.models import User
from games.actions.tables.create_game import create_game
from games.actions.tables.fill_seats import fill_when_due
from games.actions.tables.join_game import join_game
from games.base.setup import GameSetup
from games.errors import BadRequest
from games.models import Game, Player
from games.queries.tables.pairing import tables_to_join
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, NOON, OPEN, bot, open_table, setup


@pytest.mark.parametrize(("preset", "hours"), [("anyone", 6), ("friend", 0)])
def test_a_table_for_anyone_is_filled_after_the_chosen_time(
    preset: str, hours: int, alice: User, log_in: LogIn
) -> None:
    client = log_in(alice)
    assert "After 6 hours" in read(client.get("/games/new/")).text
    client.post("/games/new/", {"preset": preset, "fill_after": "6"})
    game = Game.objects.get()
    after = game.fill_at and game.fill_at - game.created_at
    assert (after, bool(game.fill_bot)) == ((timedelta(hours=hours), True) if hours else (None, False))


def test_the_choice_stands_on_the_card_of_playing_anyone_and_on_no_other(alice: User, log_in: LogIn) -> None:
    cards = read(log_in(alice).get("/games/new/")).find_all(class_="presets__one")
    assert [(card.find("button")["value"], len(card.find_all("select"))) for card in cards] == [
        ("friend", 0),
        ("bots", 0),
        ("anyone", 1),
    ]


@pytest.mark.parametrize("minutes", [5, 15, 30])
def test_who_wants_to_play_soon_chooses_minutes(minutes: int, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    assert f"After {minutes} minutes" in read(client.get("/games/new/")).text
    client.post("/games/new/", {"preset": "anyone", "fill_after": f"{minutes}m"})
    game = Game.objects.get()
    assert game.fill_at == game.created_at + timedelta(minutes=minutes)


def test_a_seeker_sits_down_where_bots_come_no_later_than_they_chose(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    log_in(alice).post("/games/new/", {"preset": "anyone", "fill_after": "15m", "board": "blockyou-4"})
    log_in(bob).post("/games/new/", {"preset": "anyone", "fill_after": "5m", "board": "blockyou-4"})
    late, soon = Game.objects.order_by("pk")
    assert (late.creator, soon.creator) == (alice, bob)
    log_in(carol).post("/games/new/", {"preset": "anyone", "fill_after": "5m", "board": "blockyou-4"})
    # Bob's was opened before: bots come there sooner.
    assert set(soon.players.values_list("user__username", flat=True)) == {"bob", "carol", None}


@pytest.mark.django_db
def test_half_of_all_seekers_of_a_table_of_four_play_within_five_minutes_and_the_others_too() -> None:
    dice, now, waits = random.Random(5), NOON, []
    came: dict[int, datetime] = {}
    asked = setup(ME, OPEN, OPEN, OPEN, is_public=True, fill_soon=5, fill_bot="sage-2")
    for number in range(40):
        now += timedelta(seconds=dice.expovariate(1 / 150))
        for slug in Game.objects.filter(fill_at__lte=now).values_list("slug", flat=True):
            game = Game.objects.get(slug=slug)
            # The site looks once in a minute.
            fill_when_due(slug, now=(game.fill_at or now) + timedelta(minutes=1))
        seeker = User.objects.create_user(f"seeker{number}")
        came[seeker.pk] = now
        tables = tables_to_join(seeker, {"blockyou-4"}, now, filled_by=now + asked.filled_in)
        if tables:
            join_game(seeker, tables[0], now=now)
        else:
            create_game(seeker, asked, now=now)
    for player in Player.objects.filter(game__started_at__isnull=False, user__isnull=False).select_related("game"):
        assert player.game.started_at is not None
        waits.append((player.game.started_at - came[player.user_id or 0]).total_seconds())
    assert len(waits) >= 36
    assert median(waits) <= 5 * 60
    assert max(waits) <= 6 * 60
    # People meet each other: not every one of them plays with bots alone.
    assert Game.objects.count() < 30


@pytest.mark.parametrize("sent", ["", "0", "x", "-1", "m", "9" * 5000])
def test_without_a_time_no_bot_comes(sent: str, alice: User, log_in: LogIn) -> None:
    log_in(alice).post("/games/new/", {"preset": "anyone", "fill_after": sent})
    assert Game.objects.get().fill_at is None


def test_a_time_that_is_not_offered_is_refused(alice: User, log_in: LogIn) -> None:
    for sent in ("5", "7m", "999m"):
        assert log_in(alice).post("/games/new/", {"preset": "anyone", "fill_after": sent}).status_code == 400
    with pytest.raises(BadRequest):
        open_table(alice, ME, OPEN, fill_after=6, fill_bot="nobody")
    assert not Game.objects.exists()


def test_where_no_seat_waits_nothing_is_filled(alice: User) -> None:
    assert open_table(alice, ME, bot(), variant="duo", fill_after=6, fill_bot="sage-4").fill_at is None
    asked: GameSetup = setup(ME, OPEN, fill_after=6, fill_bot="sage-4")
    assert create_game(alice, asked, now=NOON).fill_at == NOON + timedelta(hours=6)
