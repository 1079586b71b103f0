"""Asking for the review of a game, following it, cancelling it, and what a crash does to it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.background.sweep import sweep
from games.bots.engines.protocol import Engine
from games.bots.reviewer import continue_review, judge_position
from games.findings import Finding
from games.jobs import find_jobs
from games.models import Game, Move, Review
from games.queries.analysis.advising import JudgedPlacement
from tests.conftest import LogIn
from tests.games.bots.fakes import Broken, Endless
from tests.games.play.pages import read
from tests.games.tables import running
from tests.games.tasks.workers import forget_jobs, jobs, make_failed, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def ask(client: Client, game: Game) -> None:
    assert client.post(f"/games/{game.slug}/review/ask/").status_code == 302


def shown(client: Client, game: Game) -> str:
    """Return the text of the review's page."""
    return read(client.get(f"/games/{game.slug}/review/")).find(id="review").text


def work(review: Review, steps: int = 1) -> int:
    """Judge so many times one position; return how much is done then."""
    for _ in range(steps):
        review.refresh_from_db()
        continue_review(review.pk, review.done)
    review.refresh_from_db()
    return review.done


def to_judge(game: Game) -> int:
    return Move.objects.filter(game=game, kind="place").count()


def test_a_finished_game_offers_its_review(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    address = f"/games/{game.slug}/review/"
    assert read(client.get(f"/games/{game.slug}/")).find_all("a", href=address)
    assert read(client.get(f"/games/{game.slug}/replay/")).find_all("a", href=address)
    assert "Review this game" in shown(client, game)


def test_every_position_is_judged_a_few_at_a_time(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask(client, game)
    review = Review.objects.get()
    assert jobs()[-1] == ("go_on_reviewing", [review.pk, 0])
    run_jobs()
    review.refresh_from_db()
    done = [job for job in jobs("SUCCESSFUL") if job[0] == "go_on_reviewing"]
    assert (review.status, len(review.findings), len(done)) == ("done", to_judge(game), to_judge(game))


def test_how_far_it_is_is_shown_and_fetched_anew(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask(client, game)
    work(Review.objects.get(), 3)
    assert f"3 of {to_judge(game)} positions analysed" in shown(client, game)
    part = read(client.get(f"/games/{game.slug}/review/", HTTP_HX_REQUEST="true"))
    bar = part.find("progress")
    assert (bar["value"], bar["max"]) == ("3", str(to_judge(game)))
    assert part.find("section")["hx-trigger"] == "every 1s"


def test_asking_twice_is_asking_once(alice: User, bob: User, game: Game, log_in: LogIn) -> None:
    for user in (alice, bob):
        ask(log_in(user), game)
    assert Review.objects.count() == len([job for job in jobs() if job[0] == "go_on_reviewing"]) == 1


def test_a_cancelled_review_stops_and_goes_on_where_it_was(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask(client, game)
    review = Review.objects.get()
    work(review, 2)
    assert client.post(f"/games/{game.slug}/review/cancel/").status_code == 302
    assert work(review) == 2
    assert "The review was cancelled" in shown(client, game)
    ask(client, game)
    assert work(review) == 3


def test_what_was_thought_before_it_was_cancelled_is_not_added(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = log_in(alice)
    ask(client, game)
    review = Review.objects.get()

    def judge_late(engine: Engine, judged: JudgedPlacement) -> Finding:
        client.post(f"/games/{game.slug}/review/cancel/")
        ask(client, game)
        return judge_position(engine, judged)

    monkeypatch.setattr("games.bots.reviewer.judge_position", judge_late)
    assert (continue_review(review.pk, 0), work(review, 0)) == (None, 0)


def test_a_job_that_runs_twice_adds_nothing_twice(alice: User, game: Game, log_in: LogIn) -> None:
    ask(log_in(alice), game)
    review = Review.objects.get()
    assert (continue_review(review.pk, 0), continue_review(review.pk, 0), continue_review(review.pk, 7)) == (
        1,
        None,
        None,
    )
    assert work(review, 0) == 1


def test_others_may_not_cancel_it_but_its_players_may(
    alice: User, bob: User, eve: User, mallory: User, game: Game, log_in: LogIn
) -> None:
    ask(log_in(eve), game)
    cancel = f"/games/{game.slug}/review/cancel/"
    assert log_in(mallory).post(cancel).status_code == 403
    assert "Cancel" not in shown(log_in(mallory), game)
    assert "Cancel" in shown(log_in(bob), game)
    assert log_in(bob).post(cancel).status_code == 302


def test_an_engine_that_fails_breaks_it_off(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = log_in(alice)
    ask(client, game)
    monkeypatch.setattr("games.bots.reviewer.strong_engine", Broken)
    run_jobs()
    assert Review.objects.get().status == "failed"
    assert "The review failed" in shown(client, game)
    assert game.slug in caplog.text


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        ("running", "The game is being reviewed"),
        ("cancelled", "The review was cancelled"),
        ("failed", "The review failed"),
    ],
)
def test_what_becomes_of_it_is_said_to_whoever_waits(
    status: str, sentence: str, alice: User, game: Game, log_in: LogIn
) -> None:
    client = log_in(alice)
    ask(client, game)
    Review.objects.update(status=status)
    part = read(client.get(f"/games/{game.slug}/review/", headers={"HX-Request": "true"}))
    assert part.find(role="status").text == sentence


def test_a_machine_that_is_too_busy_is_tried_again_later(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(log_in(alice), game)
    monkeypatch.setattr("games.bots.reviewer.strong_engine", Endless)
    monkeypatch.setattr("games.bots.reviewer.REVIEWING_SECONDS", 0.05)
    run_jobs()
    assert (Review.objects.get().status, jobs("FAILED")[0][0]) == ("waiting", "go_on_reviewing")
    assert sweep(timezone.now() + timedelta(seconds=30)).reviews == 1


def test_the_sweep_goes_on_with_what_a_crash_has_lost(alice: User, game: Game, log_in: LogIn) -> None:
    ask(log_in(alice), game)
    review = Review.objects.get()
    work(review, 2)
    forget_jobs()
    assert sweep(timezone.now()).reviews == 0
    assert sweep(timezone.now() + timedelta(seconds=16)).reviews == 1
    assert jobs() == [("go_on_reviewing", [review.pk, 2])]
    assert sweep(timezone.now() + timedelta(seconds=17)).reviews == 0


def test_a_review_that_takes_its_workers_with_it_is_given_up(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    ask(client, game)
    review, now = Review.objects.get(), timezone.now()
    [asked] = [job for job in find_jobs() if job.name == "go_on_reviewing"]
    for minutes in range(1, 6):
        make_failed(ended=now, began=now)
        sweep(now + timedelta(minutes=10 * minutes))
    review.refresh_from_db()
    assert (review.status, asked.arguments) == ("failed", (review.pk, 0))


def test_it_is_the_last_of_the_long_jobs(alice: User, game: Game, log_in: LogIn) -> None:
    ask(log_in(alice), game)
    [asked] = [job for job in find_jobs() if job.name == "go_on_reviewing"]
    assert (asked.queue, asked.priority < 0) == ("thinkers", True)


def test_only_a_game_that_is_over_has_one(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), log_in(alice)
    assert client.get(f"/games/{game.slug}/review/").status_code == 409
    assert client.post(f"/games/{game.slug}/review/ask/").status_code == 409


def test_it_can_be_asked_for_so_often_an_hour(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.REVIEWS_AN_HOUR", 1)
    client = log_in(alice)
    ask(client, game)
    assert client.post(f"/games/{game.slug}/review/ask/").status_code == 429
