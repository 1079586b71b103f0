"""How often somebody has played what an engine would have: moderators read it in a case, and no one else anywhere."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django import test
from django.test import Client
from django.utils import translation

from accounts.models import User
from games.actions.analysis.ask_for_review import ask_for_review
from games.actions.moderation.report_player import report_player
from games.arena.figures import wilson_interval
from games.bots.reviewer import continue_review
from games.findings import Finding
from games.models import Game, Move, Player, Review, ReviewStatus
from games.queries.moderation.likeness import GAMES_COMPARED, Likeness, likeness_of
from games.table import counting
from games.words.ratings import likeness_text
from tests.conftest import LogIn
from tests.games import recorded
from tests.games.moderation.conftest import with_factor
from tests.games.play.pages import read
from tests.games.review.conftest import quick_engine as quick_engine
from tests.games.tables import NOON
from tests.games.tasks.workers import jobs

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewed(alice: User, bob: User) -> Game:
    """Return a rated game of the two that was reviewed."""
    game = recorded.reviewed(alice, recorded.finished(alice, bob, variant="duo"))
    Game.objects.filter(pk=game.pk).update(is_rated=True)
    return game


def findings(game: Game, seat: int) -> list[Finding]:
    found = map(Finding.of_json, Review.objects.get(game=game).findings)
    return [each for each in found if each.seat == seat and sum(each.legal.values()) > 1]


def test_moves_with_a_choice_are_compared_with_the_first_of_the_engine_and_with_chance(
    reviewed: Game, alice: User
) -> None:
    found = likeness_of(alice)
    assert found is not None
    colour = {move.number: move.colour for move in reviewed.moves.all()}
    chosen = [each for each in findings(reviewed, 0) if each.legal[colour[each.number]] > 1]
    assert (found.games, found.moves) == (1, len(chosen))
    assert found.same == sum(each.best[0].placement == each.played.placement for each in chosen)
    assert found.chance == pytest.approx(sum(1 / each.legal[colour[each.number]] for each in chosen))
    assert found.others > 0


def test_who_plays_what_the_engine_wants_is_found_and_a_stand_ins_moves_are_not_theirs(
    reviewed: Game, alice: User
) -> None:
    review = Review.objects.get(game=reviewed)
    for each in review.findings:
        if each["seat"] == 0:
            each["best"][0] = each["played"]
    review.save()
    found = likeness_of(alice)
    assert found is not None
    assert found.same == found.moves > 0
    Move.objects.filter(game=reviewed, seat=0, number__gt=3).update(bot="sage-4")
    fewer = likeness_of(alice)
    assert fewer is not None
    assert 0 < fewer.moves < found.moves


def test_there_is_nothing_to_say_without_a_rated_game_that_was_reviewed(alice: User, bob: User) -> None:
    assert likeness_of(alice) is None
    recorded.reviewed(alice, recorded.finished(alice, bob, variant="duo"))
    Game.objects.update(is_rated=False)
    assert likeness_of(alice) is None


def test_moderators_read_it_in_the_case_and_the_public_nowhere(
    reviewed: Game, alice: User, bob: User, judge: User, log_in: LogIn
) -> None:
    report_player(bob, "alice", reason="other", words="Too good.")
    case = " ".join(read(with_factor(judge, log_in).get(f"/moderation/cases/{alice.pk}/")).text.split())
    assert "In 1 rated game with a review" in case
    assert "in 95 cases out of 100" in case
    assert "no measure follows from it" in case
    assert Player.objects.filter(game=reviewed).count() == 2
    for browser in (log_in(alice), log_in(bob)):
        for page in ("/players/alice/", f"/games/{reviewed.slug}/review/"):
            assert "first choice" not in browser.get(page).content.decode()


def rated(*people: User, number: int = 1) -> list[Game]:
    """Return finished rated games of these people without a review, the first of them first."""
    games = [recorded.finished(*people, variant="duo") for _ in range(number)]
    Game.objects.filter(pk__in=[game.pk for game in games]).update(is_rated=True)
    return games


def case_of(browser: Client, person: User) -> str:
    return " ".join(read(browser.get(f"/moderation/cases/{person.pk}/")).text.split())


def asked(browser: Client, person: User) -> str:
    """Press the button that asks for reviews and return what the page says then."""
    answer = browser.post(f"/moderation/cases/{person.pk}/reviews/", follow=True)
    return " ".join(read(answer).text.split())


def test_a_moderator_asks_for_reviews_of_the_latest_rated_games_that_have_none(
    reviewed: Game, alice: User, bob: User, desk: Client
) -> None:
    games = rated(alice, bob, number=2)
    friendly = recorded.finished(alice, bob, variant="duo")
    Game.objects.filter(pk=friendly.pk).update(is_rated=False)
    report_player(bob, "alice", reason="other")
    page = case_of(desk, alice)
    assert "Of the latest rated games, these have a review: 1 of 3." in page
    assert "Review 2 games" in page

    page = asked(desk, alice)
    assert "2 games are going to be reviewed." in page
    assert "these have a review: 1 of 3. Being reviewed: 2." in page
    assert "Review 2 games" not in page
    made = Review.objects.exclude(game=reviewed)
    assert {(each.game_id, each.status, each.asked_by_id) for each in made} == {
        (game.pk, ReviewStatus.WAITING, None) for game in games
    }
    assert "All these games have a review already." in asked(desk, alice)
    assert Review.objects.count() == 3


def test_the_engine_judges_them_and_the_case_says_what_it_found(alice: User, bob: User, desk: Client) -> None:
    (game,) = rated(alice, bob)
    report_player(bob, "alice", reason="other")
    with test.TestCase.captureOnCommitCallbacks(execute=True):
        asked(desk, alice)
    review = Review.objects.get(game=game)
    assert ("go_on_reviewing", [review.pk, 0]) in jobs()
    done: int | None = 0
    while done is not None:
        done = continue_review(review.pk, done)
    page = case_of(desk, alice)
    assert "In 1 rated game with a review" in page
    assert "these have a review: 1 of 1." in page


@pytest.mark.parametrize("status", [ReviewStatus.CANCELLED, ReviewStatus.FAILED])
def test_a_review_that_was_cancelled_or_has_failed_is_asked_for_again(
    status: ReviewStatus, alice: User, bob: User, desk: Client
) -> None:
    (game,) = rated(alice, bob)
    report_player(bob, "alice", reason="other")
    asked(desk, alice)
    Review.objects.update(status=status)
    assert "these have a review: 0 of 1. Review 1 game" in case_of(desk, alice)
    assert "1 game is going to be reviewed." in asked(desk, alice)
    assert [(each.game_id, each.status, each.round) for each in Review.objects.all()] == [
        (game.pk, ReviewStatus.WAITING, 2)
    ]


def test_a_review_that_a_player_asked_for_stays_theirs_when_a_moderator_asks_again(
    alice: User, bob: User, desk: Client
) -> None:
    (game,) = rated(alice, bob)
    ask_for_review(alice, game.slug)
    Review.objects.update(status=ReviewStatus.FAILED)
    report_player(bob, "alice", reason="other")
    asked(desk, alice)
    assert [(each.asked_by, each.status) for each in Review.objects.all()] == [(alice, ReviewStatus.WAITING)]


def test_no_more_than_the_latest_twenty_games_are_asked_for(alice: User, bob: User, desk: Client) -> None:
    games = rated(alice, bob, number=GAMES_COMPARED + 2)
    for number, game in enumerate(games):
        Player.objects.filter(game=game).update(ended_at=NOON + timedelta(hours=number))
    report_player(bob, "alice", reason="other")
    asked(desk, alice)
    assert set(Review.objects.values_list("game", flat=True)) == {game.pk for game in games[2:]}


def test_of_somebody_without_a_rated_game_it_is_said_that_there_is_nothing_to_compare(
    alice: User, bob: User, desk: Client, settings: Any
) -> None:
    report_player(bob, "alice", reason="other")
    page = case_of(desk, alice)
    assert "No rated game of this player is over: there is nothing to compare." in page
    assert "/reviews/" not in desk.get(f"/moderation/cases/{alice.pk}/").content.decode()
    settings.RATINGS = False
    assert "nothing to compare" not in case_of(desk, alice)


def test_no_reviews_are_asked_for_without_an_open_report_nor_by_who_has_no_such_case(
    alice: User, bob: User, carol: User, judge: User, desk: Client, log_in: LogIn
) -> None:
    rated(alice, bob)
    address = f"/moderation/cases/{alice.pk}/reviews/"
    assert (desk.post(address).status_code, desk.get(address).status_code) == (409, 405)
    assert "Review 1 game" not in case_of(desk, alice)
    report_player(judge, "alice", reason="other")
    assert desk.post(address).status_code == 404
    report_player(bob, "alice", reason="other")
    assert [each.post(address).status_code for each in (desk, log_in(bob), log_in(alice), Client())] == [404] * 4
    assert desk.post("/moderation/cases/999999/reviews/").status_code == 404
    User.objects.filter(pk=carol.pk).update(is_moderator=True)
    assert with_factor(carol, log_in).post(address).status_code == 302
    assert Review.objects.count() == 1


def test_a_moderator_who_asks_for_case_after_case_is_told_to_wait(
    alice: User, bob: User, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated(alice, bob)
    report_player(bob, "alice", reason="other")
    monkeypatch.setattr(counting, "CASE_REVIEWS_AN_HOUR", 1)
    address = f"/moderation/cases/{alice.pk}/reviews/"
    assert [desk.post(address).status_code for _ in range(2)] == [302, 429]


@pytest.mark.parametrize(
    ("same", "moves", "low", "high"), [(3, 6, 19, 81), (0, 5, 0, 43), (5, 5, 57, 100), (150, 300, 44, 56)]
)
def test_how_sure_the_share_is_from_so_many_moves_is_said(same: int, moves: int, low: int, high: int) -> None:
    likeness = Likeness(games=2, moves=moves, same=same, chance=0.4, others=0, others_same=0)
    told = likeness_text(likeness)
    assert f"in 95 cases out of 100 the player's usual share lies between {low}% and {high}%." in told
    # The arena's, which counts games, knows the same interval.
    _share, *bounds = wilson_interval([1.0] * same + [0.0] * (moves - same))
    assert likeness.usual_share == pytest.approx(bounds)
    with translation.override("fr"):
        assert f"dans 95 cas sur 100, la part habituelle de la personne est entre {low} % et {high} %" in (
            likeness_text(likeness).replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
        )


def test_nothing_is_said_of_others_who_have_placed_nothing_nor_of_somebody_who_has_not() -> None:
    alone = Likeness(games=1, moves=4, same=2, chance=0.4, others=0, others_same=0)
    assert "50%" in likeness_text(alone)
    assert "others" not in likeness_text(alone)
    assert "others" in likeness_text(replace(alone, others=4))
    assert likeness_text(replace(alone, moves=0, same=0, chance=0.0)) == ""
