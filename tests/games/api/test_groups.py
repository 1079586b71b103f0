"""Programs with groups: as their owner may, by the same names."""

from collections.abc import Callable

import pytest

from accounts.models import Scope, User
from games.actions.moves.resign import resign
from games.models import Game, Group
from tests.games.api.conftest import Program
from tests.games.groups.test_members import club, roles

pytestmark = [pytest.mark.django_db, pytest.mark.database]

MakeProgram = Callable[..., Program]
TABLE = {"variant": "duo", "seats": [{"kind": "me"}, {"kind": "open"}]}


def test_a_group_is_made_joined_changed_left_and_ended(
    alice: User, bob: User, carol: User, program: MakeProgram
) -> None:
    own, other, third = program(alice), program(bob), program(carol)
    made = own.post("groups", name="Corner club").json()
    slug = made["slug"]
    assert (made["owner"], made["role"], [each["name"] for each in made["members"]]) == ("alice", "owner", ["alice"])
    for each in (other, third):
        assert each.post("groups/join", token=made["token"]).json()["role"] == "member"
    [line] = other.get("groups").json()
    assert line == {
        "slug": slug, "name": "Corner club", "owner": "alice", "role": "member", "members": 3, "waiting": 0,
    }  # fmt: skip
    assert own.post(f"groups/{slug}/members/bob/role", role="keeper").status_code == 204
    assert other.post(f"groups/{slug}/name", name="Sunday club").status_code == 204
    assert other.post(f"groups/{slug}/members/carol/remove").status_code == 204
    assert own.get(f"groups/{slug}").json()["name"] == "Sunday club"
    assert third.get(f"groups/{slug}").status_code == 404
    assert third.post("groups/join", token=made["token"]).json()["code"] == "not-found"
    renewed = own.post(f"groups/{slug}/link").json()["token"]
    assert third.post("groups/join", token=renewed).status_code == 200
    assert third.post(f"groups/{slug}/leave").status_code == 204
    assert roles(Group.objects.get()) == {"alice": "owner", "bob": "keeper"}
    assert other.post(f"groups/{slug}/delete").json()["code"] == "not-owner"
    assert own.post(f"groups/{slug}/delete").status_code == 204
    assert own.get("groups").json() == []


def test_a_table_of_a_group_is_opened_listed_and_joined_without_a_token(
    alice: User, bob: User, carol: User, program: MakeProgram
) -> None:
    group = club(alice, bob)
    game = program(alice).post("games", **TABLE, group=group.slug).json()
    assert game["public"] is False
    listed = program(bob).get(f"groups/{group.slug}/games").json()
    assert [each["slug"] for each in listed["open"]] == [game["slug"]]
    assert program(carol).post(f"games/{game['slug']}/join", seat=1).status_code == 404
    assert program(bob).post(f"games/{game['slug']}/join").json()["status"] == "running"
    resign(bob, game["slug"])
    listed = program(bob).get(f"groups/{group.slug}/games").json()
    assert (listed["open"], listed["running"]) == ([], [])
    assert listed["finished"][0]["winners"] == ["alice"]
    assert sorted(listed["finished"][0]["players"]) == ["alice", "bob"]


def test_a_table_of_a_group_is_opened_by_its_members_alone_and_stays_theirs(
    alice: User, carol: User, program: MakeProgram
) -> None:
    group = club(alice)
    answer = program(carol).post("games", **TABLE, group=group.slug)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    slug = program(alice).post("games", **TABLE, group=group.slug).json()["slug"]
    refused = program(alice).post(f"games/{slug}/edit", public=True)
    assert refused.status_code == 400
    assert not Game.objects.get().is_public


def test_a_token_that_only_reads_changes_no_group(alice: User, program: MakeProgram) -> None:
    group = club(alice)
    reading = program(alice, [Scope.READ])
    assert reading.get(f"groups/{group.slug}").status_code == 200
    for path in ("groups", "groups/join", f"groups/{group.slug}/leave", f"groups/{group.slug}/delete"):
        assert reading.post(path).json()["code"] == "scope"


def test_a_bot_account_belongs_to_no_group(alice: User, program: MakeProgram) -> None:
    group = club(alice)
    bot = User.objects.create_user("Fred", operator=alice)
    assert program(bot).post("groups/join", token=group.invite_token).json()["code"] == "bot-group"
    assert program(bot).get("groups").json() == []


def test_a_group_always_has_a_table_where_its_owner_says_so(alice: User, bob: User, program: MakeProgram) -> None:
    group, own = club(alice, bob), program(alice)
    assert own.get(f"groups/{group.slug}").json()["standing"] is None
    answer = own.post(f"groups/{group.slug}/standing", variant="trigon-3", takebacks=False)
    assert answer.json()["standing"] == "trigon-3"
    [table] = program(bob).get(f"groups/{group.slug}/games").json()["open"]
    game = Game.objects.get(slug=table["slug"])
    assert (game.variant, game.allows_takebacks, game.is_public) == ("trigon-3", False, False)
    refused = own.post(f"groups/{group.slug}/standing", variant="chess")
    assert (refused.status_code, refused.json()["field"]) == (400, "variant")
    assert own.post(f"groups/{group.slug}/standing/stop").status_code == 204
    assert own.get(f"groups/{group.slug}").json()["standing"] is None
