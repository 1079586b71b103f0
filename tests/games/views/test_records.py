"""Games as files: what is exported, what comes back, and what a file may not do."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.pauses.agree_to_pause import agree_to_pause
from games.actions.pauses.ask_for_pause import ask_for_pause
from games.actions.pauses.end_pause import end_pause
from games.base import positions
from games.base.access import BotSeat
from games.clock import TimeControl
from games.models import Game, Study
from games.rules.records import read, write_json
from games.rules.variants import get_variant
from tests.conftest import LogIn
from tests.games.tables import ME, NOON, OPEN, bot, fresh, open_table, place, play_out, running
from tests.games.views.records import FORMS, fetched, opened
from tests.proof import proof

pytestmark = [pytest.mark.django_db, pytest.mark.same_queries]

WITH_BOTH = ("classic-4", "classic-3", "classic-2", "duo", "junior", "trigon-4", "trigon-3", "trigon-2")
CHOSEN = ("green", "blue", "red")
JSON_ONLY = ("blockyou-2", "blockyou-3", "blockyou-4", "codingame-2:10:42", "codingame-3:9:7")


def table_of(alice: User, variant: str, **settings: Any) -> Game:
    """Return a running game of alice and bots that do nothing unless they are played."""
    kind = get_variant(variant)
    colours = kind.colours[: kind.seats] if kind.choosable_colours else ()
    return open_table(alice, ME, *([bot()] * (kind.seats - 1)), variant=variant, colours=colours, **settings)


@pytest.mark.parametrize("turns", [7, *proof(1000)])
@pytest.mark.parametrize("variant", WITH_BOTH)
def test_a_game_survives_the_way_out_and_in_and_out_in_both_forms(
    variant: str, turns: int, alice: User, log_in: LogIn
) -> None:
    game, browser = play_out(table_of(alice, variant), turns=turns), log_in(alice)
    for form in FORMS:
        study = opened(browser, fetched(browser, game, form))
        for other in FORMS:
            assert fetched(browser, study, other) == kept_by(form, fetched(browser, game, other))


def kept_by(form: str, text: str) -> str:
    """Return what is left of a record after it has been in that form: `.blksgf` has no place for times and bots."""
    if form == "json" or not text.startswith("{"):
        return text
    return write_json(replace(read(text), opened="", started="", ended="", played={}, bots={}))


@pytest.mark.parametrize("declares", [False, True])
@pytest.mark.parametrize("variant", JSON_ONLY)
def test_a_game_survives_the_way_out_and_in_and_out_as_json(
    variant: str, declares: bool, alice: User, log_in: LogIn
) -> None:
    game, browser = play_out(table_of(alice, variant, declares_passes=declares)), log_in(alice)
    study = opened(browser, fetched(browser, game, "json"))
    assert fetched(browser, study, "json") == fetched(browser, game, "json")
    assert (study.variant, study.board, study.move_count) == (variant, game.board, game.move_count)


@pytest.mark.parametrize("variant", JSON_ONLY)
def test_a_form_that_does_not_know_the_board_is_refused_with_a_sentence(variant: str, alice: User) -> None:
    game = play_out(table_of(alice, variant), turns=2)
    answer = Client().get(f"/games/{game.slug}/record.blksgf")
    assert (answer.status_code, answer["X-Error-Code"]) == (404, "no-blksgf")
    assert "cannot be written as .blksgf" in answer.content.decode()
    assert "record.blksgf" not in Client().get(f"/games/{game.slug}/replay/").content.decode()


def test_a_record_tells_players_date_result_scoring_and_why_it_ended(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="duo", scoring="coverage", name="Sunday evening")
    place(game, get_first(game))
    resign(alice, game.slug, now=NOON + timedelta(hours=1))
    for form in FORMS:
        record = read(fetched(Client(), game, form))
        assert (record.players, record.title, record.date) == (("alice", "bob"), "Sunday evening", "2026-03-01")
        assert (record.result, record.record.scoring) == ("W+R", "coverage")
        if form == "json":
            times = (record.opened, record.started, record.ended, *record.played.values())
            moves = fresh(game).moves.values_list("played_at", flat=True)
            stored = (game.created_at, game.started_at, fresh(game).finished_at, *moves)
            assert list(map(datetime.fromisoformat, times)) == list(stored)
        assert record.record.moves[-1] == "retire:0"
        assert record.comments == {len(record.record.moves): "Everyone else resigned."}


def test_a_record_tells_when_the_players_paused_their_game(alice: User, bob: User) -> None:
    game, minutes = running(alice, bob, variant="duo"), [NOON + timedelta(minutes=minute) for minute in range(1, 4)]
    for begin in minutes[::2]:
        asked = ask_for_pause(alice, game.slug, pause_version=fresh(game).pause_version, now=begin)
        agree_to_pause(bob, game.slug, request=asked.version, now=begin)
        if begin == minutes[0]:
            end_pause(alice, game.slug, pause_version=fresh(game).pause_version, now=minutes[1])
    first, last = read(fetched(Client(), game, "json")).pauses
    assert [datetime.fromisoformat(moment) for moment in first] == minutes[:2]
    assert (datetime.fromisoformat(last[0]), last[1]) == (minutes[2], "")


def get_first(game: Game) -> str:
    return str(positions.position_of(game).legal_placements()[0])


def test_colours_that_were_chosen_are_kept(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, colours=CHOSEN)
    assert read(fetched(Client(), game, "json")).record.colours == CHOSEN


def test_whose_time_ran_out_is_told(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, now=NOON - timedelta(days=99), time=TimeControl.days_a_move(1), stand_in="")
    assert time_out(game.slug, number=1)
    record = read(fetched(Client(), fresh(game), "json"))
    assert (record.record.moves, record.comments) == (("retire:0",), {1: "ran out of time"})


def test_a_record_says_which_moves_a_bot_made_for_a_player(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, now=NOON - timedelta(days=99), time=TimeControl.days_a_move(1))
    place(game, get_first(game), BotSeat(game.pk, 0))
    assert read(fetched(Client(), fresh(game), "json")).comments == {1: "Sage, level 4 played for alice"}


def test_a_running_game_is_saved_as_far_as_it_goes(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="classic-2")
    assert read(fetched(Client(), game, "blksgf")).record.moves == ()
    place(game, get_first(game))
    assert read(fetched(Client(), game, "blksgf")).result == ""
    assert len(read(fetched(Client(), game, "blksgf")).record.moves) == 1


def test_a_table_that_has_not_started_has_no_record(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, OPEN)
    assert log_in(alice).get(f"/games/{game.slug}/record.json").status_code == 409


@pytest.mark.parametrize("form", FORMS)
def test_a_private_game_is_saved_by_its_players_and_by_whoever_has_its_link(
    form: str, alice: User, bob: User, mallory: User, log_in: LogIn
) -> None:
    game = running(alice, bob, variant="duo", is_public=False)
    address = f"/games/{game.slug}/record.{form}"
    assert log_in(bob).get(address).status_code == 200
    assert log_in(mallory).get(address).status_code == 404
    assert Client().get(address).status_code == 404
    assert Client().get(address, {"token": game.invite_token}).status_code == 200
    page = Client().get(f"/games/{game.slug}/replay/", {"token": game.invite_token}).content.decode()
    assert f"{address}?token={game.invite_token}" in page


@pytest.mark.parametrize(
    ("form", "kind"), [("blksgf", "application/x-blokus-sgf; charset=utf-8"), ("json", "application/json")]
)
def test_a_record_is_a_file_with_a_name_that_every_disk_knows(
    form: str, kind: str, alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob, variant="duo", name='Ünder "the" ../stairs\\')
    answer = log_in(alice).get(f"/games/{game.slug}/record.{form}")
    assert answer["Content-Type"] == kind
    assert answer["Content-Disposition"] == f'attachment; filename="duo-2026-03-01-under-the-stairs.{form}"'


def test_a_record_that_has_not_changed_is_not_sent_again(alice: User, bob: User) -> None:
    game, browser = running(alice, bob, variant="duo"), Client()
    address = f"/games/{game.slug}/record.blksgf"
    first = browser.get(address)
    assert first["Cache-Control"] == "private, no-cache"
    assert browser.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    place(game, get_first(game))
    assert browser.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_the_page_of_a_game_leads_to_its_record(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, variant="duo")
    link = f'href="/games/{game.slug}/replay/"'
    assert link in log_in(alice).get(f"/games/{game.slug}/").content.decode()
    resign(alice, game.slug, now=NOON + timedelta(hours=1))
    assert link in log_in(alice).get(f"/games/{game.slug}/").content.decode()
    page = log_in(alice).get(f"/games/{game.slug}/replay/").content.decode()
    assert all(f"/games/{game.slug}/record.{form}" in page for form in FORMS)


def test_saving_keeps_nothing_here(alice: User, bob: User) -> None:
    fetched(Client(), running(alice, bob, variant="duo"), "json")
    assert not Study.objects.exists()
