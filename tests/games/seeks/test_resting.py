"""A standing seek rests once its person is away, and takes nothing from its person that is not the site's to take."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.signals import pre_save
from django.utils import timezone

from accounts.models import User, Welcome
from games.actions.seeks.seat_seeker import seat_seeker
from games.actions.tables.edit_table import edit_table
from games.actions.tables.join_game import join_game
from games.base.terms import TableTerms
from games.clock import PACES
from games.models import Game, Seek, Status
from games.queries.tables.seeks import seeks_of
from tests.games.seeks.test_seating import seated, seek, table
from tests.games.tables import fresh
from tests.games.tasks.workers import run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_table_that_its_person_has_changed_is_theirs_and_not_given_up(alice: User, bob: User, carol: User) -> None:
    for change in ({"time": PACES["slow"]}, {"is_public": False}):
        Game.objects.all().delete()
        Seek.objects.all().delete()
        row = seek(alice)
        run_jobs()
        (own,) = seated(alice)
        edit_table(alice, own.slug, TableTerms.of(own, **change))
        private = table(bob, is_public=False)
        join_game(alice, private.slug, token=private.invite_token)
        table(carol)
        run_jobs()
        assert seat_seeker(row.pk) is None
        assert fresh(own).status == Status.OPEN
        assert {game.pk for game in seated(alice)} == {own.pk, private.pk}


def test_a_seek_is_changed_while_the_table_that_was_opened_for_it_last_is_deleted(alice: User) -> None:
    row = seek(alice)
    run_jobs()

    def delete(**_signal: Any) -> None:
        Seek.objects.update(table=None)
        Game.objects.all().delete()

    pre_save.connect(delete, sender=Seek)
    try:
        seek(alice, 2)
    finally:
        pre_save.disconnect(delete, sender=Seek)
    assert (Seek.objects.get(pk=row.pk).table_id, Seek.objects.get().number) == (None, 2)


def test_until_when_it_rests_is_told_of_nothing_but_a_table_that_was_left(alice: User) -> None:
    seek(alice)
    Seek.objects.update(rests_until=timezone.now() - timedelta(days=1), set_at=timezone.now() - timedelta(days=30))
    User.objects.filter(pk=alice.pk).update(invited_by=Welcome.NO_ONE)
    (state,) = seeks_of(User.objects.get(pk=alice.pk), timezone.now())
    assert (state.rest, state.until) == ("no-one", None)
