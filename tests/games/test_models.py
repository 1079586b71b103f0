"""What the tables themselves refuse, whatever the code above them does."""

import re
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from games.models import Game, Kind, Move, Player
from tests.games.tables import LINK, ME, NOON, OPEN, bot, open_table, place, running


def refuses(**spoilt: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Move.objects.create(**{"kind": Kind.PASS, "seat": 0, "version": 9, "played_at": NOON, **spoilt})


def test_a_turn_is_recorded_once(alice: User, bob: User) -> None:
    game = running(alice, bob)
    place(game, "1:a1", key="a-key-of-its-own")
    refuses(game=game, number=1)
    refuses(game=game, number=2, client_key="a-key-of-its-own")
    Move.objects.create(game=game, number=2, kind=Kind.PASS, seat=0, version=9, played_at=NOON)
    assert [*game.moves.values_list("number", flat=True)] == [1, 2]


def test_nobody_sits_twice_and_no_seat_has_two(alice: User, bob: User) -> None:
    game = running(alice, bob)
    for spoilt in ({"seat": 2, "user": alice}, {"seat": 1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Player.objects.create(game=game, **spoilt)


def test_a_seat_has_a_user_or_a_bot(alice: User) -> None:
    open_table(alice, ME, bot())
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(user=alice).update(bot="random")


@pytest.mark.parametrize(
    "spoilt",
    [
        {"time_initial": 60},
        {"time_initial": 0, "time_increment": 0, "time_cap": 60},
        {"status": "running"},
        {"turn_seat": 0},
        {"turn_colour": "blue"},
    ],
)
def test_half_a_clock_and_a_turn_without_a_running_game_are_refused(alice: User, spoilt: dict[str, Any]) -> None:
    open_table(alice, ME, OPEN)
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.update(**spoilt)


def test_a_game_has_one_rematch(alice: User) -> None:
    first, second, third = (open_table(alice, ME, OPEN) for _ in range(3))
    Game.objects.filter(pk=second.pk).update(rematch_of=first)
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=third.pk).update(rematch_of=first)


def test_the_user_of_a_seat_cannot_be_deleted_away(alice: User, bob: User) -> None:
    running(alice, bob)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=bob.pk).delete()


def test_an_address_is_short_easy_to_read_and_not_to_be_guessed(alice: User) -> None:
    games = [open_table(alice, ME, LINK) for _ in range(20)]
    assert all(re.fullmatch("[a-kmnp-z2-9]{10}", game.slug) for game in games)
    assert len({game.slug for game in games} | {game.invite_token for game in games}) == 40
    assert all(len(game.invite_token) >= 22 for game in games)


def test_rows_name_themselves_for_whoever_reads_a_log(alice: User, bob: User) -> None:
    game = running(alice, bob, name="Sunday")
    place(game, "1:a1")
    assert [str(game), str(Game(slug="abc")), str(game.players.get(seat=1))] == ["Sunday", "abc", f"{game.pk}/1"]
    assert [str(Move.objects.get()), str(Move(number=2, kind=Kind.PASS))] == ["1. 1:a1", "2. pass"]
