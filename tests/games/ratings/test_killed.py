"""A fit that is killed in the middle of storing leaves the old ratings whole, and the next one goes through."""

import signal
import subprocess
import sys

import pytest
from django.utils import timezone

from accounts.models import User
from games.actions.ratings.rate_family import rate_family
from games.audit.ratings import faults_of_ratings
from games.base.rated import ratings_due
from games.models import PlayerRating, RatedFamily, RatedSeat
from tests.games.ratings.test_course import lost
from tests.games.tasks.workers import surroundings

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def stored() -> list[list[tuple[object, ...]]]:
    return [list(model.objects.order_by("pk").values_list()) for model in (PlayerRating, RatedFamily, RatedSeat)]


@pytest.mark.parametrize("step", ["begun", "half", "written"])
def test_a_fit_that_is_killed_leaves_the_old_ratings_whole(step: str, alice: User, bob: User, carol: User) -> None:
    lost(alice, bob)
    rate_family("duo", now=timezone.now())
    lost(bob, carol, 1)
    before = stored()
    fit = subprocess.run(
        [sys.executable, "-m", "tests.games.ratings.killed", step], env=surroundings(), check=False, timeout=120
    )
    assert fit.returncode == -signal.SIGKILL
    assert stored() == before
    assert list(faults_of_ratings()) == []
    assert rate_family("duo", now=timezone.now()).games == 2
    assert RatedFamily.objects.get(pk="duo").fits == 2
    assert list(faults_of_ratings()) == []
    assert "duo" not in ratings_due(timezone.now())
