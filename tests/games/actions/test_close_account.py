"""What closing an account does to a person's tables."""

from accounts.models import User
from games.actions.close_account import retire_everywhere
from games.actions.join_game import join_game
from games.models import Access, Game, Reason, Status
from tests.games.tables import ME, OPEN, fresh, invited, open_table, play_out, rows, running


def test_running_games_are_retired(alice: User, bob: User, carol: User) -> None:
    duel, trio = running(alice, bob), running(bob, alice, carol)
    retire_everywhere(alice)
    assert (fresh(duel).status, fresh(duel).reason) == (Status.FINISHED, Reason.RESIGNED)
    assert fresh(trio).status == Status.RUNNING
    assert trio.players.get(user=alice).retired == Reason.RESIGNED


def test_finished_games_stay_as_they_are(alice: User, bob: User) -> None:
    play_out(running(alice, bob))
    before = rows()
    retire_everywhere(alice)
    assert rows() == before


def test_tables_of_others_are_left_and_invitations_dropped(alice: User, bob: User, carol: User) -> None:
    joined = join_game(alice, open_table(bob, ME, OPEN, OPEN).slug)
    kept = open_table(bob, ME, invited("alice"))
    taken = join_game(alice, open_table(bob, ME, OPEN, invited("alice")).slug)
    retire_everywhere(alice)
    for table in (joined, kept, taken):
        assert fresh(table).status == Status.OPEN
        others = [player for player in fresh(table).players.all() if player.user != bob]
        assert {(player.user, player.invitee, player.access) for player in others} == {(None, None, Access.OPEN)}


def test_own_tables_are_cancelled(alice: User, bob: User) -> None:
    table = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug)
    watched = open_table(alice, OPEN, OPEN)
    retire_everywhere(alice)
    assert [fresh(game).status for game in (table, watched)] == [Status.CANCELLED, Status.CANCELLED]


def test_doing_it_twice_is_doing_it_once(alice: User, bob: User, carol: User) -> None:
    running(alice, bob, carol)
    retire_everywhere(alice)
    before = rows()
    retire_everywhere(alice)
    assert rows() == before


def test_games_of_others_are_not_touched(alice: User, bob: User, carol: User) -> None:
    game = running(bob, carol)
    before = Game.objects.filter(pk=game.pk).values().get()
    retire_everywhere(alice)
    assert Game.objects.filter(pk=game.pk).values().get() == before


def test_no_table_of_their_own_stays_called_after_the_person(alice: User, bob: User) -> None:
    played = running(alice, bob, name="ALICE's birthday")
    play_out(played)
    opened = open_table(alice, ME, OPEN, name="With alice")
    others = open_table(bob, ME, OPEN, name="Alice in Wonderland")
    retire_everywhere(alice)
    assert [fresh(game).name for game in (played, opened, others)] == ["", "", "Alice in Wonderland"]
