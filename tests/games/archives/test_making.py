"""Making an archive: late, twice, by a worker that is killed, on a disk that is full; half of one is never there."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import OperationalError
from django.utils import timezone

from accounts.erasure import close_account
from accounts.models import Mail, User
from games import tasks
from games.actions.archives import keep_archive
from games.actions.archives.ask_for_archive import ask_for_archive
from games.actions.archives.drop_archives import drop_archives
from games.actions.archives.keep_archive import MOST_TRIES
from games.archives import making
from games.background.sweep import sweep
from games.background.upkeep import Upkeep
from games.base.archives import ARCHIVE_EVERY, SILENCE, is_there
from games.errors import TooMany
from games.models import Archive, ArchivePart
from games.queries.archives.made import bytes_of
from tests.games.tables import play_out, running
from tests.games.tasks.workers import forget_jobs, jobs, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


class Killed(BaseException):
    """What takes a worker along: nothing after it runs."""


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.archives.parts.PART_SIZE", 500)


@pytest.fixture
def player(alice: User, bob: User, small_parts: None) -> User:
    play_out(running(alice, bob, variant="duo"))
    return alice


def asked(user: User, now: datetime | None = None) -> Archive:
    return ask_for_archive(user, language="en", now=now)


def failing_after(parts: int, error: BaseException) -> Callable[..., None]:
    """Return what stores so many parts, and then fails."""
    keep, kept = keep_archive.keep_part, iter(range(parts))

    def fail(*args: Any, **more: Any) -> None:
        if next(kept, None) is None:
            raise error
        keep(*args, **more)

    return fail


@pytest.fixture
def fail_after(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int, BaseException], None]]:
    yield lambda parts, error: monkeypatch.setattr(making, "keep_part", failing_after(parts, error))
    monkeypatch.undo()


def test_a_job_makes_it_and_the_person_is_told(player: User) -> None:
    archive = asked(player)
    assert jobs().count(("make_archive", [archive.pk, 0])) == 1
    run_jobs()
    archive.refresh_from_db()
    player.refresh_from_db()
    assert (is_there(archive, timezone.now()), player.has_archive, archive.due_at) == (True, True, None)
    assert len(b"".join(bytes_of(archive))) == archive.size > 500


def test_the_same_job_twice_makes_it_once(player: User) -> None:
    archive = asked(player)
    assert tasks.make_archive.func(archive.pk, 0)
    made = Archive.objects.get().made_at
    assert not tasks.make_archive.func(archive.pk, 0)
    assert not tasks.make_archive.func(archive.pk, 1)
    assert Archive.objects.get().made_at == made


def test_a_second_one_on_the_same_day_is_refused_with_what_to_do(player: User) -> None:
    first = asked(player)
    run_jobs()
    with pytest.raises(TooMany) as refused:
        asked(player)
    assert "once a day" in str(refused.value)
    assert 0 < refused.value.retry_after <= 24 * 3600
    assert Archive.objects.get() == first
    assert asked(player, now=first.asked_at + ARCHIVE_EVERY).pk != first.pk
    assert not ArchivePart.objects.exists()


def test_a_job_that_was_lost_is_asked_for_again(player: User) -> None:
    archive = asked(player)
    forget_jobs()
    sweep(timezone.now() + timedelta(seconds=10))
    assert ("make_archive", [archive.pk, 0]) in jobs()


def test_a_worker_that_is_killed_leaves_nothing_that_is_there_and_the_next_begins_anew(
    player: User, fail_after: Callable[[int, BaseException], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = asked(player)
    fail_after(2, Killed())
    with pytest.raises(Killed):
        tasks.make_archive.func(archive.pk, 0)
    archive.refresh_from_db()
    assert ArchivePart.objects.count() == 2
    assert not is_there(archive, timezone.now())
    monkeypatch.undo()
    forget_jobs()
    assert sweep(timezone.now() + timedelta(seconds=30)).archives == 0
    assert sweep(timezone.now() + SILENCE + timedelta(seconds=30)).archives == 1
    run_jobs()
    archive.refresh_from_db()
    assert is_there(archive, timezone.now())
    assert {*ArchivePart.objects.values_list("attempt", flat=True)} == {2}
    assert b"".join(bytes_of(archive))[:2] == b"PK"


def test_a_full_disk_leaves_nothing_and_it_is_tried_again_soon(
    player: User, fail_after: Callable[[int, BaseException], None]
) -> None:
    archive = asked(player)
    fail_after(2, OperationalError("database or disk is full"))
    with pytest.raises(OperationalError):
        tasks.make_archive.func(archive.pk, 0)
    archive.refresh_from_db()
    assert not ArchivePart.objects.exists()
    assert (archive.made_at, archive.has_failed) == (None, False)
    assert archive.due_at is not None
    assert archive.due_at < timezone.now() + timedelta(minutes=2)


def test_after_some_tries_it_has_failed_and_may_be_asked_for_again_at_once(
    player: User, fail_after: Callable[[int, BaseException], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = asked(player)
    fail_after(0, OperationalError("database or disk is full"))
    for tries in range(MOST_TRIES):
        with pytest.raises(OperationalError):
            tasks.make_archive.func(archive.pk, tries)
    archive.refresh_from_db()
    assert archive.has_failed
    monkeypatch.undo()
    assert asked(player).pk != archive.pk
    forget_jobs()


def test_workers_that_are_killed_again_and_again_do_not_try_for_ever(player: User) -> None:
    archive = asked(player)
    Archive.objects.update(tries=MOST_TRIES)
    assert not tasks.make_archive.func(archive.pk, MOST_TRIES)
    archive.refresh_from_db()
    assert archive.has_failed


def test_a_try_that_was_taken_for_dead_adds_nothing_to_the_next(player: User) -> None:
    archive = asked(player)
    Archive.objects.update(tries=2)
    with pytest.raises(keep_archive.ArchiveLostError):
        keep_archive.keep_part(archive.pk, 1, 0, b"late", now=timezone.now())
    with pytest.raises(keep_archive.ArchiveLostError):
        keep_archive.keep_archive(archive, 1, parts=1, size=4, mail=None, now=timezone.now())
    assert not ArchivePart.objects.exists()


def test_an_account_that_is_closed_meanwhile_gets_none(
    player: User, fail_after: Callable[[int, BaseException], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = asked(player)
    keep = keep_archive.keep_part

    def close_first(*args: Any, **more: Any) -> None:
        close_account(player)
        keep(*args, **more)

    monkeypatch.setattr(making, "keep_part", close_first)
    assert not tasks.make_archive.func(archive.pk, 0)
    assert not Archive.objects.exists()
    assert not ArchivePart.objects.exists()


def test_it_is_kept_for_a_day_and_no_longer(player: User) -> None:
    archive = asked(player)
    run_jobs()
    made = Archive.objects.get().made_at
    assert made is not None
    assert drop_archives(made + timedelta(hours=23), 50) == 0
    assert Upkeep().tidy(made + timedelta(days=1, seconds=1)).archives == 1
    player.refresh_from_db()
    assert (Archive.objects.count(), ArchivePart.objects.count(), player.has_archive) == (0, 0, False)
    assert archive.pk


def test_one_that_is_still_being_made_is_not_dropped(player: User) -> None:
    asked(player)
    assert drop_archives(timezone.now() + timedelta(days=3), 50) == 0
    forget_jobs()


@pytest.mark.usefixtures("small_parts")
def test_who_has_confirmed_an_address_gets_an_e_mail_in_their_language(alice: User, settings: Any) -> None:
    settings.EMAIL_IS_SET = True
    alice.emailaddress_set.create(email=alice.email, verified=True, primary=True)
    User.objects.filter(pk=alice.pk).update(language="fr")
    asked(alice)
    tasks.make_archive.func(Archive.objects.get().pk, 0)
    letter = Mail.objects.get()
    assert letter.to == alice.email
    assert "Le fichier de vos données est prêt" in letter.subject
    assert "/data/" in letter.body
    assert not mail.outbox
