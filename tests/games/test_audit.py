"""A10: what is stored of every game follows from its moves."""

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games.actions.moves.resign import resign
from games.audit import checks as audit
from games.clock import PACES, TimeControl
from games.models import Companion, Game, Move, Player
from games.table import lifecycle
from tests.games.tables import (
    ME,
    NOON,
    OPEN,
    fresh,
    large_first,
    open_table,
    place,
    play_out,
    rows,
    running,
    tallies,
)
from tests.games.tasks.workers import database_url


@pytest.mark.parametrize("pace", PACES)
def test_clocks_and_deadlines_of_every_pace_follow_from_the_moves(pace: str, alice: User, bob: User) -> None:
    game, now, control = running(alice, bob, time=PACES[pace]), NOON, PACES[pace]
    # In time, at once, late: the last move is made when nobody has claimed.
    for text, part in (("1:a1", 0.3), ("1:t1", 0.9), ("1:a20", 0), ("1:t20", 0.5), ("2:b2,b3", 3)):
        now += timedelta(seconds=part * (control.increment or 0))
        place(game, text, now=now)
    assert len({player.clock for player in game.players.all()}) == 2
    assert list(audit.faults(fresh(game))) == []


SPOILT: dict[str, tuple[Any, dict[str, Any]]] = {
    "board": (Game, {"board": "1" * 400}),
    "turn_colour": (Game, {"turn_colour": "green"}),
    "deadline": (Game, {"deadline": NOON}),
    "move_count": (Game, {"move_count": 77}),
    "turn_user_id": (Game, {"turn_user": None}),
    "is_bot_due": (Game, {"is_bot_due": True}),
    "is_of_bots": (Game, {"is_of_bots": True}),
    "is_featured": (Game, {"is_featured": True}),
    "is_paused": (Game, {"is_paused": True}),
    "pause_ends_at": (Game, {"pause_ends_at": NOON}),
    "seat 0": (Player, {"score": 5}),
    "seat 1": (Player, {"clock": 12}),
}
#: Facts of the game that its seats hold too.
COPIES = ({"is_going": True}, {"ended_at": NOON - timedelta(days=1)}, {"result": "tied"}, {"variant": "duo"})


@pytest.mark.parametrize("what", SPOILT)
def test_what_was_spoilt_is_found_and_repaired(alice: User, bob: User, what: str) -> None:
    game = play_out(running(alice, bob, time=TimeControl.days_a_move(1)), turns=6)
    before = rows()
    model, values = SPOILT[what]
    model.objects.update(**values)
    assert what in {fault.what for fault in audit.faults(fresh(game))}
    err = StringIO()
    with pytest.raises(CommandError):
        call_command("audit_games", stdout=StringIO(), stderr=err)
    assert f"{game.slug}: {what} is " in err.getvalue()
    call_command("audit_games", "--repair", stdout=StringIO(), stderr=StringIO())
    assert rows() == before


@pytest.mark.parametrize("spoilt", [*COPIES, {"is_public": False}])
def test_a_wrong_fact_beside_a_seat_is_found_and_repaired(alice: User, bob: User, spoilt: dict[str, Any]) -> None:
    game = play_out(running(alice, bob))
    before = [rows(), tallies()]
    Player.objects.update(**spoilt)
    assert "seat 0" in {fault.what for fault in audit.faults(fresh(game))}
    call_command("audit_games", "--repair", stdout=StringIO(), stderr=StringIO())
    assert [rows(), tallies()] == before


def test_a_table_that_has_not_started_is_looked_at_too(alice: User, bob: User) -> None:
    game, err = open_table(alice, ME, OPEN), StringIO()
    Player.objects.filter(seat=1).update(is_going=False)
    with pytest.raises(CommandError):
        call_command("audit_games", stdout=StringIO(), stderr=err)
    assert f"{game.slug}: seat 1 is False" in err.getvalue()
    call_command("audit_games", "--repair", stdout=StringIO(), stderr=StringIO())
    assert Player.objects.filter(is_going=True).count() == 2


def test_a_move_that_is_not_lawful_is_found(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), turns=3)
    Move.objects.filter(number=2).update(placement="1:c3")
    assert [fault.what for fault in audit.faults(fresh(game))] == ["moves"]


def test_a_gap_and_a_version_out_of_order_are_found(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), turns=3)
    Move.objects.filter(number=3).update(number=9, version=99)
    assert {"numbers", "versions"} <= {fault.what for fault in audit.faults(fresh(game))}


def test_a_finished_game_is_rebuilt_from_nothing(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob))
    before = rows()
    Game.objects.update(status="running", turn_seat=0, turn_colour="blue", turn_since=NOON, board="", reason="")
    Player.objects.update(score=None, is_winner=False)
    lifecycle.rebuild(fresh(game))
    assert rows() == before


def test_a_game_that_has_not_started_has_nothing_to_rebuild(alice: User) -> None:
    with pytest.raises(ValueError, match="has not started"):
        lifecycle.rebuild(open_table(alice, ME, OPEN))


def test_a_declared_pass_belongs_to_the_replay(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, declares_passes=True), 2, large_first)
    assert Move.objects.filter(game=game, kind="pass", is_automatic=False).exists()
    assert list(audit.faults(game)) == []


def audited(*options: str) -> str:
    out = StringIO()
    call_command("audit_games", *options, stdout=out, stderr=StringIO())
    return out.getvalue().partition(" and ")[0]


def test_a_sample_and_what_has_changed_since_a_date_can_be_audited_alone(alice: User, bob: User) -> None:
    for day in range(6):
        play_out(running(alice, bob), turns=2, now=NOON + timedelta(days=day))
    assert audited("--sample=4") == "4 games"
    assert audited("--sample=40") == "6 games"
    assert audited(f"--since={NOON + timedelta(days=3):%Y-%m-%d}") == "3 games"
    assert audited(f"--since={NOON + timedelta(days=6):%Y-%m-%dT%H:%M}") == "0 games"


def test_an_audit_goes_on_where_it_was_broken_off(alice: User, bob: User) -> None:
    games = [running(alice, bob) for _ in range(6)]
    assert audited(f"--after={games[3].pk}") == "2 games"


@pytest.mark.parametrize("options", [["--since=yesterday"], ["--sample=3", "--processes=2"]])
def test_options_that_make_no_sense_are_refused(options: list[str], db: None) -> None:
    with pytest.raises(CommandError):
        audited(*options)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_shares_make_the_whole_and_do_not_overlap(
    count: int, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "AUDITED_AT_ONCE", 2)
    games = [running(alice, bob).pk for _ in range(7)]
    Game.objects.filter(pk=games[2]).delete()
    lots = [lot for number in range(count) for lot in audit.started_games(share=(number, count))]
    keys = [[game.pk for game in lot] for _last, lot in lots]
    assert sorted(key for lot in keys for key in lot) == [pk for pk in games if pk != games[2]]
    assert all(max(lot, default=0) <= last for (last, _games), lot in zip(lots, keys, strict=True))


@pytest.mark.proof
@pytest.mark.django_db(transaction=True)
def test_several_processes_share_an_audit(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url())
    games = [play_out(running(alice, bob), turns=2) for _ in range(5)]
    assert audited("--processes=2") == "5 games"
    Game.objects.filter(pk=games[3].pk).update(move_count=9)
    with pytest.raises(CommandError, match="differ"):
        audited("--processes=2")
    assert audited("--processes=2", "--repair") == "5 games"
    assert fresh(games[3]).move_count == 2


def test_the_command_finds_a_wrong_counter_and_mends_it(alice: User, bob: User) -> None:
    resign(bob, running(alice, bob).slug)
    Companion.objects.filter(user=alice).update(games=7)
    err = StringIO()
    with pytest.raises(CommandError):
        call_command("audit_games", stdout=StringIO(), stderr=err)
    assert f"companions {alice.pk} {bob.pk}: ('bob', 7, " in err.getvalue()
    audited("--repair")
    assert Companion.objects.get(user=alice).games == 1
    assert audited() == "1 games"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--since", "2026-02-30"], "'2026-02-30' is no date: write 2026-01-31 or 2026-01-31T12:00"),
        (["--since", "yesterday"], "'yesterday' is no date: write 2026-01-31 or 2026-01-31T12:00"),
        (["--sample", "3", "--processes", "2"], "A sample is drawn in one process."),
    ],
)
def test_an_audit_that_cannot_be_made_is_refused_in_a_sentence(given: list[str], sentence: str, db: None) -> None:
    with pytest.raises(CommandError, match=re.escape(sentence)):
        call_command("audit_games", *given)
