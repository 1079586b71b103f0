"""What every outbox does: one worker sends, pauses grow, and what is closed waits no more."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import Mail
from accounts.outbox import Outbox
from games.models import DailyDigest

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
OUTBOX = Outbox(DailyDigest, MINUTE, 4 * MINUTE)


@pytest.fixture
def row(django_user_model: type) -> int:
    """Return a row that should have been sent a minute ago."""
    person = django_user_model._default_manager.create(username="anna")  # type: ignore[attr-defined]
    return DailyDigest.objects.create(user=person, day=NOON.date(), due_at=NOON - MINUTE).pk


def test_of_two_workers_one_claims_a_try(row: int) -> None:
    assert OUTBOX.due(NOON) == {(row, 0)}
    assert [OUTBOX.claim(row, 0, NOON), OUTBOX.claim(row, 0, NOON)] == [True, False]
    assert OUTBOX.due(NOON + MINUTE) == set()
    assert OUTBOX.due(NOON + 2 * MINUTE) == {(row, 1)}


def test_each_pause_is_twice_as_long_up_to_the_longest() -> None:
    assert [OUTBOX.pause_after(tries) // MINUTE for tries in (0, 1, 2, 3, 1000)] == [1, 2, 4, 4, 4]


def test_what_is_put_off_has_had_no_try(row: int) -> None:
    OUTBOX.put_off(row, 0, NOON + MINUTE)
    assert OUTBOX.due(NOON) == set()
    assert OUTBOX.claim(row, 0, NOON + MINUTE)
    OUTBOX.put_off(row, 0, NOON)
    assert OUTBOX.due(NOON + MINUTE) == set()


def test_what_is_closed_is_due_no_more_and_can_be_claimed_by_no_one(row: int) -> None:
    OUTBOX.close(row, NOON)
    assert DailyDigest.objects.get().sent_at == NOON
    assert (OUTBOX.due(NOON + timedelta(days=1)), OUTBOX.claim(row, 0, NOON)) == (set(), False)


def test_a_table_whose_rows_go_when_they_are_sent_is_an_outbox_too() -> None:
    mail = Mail.objects.create(kind="x", to="a@example.org", subject="", body="", posted_at=NOON, due_at=NOON)
    outbox = Outbox(Mail, MINUTE, MINUTE)
    assert outbox.claim(mail.pk, 0, NOON)
    mail.delete()
    assert outbox.due(NOON + timedelta(days=1)) == set()
