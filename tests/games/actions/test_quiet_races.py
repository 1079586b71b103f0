"""What is said, tried, noted, written or planned at the instant of a move refuses nobody's move."""

import random
from datetime import timedelta
from functools import partial

import pytest

from accounts.models import User
from games.actions.analysis.extend_branch import extend_branch
from games.actions.analysis.name_branch import name_branch
from games.actions.analysis.remove_branch import remove_branch
from games.actions.analysis.undo_branch import undo_branch
from games.actions.moves.play_placement import play_placement
from games.actions.people.follow_person import follow_person
from games.actions.people.keep_note import keep_note
from games.actions.plans.set_plan import set_plan
from games.actions.studies.add_editor import add_editor
from games.actions.studies.create_study import create_study
from games.actions.studies.share_study import share_study
from games.actions.studies.write_comment import write_comment
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.actions.takebacks.drop_takeback_request import drop_takeback_request
from games.actions.talk.give_reaction import give_reaction
from games.actions.talk.send_message import send_message
from games.audit import checks as audit
from games.base import positions
from games.base.plans import PlannedMove, PlannedTurn, TurnPlan
from games.models import Analysis, Game, Move, Note, Player, Study
from games.rules import Position
from games.rules.records import GameRecord
from tests.conftest import person
from tests.games.actions.test_races import Call, at_once
from tests.games.tables import NOON, any_placement, due, fresh, key, play_out, running
from tests.proof import proof

pytestmark = pytest.mark.django_db(transaction=True)

#: A game between two is left after so many moves, so that everyone can place, and a study after so many comments.
MOVES, COMMENTS = 12, 50


@pytest.mark.parametrize("rounds", [10, *proof(500)])
def test_a_move_is_refused_for_nothing_that_is_said_tried_noted_or_planned_at_one_instant(rounds: int) -> None:
    rng, alice, bob = random.Random(9), person("alice"), person("bob")
    game, study = running(alice, bob, variant="duo"), new_study(alice)
    for turn in range(rounds):
        if fresh(game).move_count == MOVES:
            # Nobody has more than 40 games under way.
            game.delete()
            game = running(alice, bob, variant="duo")
        if turn % COMMENTS == 0:
            study = new_study(alice)
        mover, other = (alice, bob) if fresh(game).turn_seat == 0 else (bob, alice)
        number, position = due(fresh(game)), positions.position_of(fresh(game))
        own = position.seats[1 - (position.seat or 0)][0]
        wanted, tried, sent = str(rng.choice(position.legal_placements(own))), any_placement(position, rng), key()
        phrase, edition = ("hello", "luck", "nice-move")[turn % 3], edition_of(game, other)
        quiet: list[Call] = [
            partial(send_message, other, game.slug, phrase=phrase),
            partial(extend_branch, mover, game.slug, move=tried),
            partial(extend_branch, other, game.slug, move=tried),
            partial(keep_note, other, game.slug, f"Round {turn}", note_of(game, other)),
            partial(
                set_plan,
                other,
                game.slug,
                [PlannedTurn(own, (PlannedMove(wanted),))],
                number=number,
                edition=edition,
            ),
            partial(write_comment, alice, study.slug, move=1, text=f"Round {turn}", edition=fresh_edition(study)),
        ]
        if number > 1:
            quiet.append(partial(give_reaction, other, game.slug, number=number - 1, word="nice"))
        move = partial(
            play_placement, mover, game.slug, placement=any_placement(position, rng), number=number, key=sent
        )
        calls: list[Call] = [move, *quiet]
        rng.shuffle(calls)
        answers = at_once(calls)
        assert not isinstance(answers[calls.index(move)], Exception), answers
        assert Move.objects.get(game=game, number=number).client_key == sent
        assert next(audit.faults(fresh(game)), None) is None


@pytest.mark.parametrize("rounds", [8, *proof(300)])
def test_nor_for_a_takeback_that_is_asked_for_or_dropped_or_for_changes_of_branches_and_studies(rounds: int) -> None:
    rng, alice, bob = random.Random(11), person("alice"), person("bob")
    follow_person(alice, "bob")
    asked = 0
    for turn in range(rounds):
        game, study = running(alice, bob, variant="duo", allows_takebacks=True), new_study(alice)
        game = play_out(game, rng, turns=2)
        mover, other = (alice, bob) if game.turn_seat == 0 else (bob, alice)
        number, later = due(game), NOON + timedelta(hours=1)
        node = extend_branch(other, game.slug, move=any_placement(positions.position_of(game), rng)).node
        edition = Analysis.objects.get(game=game, user=other).edition
        quiet: list[Call] = [
            partial(name_branch, other, game.slug, node=node, name="One day", edition=edition),
            partial(undo_branch, other, game.slug, edition=edition),
            partial(remove_branch, other, game.slug, node=node, edition=edition),
            partial(add_editor, alice, study.slug, "bob"),
            partial(share_study, alice, study.slug, is_shared=True),
        ]
        if turn % 2:
            request = ask_for_takeback(other, game.slug, number=number, now=later).takeback_request
            quiet.append(partial(drop_takeback_request, mover, game.slug, request=request[0]))
        else:
            quiet.append(partial(ask_for_takeback, other, game.slug, number=number, now=later))
        text, sent = any_placement(positions.position_of(game), rng), key()
        move = partial(play_placement, mover, game.slug, placement=text, number=number, key=sent, now=later)
        calls: list[Call] = [move, *quiet]
        rng.shuffle(calls)
        answers = at_once(calls)
        assert not isinstance(answers[calls.index(move)], Exception), answers
        now = fresh(game)
        assert (now.move_count, now.takeback_request) == (3, [])
        assert Move.objects.get(game=game, number=number).client_key == sent
        assert next(audit.faults(now), None) is None
        asked += not isinstance(answers[calls.index(quiet[-1])], Exception)
    assert asked


def new_study(user: User) -> Study:
    """Return a study of this person with one move."""
    start = Position.start("duo")
    return create_study(user, GameRecord.of(start.play(start.legal_placements()[0])))


def fresh_edition(study: Study) -> int:
    study.refresh_from_db()
    return study.edition


def edition_of(game: Game, user: User) -> int:
    return TurnPlan.from_data(Player.objects.get(game=game, user=user).plan).edition


def note_of(game: Game, user: User) -> int:
    return Note.objects.filter(game=game, user=user).values_list("edition", flat=True).first() or 0
