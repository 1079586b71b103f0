"""A finished game is opened as a study, with what its review has found."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game, Study
from games.pages.review.page import review_page
from games.table.records import stored
from games.views import studies
from tests.conftest import LogIn
from tests.games import recorded
from tests.games.tables import running

pytestmark = pytest.mark.django_db(transaction=True)


def opened(client: Client, game: Game, **data: str) -> Study:
    answer = client.post(f"/games/{game.slug}/study/", data)
    study = Study.objects.latest("pk")
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"/studies/{study.slug}/")
    return study


def test_a_game_becomes_a_study_with_all_its_moves(alice: User, game: Game, log_in: LogIn) -> None:
    study = opened(log_in(alice), game)
    record = stored(study.record)
    assert (study.owner, study.is_shared, study.variant) == (alice, False, "duo")
    assert (study.move_count, record.players) == (game.move_count, ("alice", "bob"))
    placed = [move.placement for move in game.moves.order_by("number") if move.placement]
    assert [move for move in record.record.moves if ":" in move] == placed
    assert not [text for text in record.comments.values() if "Better" in text]


def test_the_review_stands_at_its_moves(alice: User, reviewed: Game, log_in: LogIn) -> None:
    comments = stored(opened(log_in(alice), reviewed).record).comments
    body = review_page(alice, reviewed.slug).body
    assert body
    better = {judged.move.number for judged in body.judged if not judged.is_best}
    assert better
    assert {number for number, text in comments.items() if "Better: " in text} == better
    turned = {point.move.number: point for point in body.points}
    assert {number for number, text in comments.items() if text.startswith("Turning point: ")} == set(turned)
    for number, point in turned.items():
        assert point.best_label in comments[number]
        player = reviewed.players.get(seat=reviewed.moves.get(number=number).seat)
        assert f"{player.user}'s chance of winning fell from" in comments[number]


def test_a_study_opens_at_the_move_that_was_shown(alice: User, game: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    answer = browser.post(f"/games/{game.slug}/study/", {"move": "7"})
    assert answer["Location"] == f"/studies/{Study.objects.get().slug}/?move=7"
    page = browser.get(answer["Location"]).content.decode()
    assert 'value="7"' in page


def test_only_a_game_that_is_over_and_may_be_seen_becomes_a_study(
    alice: User, bob: User, eve: User, log_in: LogIn
) -> None:
    going, private = running(alice, bob), recorded.finished(alice, bob, variant="duo", is_public=False)
    assert log_in(alice).post(f"/games/{going.slug}/study/").status_code == 409
    assert log_in(eve).post(f"/games/{private.slug}/study/").status_code == 404
    assert Client().post(f"/games/{private.slug}/study/").status_code == 302
    assert not Study.objects.exists()
    assert log_in(eve).post(f"/games/{private.slug}/study/?token={private.invite_token}").status_code == 302
    assert Study.objects.get().owner == eve


def test_opening_studies_is_limited(alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "READ_AN_HOUR", 1)
    browser = log_in(alice)
    opened(browser, game)
    assert browser.post(f"/games/{game.slug}/study/").status_code == 429
