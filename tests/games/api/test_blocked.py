"""Blocking by the API: a scope of its own, and refusals that tell the blocked nothing."""

from collections.abc import Callable

import pytest

from accounts.models import Scope, User
from tests.games.api.conftest import Program
from tests.games.tables import ME, OPEN, open_table

pytestmark = pytest.mark.django_db


def test_programs_block_and_unblock_by_a_scope_of_their_own(
    alice: User, bob: User, program: Callable[..., Program]
) -> None:
    mine, reader = program(alice, [Scope.PEOPLE]), program(alice, [Scope.READ])
    assert reader.post("players/bob/block").json()["code"] == "scope"
    assert reader.get("blocked").json()["code"] == "scope"
    assert mine.get("blocked").json() == []
    assert [mine.post("players/bob/block").status_code for _ in range(2)] == [204, 204]
    assert [each["name"] for each in mine.get("blocked").json()] == ["bob"]
    assert mine.post("players/bob/unblock").status_code == 204
    assert mine.get("blocked").json() == []
    for name, answer in (("alice", (400, "oneself")), ("nobody", (404, "not-found"))):
        refused = mine.post(f"players/{name}/block")
        assert (refused.status_code, refused.json()["code"]) == answer


def test_programs_follow_people(alice: User, bob: User, program: Callable[..., Program]) -> None:
    mine = program(alice, [Scope.PEOPLE])
    assert [mine.post("players/bob/follow").status_code for _ in range(2)] == [204, 204]
    program(bob).post("players/alice/follow")
    assert mine.get("people").json() == [{"name": "bob", "friend": True, "here": None}]
    assert mine.post("players/bob/unfollow").status_code == 204
    assert mine.get("people").json() == []
    program(bob).post("players/alice/block")
    assert mine.post("players/bob/follow").status_code == 204
    refused = program(bob).post("players/alice/follow")
    assert (refused.status_code, refused.json()["code"]) == (409, "not-followed")


def test_the_blocked_find_no_table_no_seat_and_no_one_to_invite(
    alice: User, bob: User, program: Callable[..., Program]
) -> None:
    game = open_table(alice, ME, OPEN, variant="duo", is_public=True)
    theirs = program(bob)
    assert [table["slug"] for table in theirs.get("lobby").json()] == [game.slug]
    program(alice).post("players/bob/block")
    assert theirs.get("lobby").json() == []
    assert theirs.get(f"games/{game.slug}").json()["may"]["join"] is False
    joined = theirs.post(f"games/{game.slug}/join")
    assert (joined.status_code, joined.json()["code"]) == (409, "seat-taken")
    asked = theirs.post("games", variant="duo", seats=[{"kind": "me"}, {"kind": "named", "name": "alice"}])
    assert (asked.status_code, asked.json()["code"]) == (409, "invitations-full")


def test_programs_mute_and_unmute(alice: User, bob: User, program: Callable[..., Program]) -> None:
    mine = program(alice, [Scope.PEOPLE])
    assert [mine.post("players/bob/mute").status_code for _ in range(2)] == [204, 204]
    assert [each["name"] for each in mine.get("muted").json()] == ["bob"]
    assert mine.post("players/bob/unmute").status_code == 204
    assert mine.get("muted").json() == []
