"""What a planned move hangs on, set by the players and played by the site: other moves, corners, passes, colours."""

import random

import pytest

from accounts.models import User
from games.audit import checks as audit
from games.base import plans, positions
from games.base.plans import OtherMove, PlannedMove
from games.errors import BadRequest
from games.models import Game, Kind, Move
from tests.games.plans.test_playing import a_placement, cells, colour_of, kept, moves, plan, run_chain, turn, why
from tests.games.tables import advance, fresh, place, play_out, running, take_turn
from tests.games.tasks.workers import forget_jobs, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a duel that alice has begun; bob is to play."""
    game = play_out(running(alice, bob, variant="duo"), turns=1)
    forget_jobs()
    return fresh(game)


def last(game: Game) -> Move:
    found = Move.objects.filter(game=game).last()
    assert found
    return found


@pytest.mark.parametrize("is_made", [True, False])
def test_a_move_that_hangs_on_another_players_is_made_or_the_next_of_the_list_is(
    alice: User, bob: User, game: Game, is_made: bool
) -> None:
    mine, theirs = colour_of(game, alice), colour_of(game, bob)
    named, other = a_placement(game, theirs), a_placement(game, theirs, 5)
    taken = cells(named) | cells(other)
    first, second = a_placement(game, mine, 2, taken), a_placement(game, mine, 9, taken)
    plan(alice, game, turn(PlannedMove(first, others=(OtherMove(theirs, named, is_made),)), second))
    place(game, named, bob)
    run_jobs()
    assert moves(game)[2] == (0, first if is_made else second)
    assert (kept(alice, game).turns, list(audit.faults(fresh(game)))) == ((), [])


@pytest.mark.parametrize(("is_made", "code"), [(True, plans.NOT_PLACED), (False, plans.PLACED)])
def test_where_nothing_else_is_listed_it_stops_and_says_which_move_it_hung_on(
    alice: User, bob: User, game: Game, is_made: bool, code: str
) -> None:
    mine, theirs = colour_of(game, alice), colour_of(game, bob)
    named, other = a_placement(game, theirs), a_placement(game, theirs, 5)
    wanted = a_placement(game, mine, 2, cells(named) | cells(other))
    plan(alice, game, turn(PlannedMove(wanted, others=(OtherMove(theirs, named, is_made),))))
    place(game, other if is_made else named, bob)
    run_jobs()
    assert len(moves(game)) == 2
    assert why(alice, game) == [(code, (), theirs)]
    stopped = kept(alice, game).stopped
    assert stopped
    assert [one.move for one in stopped.obstacles] == [named]


def test_what_a_colour_has_had_no_turn_for_is_not_known_and_stops_the_plan(alice: User, bob: User, carol: User) -> None:
    game = play_out(running(alice, bob, carol, variant="classic-3"), turns=2)
    forget_jobs()
    named = a_placement(game, "yellow", 3)
    # Yellow has placed before the plan was set; since then it has had no turn when alice's shared colour comes.
    wanted = a_placement(game, "green")
    plan(alice, game, turn(PlannedMove(wanted, others=(OtherMove("yellow", named, True),)), wanted, colour="green"))
    take_turn(game)
    run_jobs()
    assert len(moves(game)) == 3
    assert why(alice, game) == [(plans.UNDECIDED, (), "yellow")]


@pytest.mark.parametrize("is_covered", [True, False])
def test_a_covered_corner_stops_the_plan_whatever_else_is_listed(
    alice: User, bob: User, game: Game, is_covered: bool
) -> None:
    mine, theirs = colour_of(game, alice), colour_of(game, bob)
    blow = a_placement(game, theirs)
    corner = min(cells(blow))
    aside = a_placement(game, theirs, 0, frozenset({corner}))
    taken = cells(blow) | cells(aside)
    first, second = a_placement(game, mine, 2, taken), a_placement(game, mine, 9, taken)
    plan(alice, game, turn(PlannedMove(first, corners=(corner,)), second))
    place(game, blow if is_covered else aside, bob)
    run_jobs()
    if is_covered:
        assert len(moves(game)) == 2
        assert why(alice, game) == [(plans.CORNER, (corner,), theirs)]
    else:
        assert moves(game)[2] == (0, first)


def one_is_blocked(alice: User, bob: User, *, declares_passes: bool) -> tuple[Game, User, User]:
    """Return a duel in which the one who waits can place nothing any more and the other one can: those two after it."""
    for seed in range(40):
        rng, game = random.Random(seed), running(alice, bob, variant="duo", declares_passes=declares_passes)
        position = positions.position_of(game)
        while not position.is_over:
            seat = position.seat or 0
            if position.legal_count() > 1 and position.is_blocked(position.seats[1 - seat][0]):
                waits, plays = (bob, alice) if seat == 0 else (alice, bob)
                forget_jobs()
                return fresh(game), waits, plays
            game = advance(game, rng)
            position = positions.position_of(fresh(game))
    raise AssertionError


def test_a_pass_that_was_planned_is_declared_where_nothing_fits(alice: User, bob: User) -> None:
    game, waits, _plays = one_is_blocked(alice, bob, declares_passes=True)
    before = game.move_count
    plan(waits, game, turn("pass"))
    take_turn(game)
    run_jobs()
    made = last(game)
    assert (made.number, made.kind, made.is_automatic) == (before + 2, Kind.PASS, False)
    assert made.seat == game.players.get(user=waits).seat
    assert (kept(waits, game).done, list(audit.faults(fresh(game)))) == ((before + 2,), [])


def test_a_planned_pass_is_not_made_where_a_piece_fits(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, variant="duo", declares_passes=True), turns=1)
    forget_jobs()
    plan(alice, game, turn("pass"))
    take_turn(game)
    run_jobs()
    assert len(moves(game)) == 2
    assert [code for code, _cells, _colour in why(alice, game)] == [plans.CAN_PLACE]


def test_where_colours_pass_by_themselves_no_pass_is_planned_and_the_next_turn_is_played_after_theirs(
    alice: User, bob: User
) -> None:
    game, waits, plays = one_is_blocked(alice, bob, declares_passes=False)
    with pytest.raises(BadRequest):
        plan(waits, game, turn("pass"))
    position = positions.position_of(game)
    for now in position.legal_placements():
        onward = {str(each) for each in position.play(now).pass_turn().legal_placements()}
        later = next((str(each) for each in position.legal_placements() if str(each) in onward), "")
        if later:
            break
    assert later
    before = game.move_count
    plan(plays, game, turn(later))
    place(game, str(now), plays)
    run_chain()
    rows = list(Move.objects.filter(game=game, number__gt=before).values_list("kind", "placement", "is_automatic"))
    assert rows[:3] == [(Kind.PLACE, str(now), False), (Kind.PASS, "", True), (Kind.PLACE, later, False)]
    assert list(audit.faults(fresh(game))) == []


def test_the_shared_colour_is_played_by_the_plan_of_whose_turn_with_it_comes(
    alice: User, bob: User, carol: User
) -> None:
    game = play_out(running(alice, bob, carol, variant="classic-3"), turns=1)
    forget_jobs()
    green = a_placement(game, "green")
    plan(alice, game, turn(green, colour="green"))
    for _ in range(2):
        take_turn(game)
        run_chain()
    assert moves(game)[3] == (0, green)
    assert (last(game).colour, fresh(game).turn_colour) == ("green", "blue")
    assert list(audit.faults(fresh(game))) == []


def test_of_the_shared_colour_only_the_one_whose_turn_comes_plans_its_next_piece(
    alice: User, bob: User, carol: User
) -> None:
    game = play_out(running(alice, bob, carol, variant="classic-3"), turns=4)
    forget_jobs()
    # Green was placed by alice; next it is bob's.
    mine, theirs = (a_placement(game, "green", number) for number in (0, 40))
    plan(bob, game, turn(theirs, colour="green"))
    plan(carol, game, turn(mine, colour="green"))
    for _ in range(3):
        take_turn(game)
    run_chain()
    assert moves(game)[7] == (1, theirs)
    assert last(game).number == 8
    assert kept(carol, game).is_waiting
