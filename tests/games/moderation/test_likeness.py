"""How often somebody has played what an engine would have: moderators read it in a case, and no one else anywhere."""

from dataclasses import replace

import pytest

from accounts.models import User
from games.actions.moderation.report_player import report_player
from games.findings import Finding
from games.models import Game, Move, Player, Review
from games.queries.moderation.likeness import Likeness, likeness_of
from games.words.ratings import likeness_text
from tests.conftest import LogIn
from tests.games import recorded
from tests.games.moderation.conftest import with_factor
from tests.games.play.pages import read
from tests.games.review.conftest import quick_engine as quick_engine

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
    assert "no measure follows from it" in case
    assert Player.objects.filter(game=reviewed).count() == 2
    for browser in (log_in(alice), log_in(bob)):
        for page in ("/players/alice/", f"/games/{reviewed.slug}/review/"):
            assert "first choice" not in browser.get(page).content.decode()


def test_nothing_is_said_of_others_who_have_placed_nothing_nor_of_somebody_who_has_not() -> None:
    alone = Likeness(games=1, moves=4, same=2, chance=0.4, others=0, others_same=0)
    assert "50%" in likeness_text(alone)
    assert "others" not in likeness_text(alone)
    assert "others" in likeness_text(replace(alone, others=4))
    assert likeness_text(replace(alone, moves=0, same=0, chance=0.0)) == ""
