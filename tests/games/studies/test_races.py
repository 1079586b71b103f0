"""Those who write in one study do so at one instant: one is kept, the others are told, and nothing is lost or twice."""

import random
from collections.abc import Callable
from functools import partial

import pytest

from accounts.models import User
from games.actions.people.follow_person import follow_person
from games.actions.studies.add_editor import add_editor
from games.actions.studies.add_variation import add_variation
from games.actions.studies.create_study import create_study
from games.actions.studies.name_variation import name_variation
from games.actions.studies.remove_editor import remove_editor
from games.actions.studies.remove_variation import remove_variation
from games.actions.studies.undo_variation import undo_variation
from games.actions.studies.write_comment import write_comment
from games.errors import GameError, NotFound, WrongStatus
from games.models import Study, StudyComment
from games.rules import Position
from games.rules.records import GameRecord
from games.table import records
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.proof import proof

pytestmark = pytest.mark.django_db(transaction=True)

PLACEMENTS = [str(each) for each in Position.start("duo").legal_placements()]


def written_together() -> tuple[User, User, Study]:
    """Return the owner of a study with one variation, one who writes in it too, and the study."""
    alice, bob = person("alice"), person("bob")
    study = create_study(alice, GameRecord.of(Position.start("duo")))
    follow_person(alice, "bob")
    add_editor(alice, study.slug, "bob")
    add_variation(alice, study.slug, move=0, placement=PLACEMENTS[0], edition=study.edition)
    return alice, bob, fresh(study)


def fresh(study: Study) -> Study:
    return Study.objects.get(pk=study.pk)


def turns(study: Study) -> list[str]:
    return [one.turn for one in records.stored(fresh(study).record).varied]


@pytest.mark.parametrize("rounds", [4, *proof(100)])
def test_of_two_moves_tried_at_one_instant_one_is_kept_and_the_other_after_it(rounds: int) -> None:
    alice, bob, study = written_together()
    for number in range(1, rounds + 1):
        seen, texts = fresh(study).edition, PLACEMENTS[2 * number - 1 : 2 * number + 1]
        calls = [
            partial(add_variation, user, study.slug, move=0, placement=text, edition=seen)
            for user, text in zip((alice, bob), texts, strict=True)
        ]
        found = at_once(calls)
        late = [at for at, error in enumerate(found) if isinstance(error, WrongStatus)]
        assert [error.code for error in found if isinstance(error, WrongStatus)] == ["study-changed"]
        assert turns(study)[-1] == texts[1 - late[0]]
        # Who is told that the study has changed looks again, and tries again.
        user = (alice, bob)[late[0]]
        add_variation(user, study.slug, move=0, placement=texts[late[0]], edition=fresh(study).edition)
    assert sorted(turns(study)) == sorted(PLACEMENTS[: 2 * rounds + 1])
    assert fresh(study).edition == 2 + 2 * rounds


@pytest.mark.parametrize("seed", [*range(6), *proof(*range(6, 100))])
def test_whatever_two_do_at_one_instant_one_of_it_is_done_whole(seed: int) -> None:
    alice, bob, study = written_together()
    before, seen = turns(study), study.edition

    def acts(user: User, text: str) -> dict[str, Callable[[], object]]:
        slug = study.slug
        return {
            "comment": lambda: write_comment(user, slug, move=1, branch=1, text=f"From {user.username}", edition=seen),
            "add": lambda: add_variation(user, slug, move=0, placement=text, edition=seen),
            "name": lambda: name_variation(user, slug, branch=1, name=user.username, edition=seen),
            "remove": lambda: remove_variation(user, slug, branch=1, edition=seen),
            "undo": lambda: undo_variation(user, slug, edition=seen),
        }

    rng = random.Random(seed)
    one, other = rng.choice([*acts(alice, "")]), rng.choice([*acts(bob, "")])
    found = at_once([acts(alice, PLACEMENTS[1])[one], acts(bob, PLACEMENTS[2])[other]])
    errors = [error for error in found if isinstance(error, GameError)]
    assert [error.code for error in errors] == ["study-changed"], (one, other)
    done = other if found[0] is errors[0] else one
    user = bob if found[0] is errors[0] else alice
    kept = records.stored(fresh(study).record)
    assert fresh(study).edition == seen + 1
    assert [comment.author for comment in StudyComment.objects.all()] == [user] * (done == "comment")
    assert len(kept.varied) == len(before) + {"add": 1, "remove": -1, "undo": -1}.get(done, 0)
    assert [one.name for one in kept.varied[:1] if done == "name"] == [user.username] * (done == "name")


@pytest.mark.parametrize("_round", range(3))
def test_who_loses_the_right_at_that_instant_writes_before_or_not_at_all(_round: int) -> None:
    alice, bob, study = written_together()
    found = at_once(
        [
            lambda: add_variation(bob, study.slug, move=0, placement=PLACEMENTS[1], edition=study.edition),
            lambda: remove_editor(alice, study.slug, "bob"),
        ]
    )
    assert not isinstance(found[1], Exception)
    assert isinstance(found[0], NotFound) == (turns(study) == PLACEMENTS[:1])
    with pytest.raises(NotFound):
        add_variation(bob, study.slug, move=0, placement=PLACEMENTS[3], edition=fresh(study).edition)
