"""What closing an account does to a person's tables."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.erasure import close_account
from accounts.models import User
from games.actions.groups.create_group import create_group
from games.actions.groups.join_group import join_group
from games.actions.people.close_account import leave_what_waits, retire_everywhere
from games.actions.studies.create_study import create_study
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.join_game import join_game
from games.models import Access, Game, Group, Membership, Reason, Status
from games.table import records
from tests.games.tables import ME, OPEN, fresh, invited, open_table, play_out, rows, running
from tests.plans import tables_read_whole

#: What SQLite finds of 8,000 games, of which a few people have opened very many, and of who has played with whom.
STATISTICS = {
    "game_creator": "8970 334 182",
    "game_last_opened": "9936 334 1",
    "sqlite_autoindex_games_companion_1": "15180 143 1",
}


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


def test_what_waits_is_left_by_itself_before_and_no_name_of_the_person_is_left_there(alice: User, bob: User) -> None:
    own = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug)
    joined = join_game(alice, open_table(bob, ME, OPEN, OPEN, name="Alice and friends").slug)
    asked = open_table(bob, ME, invited("alice"))
    going = running(alice, bob)
    club, other = create_group(alice, "Alice and bob"), create_group(bob, "With alice")
    for person, group in ((bob, club), (alice, other)):
        join_group(person, group.invite_token)
    begun = open_transactions(alice)
    # Each by itself: three tables and two groups.
    assert begun == 5
    assert fresh(own).status == Status.CANCELLED
    for table in (joined, asked):
        assert not {alice} & {each for player in fresh(table).players.all() for each in (player.user, player.invitee)}
    assert "lice" not in fresh(joined).name
    assert Membership.objects.filter(person=alice).count() == 0
    assert [Group.objects.get(pk=group.pk).name for group in (club, other)] == ["", "With deleted"]
    assert fresh(going).status == Status.RUNNING
    assert open_transactions(alice) == 0
    close_account(alice)
    assert fresh(going).status == Status.FINISHED


def open_transactions(user: User) -> int:
    """Leave what waits, and return in how many transactions, those within one not counted."""
    with CaptureQueriesContext(connection) as asked:
        leave_what_waits(user)
    begun = depth = 0
    for each in asked.captured_queries:
        if each["sql"].startswith("SAVEPOINT"):
            begun, depth = begun + (depth == 0), depth + 1
        depth -= each["sql"].startswith("RELEASE SAVEPOINT")
    return begun


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
    retire_everywhere(alice)
    assert [fresh(game).name for game in (played, opened)] == ["", ""]


@pytest.mark.parametrize(
    ("called", "left"),
    [
        ("Revenge on alice", "Revenge on deleted"),
        ("ALICE's lesson, Alice!", "deleted's lesson, deleted!"),
        ("malice, alice-2 and alices", "malice, alice-2 and alices"),
        ("Alice x Alice x Alice x Alice x Alice x 1", "deleted x deleted x deleted x deleted x "),
    ],
)
def test_tables_of_people_they_have_played_with_lose_the_name_as_a_word(
    alice: User, bob: User, called: str, left: str
) -> None:
    running(alice, bob)
    waiting, over = (open_table(bob, ME, OPEN, name=called[:40]) for _ in range(2))
    cancel_game(bob, over.slug)
    before = fresh(waiting).version
    retire_everywhere(alice)
    assert [fresh(game).name for game in (waiting, over)] == [left, left]
    assert (fresh(waiting).version > before) is (left != called)
    assert fresh(waiting).status == Status.OPEN


def test_a_table_at_which_the_person_sits_loses_the_name_whoever_opened_it(alice: User, bob: User) -> None:
    private = join_game(alice, open_table(bob, ME, OPEN, OPEN, name="Welcome alice").slug)
    asked = open_table(bob, ME, invited("alice"), name="For alice", is_public=False)
    retire_everywhere(alice)
    assert [fresh(game).name for game in (private, asked)] == ["Welcome deleted", "For deleted"]


def test_what_strangers_call_their_tables_stays(alice: User, bob: User, carol: User) -> None:
    running(alice, bob)
    game = open_table(carol, ME, OPEN, name="Alice in Wonderland")
    retire_everywhere(alice)
    assert fresh(game).name == "Alice in Wonderland"


@pytest.mark.parametrize(
    ("name", "called", "left"),
    [
        ("the", "In the end The the", "In deleted end The deleted"),
        ("Zoë", "Zoë and zoë", "deleted and zoë"),
        ("Łódź", "łódź, ŁÓDŹ", "deleted, deleted"),
        ("Guest-abcjkp", "Anonyme-abcjkp, guest-abcjkp", "deleted, deleted"),
        ("a.b_c", "axb_c a.b_c a.b_c.d", "axb_c deleted a.b_c.d"),
    ],
)
def test_a_name_is_found_as_it_is_read(bob: User, name: str, called: str, left: str) -> None:
    person = User.objects.create_user(name)
    running(person, bob)
    game = open_table(bob, ME, OPEN, name=called)
    retire_everywhere(person)
    assert fresh(game).name == left


def test_studies_of_people_they_have_played_with_lose_the_name(alice: User, bob: User, carol: User) -> None:
    game = play_out(running(alice, bob, name="alice and me"))
    record = replace(records.game_record(bob, game.slug), comments={2: "Here Alice slept.\nMalice!"})
    kept, same = (create_study(bob, record, title=title) for title in ("How alice lost", "An end"))
    strange = create_study(carol, replace(record, players=("Alice", "Hatter"), comments={}), title="Wonderland")
    before = strange.record
    retire_everywhere(alice)
    for study, title in ((kept, "How deleted lost"), (same, "An end")):
        study.refresh_from_db()
        read = records.stored(study.record)
        assert (study.title, read.title, dict(read.comments)) == (
            title,
            "deleted and me",
            {2: "Here deleted slept.\nMalice!"},
        )
        assert sorted(read.players) == ["bob", "deleted"]
        assert read.record == record.record
    strange.refresh_from_db()
    assert strange.record == before


def test_more_tables_take_no_more_reading(alice: User, bob: User) -> None:
    """What is read is counted, the present too: the time and the tables are asked for once, however many there are."""

    def reads(person: User, tables: int) -> int:
        for _table in range(tables):
            open_table(person, ME, OPEN)
        with CaptureQueriesContext(connection) as asked:
            retire_everywhere(person)
        return sum(query["sql"].startswith("SELECT") for query in asked)

    assert reads(alice, 3) == reads(bob, 1)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL knows how many games each person has opened")
def test_tables_of_companions_are_looked_up_where_a_few_people_have_opened_very_many(alice: User, bob: User) -> None:
    game = running(alice, bob)
    theirs = open_table(bob, ME, OPEN, name="Tea with Alice")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        for index, found in STATISTICS.items():
            cursor.execute("UPDATE sqlite_stat1 SET stat = %s WHERE idx = %s", [found, index])
            assert cursor.rowcount == 1
        cursor.execute("ANALYZE sqlite_schema")
    # A game in a statement within another is called so.
    assert tables_read_whole(lambda: retire_everywhere(alice), {"games_game", "U0", "V0"}) == {}
    assert fresh(game).status == Status.FINISHED
    assert "Alice" not in fresh(theirs).name
