"""How far a review is stands in a column of its own, and what it has found in rows: a step writes no more than that."""

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
from games.audit.reviews import faults_of_reviews
from games.bots.reviewer import BEST, continue_review
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


def finish(review: Review) -> None:
    """Judge all positions that are left, and read the review again."""
    done: int | None = review.done
    while done is not None:
        done = continue_review(review.pk, done)
    review.refresh_from_db()


def as_before(review: Review) -> None:
    """Keep what was found as releases did that knew no other place than the review's own row."""
    review.findings = list(review.parts.values_list("finding", flat=True))
    review.save()
    review.parts.all().delete()


def test_what_was_found_is_kept_beside_it_until_it_is_done(review: Review) -> None:
    assert (review.done, review.parts.count(), review.findings) == (2, 2, [])
    numbers = list(review.parts.values_list("number", flat=True))
    finish(review)
    assert (review.status, review.done, review.parts.count()) == ("done", review.total, 0)
    found = [finding["number"] for finding in review.findings]
    assert (found, found[:2], len(found)) == (sorted(found), numbers, review.total)


def test_a_step_writes_and_reads_nothing_that_was_found_before(review: Review) -> None:
    for done in (2, 5):
        while review.done < done:
            review.done = continue_review(review.pk, review.done) or 0
        with CaptureQueriesContext(connection) as asked:
            assert continue_review(review.pk, done) == done + 1
        review.refresh_from_db()
        written = [each["sql"] for each in asked.captured_queries if each["sql"].startswith(("INSERT", "UPDATE"))]
        assert sum(sql.count('"placement"') for sql in written) == BEST + 1
        assert [sql for sql in written if "findings" in sql] == []
        assert [each["sql"] for each in asked.captured_queries if '"finding"' in each["sql"].split("FROM")[0]] == [
            sql for sql in written if sql.startswith("INSERT")
        ]


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
    assert len(work.placements) == len(read) == 1
    assert work.placements[0].number > max(review.parts.values_list("number", flat=True))


def test_what_an_older_release_has_added_is_counted_when_its_review_goes_on(review: Review) -> None:
    # It knows nothing of the column, nor of the rows.
    as_before(review)
    Review.objects.update(done=1)
    assert reviews_due(timezone.now() + timedelta(minutes=1)) == {(review.pk, 1)}
    assert keep_findings(review.pk, of_round=review.round, done=1, findings=()) is None
    assert reviews_due(timezone.now() + timedelta(minutes=1)) == {(review.pk, 2)}
    assert continue_review(review.pk, 2) == 3
    assert Review.objects.get().findings == []


def test_a_review_that_an_older_release_has_begun_goes_on_and_ends(review: Review) -> None:
    as_before(review)
    first = review.findings
    finish(review)
    assert (review.status, len(review.findings), review.findings[:2]) == ("done", review.total, first)


def test_what_an_older_release_finds_once_more_is_not_kept_twice(review: Review) -> None:
    # It takes the empty column for nothing done, and judges the first position again.
    review.findings, review.done = [review.parts.values_list("finding", flat=True)[0]], 1
    review.save()
    assert continue_review(review.pk, 1) is None
    review.refresh_from_db()
    assert (review.done, review.parts.count(), review.findings) == (2, 2, [])
    finish(review)
    assert len({finding["number"] for finding in review.findings}) == review.total


def test_the_audit_finds_and_mends_a_review_that_says_otherwise_than_what_was_found(review: Review) -> None:
    assert list(faults_of_reviews(repairs=False)) == []
    Review.objects.update(done=7)
    [fault] = faults_of_reviews(repairs=True)
    assert (fault.slug, fault.stored, fault.rebuilt) == (review.game.slug, 7, 2)
    assert list(faults_of_reviews(repairs=True)) == []
    assert Review.objects.get().done == 2


def test_the_audit_finds_and_takes_away_what_is_left_of_a_review_that_is_done(review: Review) -> None:
    Review.objects.update(status="done")
    [fault] = faults_of_reviews(repairs=True)
    assert fault.stored == 2
    assert review.parts.count() == 0
    assert list(faults_of_reviews(repairs=True)) == []


def test_the_audit_knows_a_review_that_an_older_release_has_begun(review: Review) -> None:
    as_before(review)
    assert list(faults_of_reviews(repairs=False)) == []


def test_reviews_of_before_are_counted_by_the_migration(review: Review) -> None:
    as_before(review)
    Review.objects.update(done=0)
    fill = import_module("games.migrations.0044_fill_review_done").fill
    fill(apps, SimpleNamespace(connection=connection))
    review.refresh_from_db()
    assert review.done == 2
