"""How far a review is stands in a column of its own: what only asks for it loads nothing that was found."""

from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.actions.analysis.ask_for_review import ask_for_review
from games.actions.analysis.keep_findings import keep_findings
from games.bots.reviewer import continue_review
from games.models import Game, Review
from games.queries.analysis import advising
from games.queries.analysis.advising import review_work, reviews_due
from games.queries.analysis.progress import review_told
from games.rules import Placement, Variant

pytestmark = pytest.mark.django_db


@pytest.fixture
def review(alice: User, game: Game) -> Review:
    """Return a review of which two positions are judged."""
    ask_for_review(alice, game.slug)
    review = Review.objects.get()
    assert (continue_review(review.pk, 0), continue_review(review.pk, 1)) == (1, 2)
    review.refresh_from_db()
    return review


def test_it_is_kept_with_what_was_found(review: Review) -> None:
    assert (review.done, len(review.findings)) == (2, 2)


def test_what_asks_how_far_it_is_loads_nothing_that_was_found(review: Review, alice: User, game: Game) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert reviews_due(timezone.now() + timedelta(minutes=1)) == {(review.pk, 2)}
        assert review_told(game, alice).done == 2
        assert review_work(review.pk, 2)
    plain = [each["sql"].replace('THEN "games_review"."findings"', "") for each in asked.captured_queries]
    assert [sql for sql in plain if '"findings"' in sql] == []


def test_a_job_reads_the_placements_it_may_judge_and_no_others(review: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    read, parse = list[str](), Placement.parse

    def noted(text: str, variant: Variant) -> Placement:
        read.append(text)
        return parse(text, variant)

    monkeypatch.setattr(advising, "AT_A_TIME", 1)
    monkeypatch.setattr(advising, "Placement", SimpleNamespace(parse=noted))
    work = review_work(review.pk, 2)
    assert work
    assert len(work.places) == len(read) == 1
    assert work.places[0].number > review.findings[-1]["number"]


def test_what_an_older_release_has_added_is_counted_when_its_review_goes_on(review: Review) -> None:
    # It knows nothing of the column.
    Review.objects.update(done=1)
    assert reviews_due(timezone.now() + timedelta(minutes=1)) == {(review.pk, 1)}
    assert keep_findings(review.pk, of_round=review.round, done=1, findings=()) is None
    assert reviews_due(timezone.now() + timedelta(minutes=1)) == {(review.pk, 2)}
    assert continue_review(review.pk, 2) == 3


def test_reviews_of_before_are_counted_by_the_migration(review: Review) -> None:
    Review.objects.update(done=0)
    fill = import_module("games.migrations.0044_fill_review_done").fill
    fill(apps, SimpleNamespace(connection=connection))
    review.refresh_from_db()
    assert review.done == 2
