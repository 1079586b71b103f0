"""The job that fits ratings at night is asked for again where it was lost, and once."""

import pytest
from django.utils import timezone

from accounts.models import User
from games.background.sweep import sweep
from games.models import PlayerRating, RatedFamily
from games.ratings.families import FAMILIES
from tests.games.ratings.games import lost
from tests.games.tasks.workers import forget_jobs, jobs, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_fit_that_was_lost_is_asked_for_again(alice: User, bob: User) -> None:
    lost(alice, bob)
    forget_jobs()
    now = timezone.now()
    assert sweep(now).ratings == 1
    assert [arguments[0] for name, arguments in jobs() if name == "refit_ratings"] == [FAMILIES.index("duo")]
    assert sweep(now).ratings == 0
    forget_jobs()
    assert sweep(now).ratings == 1
    run_jobs()

    assert RatedFamily.objects.get(pk="duo").fits == 1
    assert PlayerRating.objects.count() == 2
    assert sweep(timezone.now()).ratings == 0
