"""The pages of groups, as their readers see them; and how few taps a table of four takes."""

import re

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from games.actions.groups.join_group import join_group
from games.actions.groups.set_role import set_role
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.tables.join_game import join_game
from games.api.groups import GroupLineOut
from games.models import Game, Group, Membership, Status
from games.queries.people.groups import groups_joined_by
from tests.conftest import LogIn
from tests.games.groups.test_members import club, roles
from tests.games.groups.test_tables import table
from tests.games.play.pages import Element, read, text_at
from tests.games.tables import OPEN, fresh
from tests.games.views.conftest import QueryCount, query_count

__all__ = ["query_count"]

pytestmark = pytest.mark.django_db


class Taps:
    """A person on a phone: every link and button that they tap is counted, and has to be there."""

    def __init__(self, browser: Client, address: str) -> None:
        self.browser, self.count, self.address = browser, 0, address
        self.page = read(browser.get(address, follow=True))

    def follow(self, address: str) -> None:
        assert self.page.find_all("a", href=address), address
        self.count, self.address = self.count + 1, address
        self.page = read(self.browser.get(address, follow=True))

    def press(self, words: str) -> None:
        form, button = next(found for found in self._buttons() if found[1].text == words)
        fields = [one.attributes for one in (*form.find_all("input"), button) if "name" in one.attributes]
        sent = {field["name"]: field.get("value", "") for field in fields}
        self.count += 1
        address = form.attributes.get("action") or self.address
        self.page = read(self.browser.post(address, sent, follow=True))

    def _buttons(self) -> list[tuple[Element, Element]]:
        return [(form, button) for form in self.page.find_all("form") for button in form.find_all("button")]


def test_from_nothing_to_a_table_of_four_people_of_a_group_takes_eight_taps_of_all_four_together(
    alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    founder = Taps(log_in(alice), "/lobby/")
    founder.count += 1  # the lobby, in the navigation
    founder.follow("/groups/")
    founder.press("Make the group")
    link = founder.page.find("input", id="invite")["value"]
    assert founder.page.find_all("button", data_pass="copy")
    founder.count += 1  # the link is copied
    founder.press("4 players")
    taps = founder.count
    for friend in (bob, carol, dave):
        guest = Taps(log_in(friend), link)
        guest.press("Join and take a seat")
        taps += guest.count
    game = Game.objects.get()
    assert (game.status, game.players.filter(user__isnull=False).count()) == (Status.RUNNING, 4)
    assert Membership.objects.filter(group=game.group).count() == 4
    assert taps <= 8


def test_a_new_guest_joins_by_the_link_sits_down_and_is_asked_for_a_name(alice: User, client: Client) -> None:
    group = club(alice)
    game = table(alice, group, 3)
    address = f"/groups/join/{group.invite_token}/"
    page = text_at(client, address)
    assert "Corner club" in page
    assert "noindex" in page
    assert group.slug not in page
    answer = client.post(address, {"table": "yes", "name": ""})
    assert answer["Location"] == f"/games/{game.slug}/"
    guest = User.objects.get(is_guest=True)
    assert roles(group)[guest.username] == "member"
    other = Client()
    asked = other.post(address, {})
    assert asked["Location"] == f"/accounts/name/?next=%2Fgroups%2F{group.slug}%2F"
    assert other.get(f"/groups/{group.slug}/").status_code == 200


def test_the_link_shows_and_changes_nothing_before_the_button_and_leads_members_on(
    alice: User, bob: User, log_in: LogIn
) -> None:
    group = club(alice)
    address = f"/groups/join/{group.invite_token}/"
    assert log_in(bob).get(address).status_code == 200
    assert roles(group) == {"alice": "owner"}
    assert log_in(alice).get(address)["Location"] == f"/groups/{group.slug}/"
    answer = log_in(bob).get("/groups/join/no-such-link/")
    assert answer.status_code == 404
    assert "This group does not exist" in answer.content.decode()


def test_who_joins_where_the_last_seat_is_taken_meanwhile_is_a_member_all_the_same(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    group = club(alice)
    game = table(alice, group)
    browser = log_in(bob)
    browser.get(f"/groups/join/{group.invite_token}/")
    join_group(carol, group.invite_token)
    join_game(carol, game.slug)
    answer = browser.post(f"/groups/join/{group.invite_token}/", {"table": "yes"}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/groups/{group.slug}/"
    assert "You belong to this group now." in answer.content.decode()


def test_the_page_of_a_group_has_its_tables_games_results_and_members(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    group = club(alice, bob, carol)
    waiting, running, ended = (table(alice, group) for _ in range(3))
    for game in (running, ended):
        join_game(bob, game.slug)
    resign(bob, ended.slug)
    page = read(log_in(carol).get(f"/groups/{group.slug}/"))
    form = page.find("form", action=f"/games/{waiting.slug}/join/")
    assert form.find("button").text.startswith("Take a seat")
    for game in (running, ended):
        assert page.find_all("a", href=f"/games/{game.slug}/")
    assert "alice won: bob resigned" in page.text
    assert page.find_all("a", href="/players/bob/")
    assert "3 members" in page.text
    own = read(log_in(alice).get(f"/groups/{group.slug}/"))
    assert not own.find_all("form", action=f"/games/{waiting.slug}/join/")
    assert "you have a seat" in own.text


def test_lists_of_a_group_leave_out_who_is_kept_apart_from_the_reader(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    group = club(carol, alice, bob)
    game = table(alice, group)
    block_person(alice, "bob")
    for address in (f"/groups/{group.slug}/", f"/groups/{group.slug}/members/"):
        page = text_at(log_in(bob), address)
        assert "/players/alice/" not in page
        assert game.slug not in page
    assert "2 members" in text_at(log_in(bob), f"/groups/{group.slug}/")
    assert game.slug in text_at(log_in(carol), f"/groups/{group.slug}/")


def test_the_list_of_groups_counts_no_one_who_is_kept_apart_from_the_reader(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    group = club(carol, alice, bob)
    table(alice, group)
    block_person(alice, "bob")
    line = read(log_in(bob).get("/groups/")).find("li", class_="list__row").text
    assert "2 members" in line
    assert "waits" not in line
    bob.refresh_from_db()
    found = [GroupLineOut.of(own) for user in (bob, carol) for own in groups_joined_by(user)]
    assert [(line.members, line.waiting) for line in found] == [(2, 0), (3, 1)]


def test_only_members_are_shown_a_group(alice: User, mallory: User, log_in: LogIn, client: Client) -> None:
    group = club(alice)
    for address in (f"/groups/{group.slug}/", f"/groups/{group.slug}/members/", "/groups/nosuchgrou/"):
        assert log_in(mallory).get(address).status_code == 404
        assert client.get(address).status_code == 302
    assert log_in(mallory).get(f"/games/new/?group={group.slug}").status_code == 404
    assert client.get(f"/games/new/?group={group.slug}").status_code == 404


def test_a_name_that_is_refused_stays_in_the_field_with_the_reason(alice: User, log_in: LogIn) -> None:
    browser, group = log_in(alice), club(alice)
    for address in ("/groups/", f"/groups/{group.slug}/name/"):
        answer = browser.post(address, {"name": "see www.example.org"})
        page = read(answer)
        assert answer.status_code == 400
        assert page.find("input", id="group-name")["value"] == "see www.example.org"
        assert "cannot contain an address" in page.text
    assert Group.objects.count() == 1


def test_a_group_without_a_name_is_called_after_its_owner(alice: User, bob: User, log_in: LogIn) -> None:
    group = club(alice, bob, name="")
    assert "Group of alice" in text_at(log_in(bob), "/groups/")
    assert "Group of alice" in text_at(Client(), f"/groups/join/{group.invite_token}/")
    set_role(alice, group.slug, "bob", "owner")
    assert "Group of bob" in text_at(log_in(bob), f"/groups/{group.slug}/")


def test_members_are_changed_by_buttons_that_only_who_may_is_shown(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    group = club(alice, bob, carol)
    address = f"/groups/{group.slug}/members/"
    assert not re.search(r"/(remove|role|name|link|delete)/", text_at(log_in(bob), address))
    browser = log_in(alice)
    answer = browser.post(f"{address}bob/role/", {"role": "keeper"}, follow=True)
    assert "Saved." in answer.content.decode()
    page = text_at(log_in(bob), address)
    assert "carol/remove/" in page
    assert "alice/remove/" not in page
    assert "/delete/" not in page
    answer = log_in(bob).post(f"{address}carol/remove/", follow=True)
    assert "The member has been removed. The group has a new link." in answer.content.decode()
    assert roles(group) == {"alice": "owner", "bob": "keeper"}
    assert browser.post(f"{address}carol/remove/").status_code == 404
    answer = browser.post(f"/groups/{group.slug}/name/", {"name": "Sunday club"}, follow=True)
    assert "Sunday club" in answer.content.decode()
    browser.post(f"/groups/{group.slug}/link/")
    assert Group.objects.get().invite_token != group.invite_token
    assert "You have left the group." in log_in(bob).post(f"/groups/{group.slug}/leave/", follow=True).content.decode()
    assert "The group has ended." in browser.post(f"/groups/{group.slug}/delete/", follow=True).content.decode()


def test_a_table_of_ones_own_settings_is_opened_for_the_group(alice: User, bob: User, log_in: LogIn) -> None:
    group, browser = club(alice, bob), log_in(alice)
    page = read(browser.get(f"/games/new/?group={group.slug}"))
    assert "A table for Corner club" in page.text
    assert page.find("input", name="group")["value"] == group.slug
    sent = {
        "variant": "duo",
        "group": group.slug,
        "time": "normal",
        "passes": "automatic",
        "is_public": "yes",
        "seat-0": "me",
        "seat-1": "open",
    }
    answer = browser.post("/games/new/", sent)
    game = Game.objects.get()
    assert answer["Location"] == f"/games/{game.slug}/"
    assert (game.group, game.variant, game.is_public) == (group, "duo", False)
    further = browser.post("/games/new/", sent | {"show": "trigon-3"})["Location"]
    assert f"group={group.slug}" in further
    waiting = read(log_in(bob).get(f"/games/{game.slug}/"))
    assert waiting.find("a", href=f"/groups/{group.slug}/").text == "Corner club"
    assert "open to members of the group" in waiting.text
    assert "Only members of its group can watch." in waiting.text
    assert waiting.find_all("form", action=f"/games/{game.slug}/join/")
    edit = read(browser.get(f"/games/{game.slug}/edit/"))
    assert edit.find("input", name="is_public")["value"] == "no"


def test_the_lobby_and_the_people_lead_to_groups(alice: User, log_in: LogIn, client: Client) -> None:
    browser = log_in(alice)
    for address in ("/lobby/", "/people/", "/accounts/"):
        assert read(browser.get(address)).find_all("a", href="/groups/")
    assert 'href="/groups/"' not in text_at(client, "/lobby/")


def test_what_changes_groups_is_counted(alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.table.counting.GROUPS_AN_HOUR", 2)
    browser = log_in(alice)
    found = [browser.post("/groups/", {"name": f"Club {number}"}).status_code for number in range(3)]
    assert found == [302, 302, 429]


def test_the_page_of_a_group_costs_as_many_queries_with_many_games_and_members(
    alice: User, bob: User, carol: User, dave: User, log_in: LogIn, query_count: QueryCount
) -> None:
    group, browser = club(alice, bob), log_in(alice)

    def costs() -> list[int]:
        cache.clear()
        found = ("/groups/", f"/groups/{group.slug}/", f"/groups/{group.slug}/members/")
        return [query_count(browser, address) for address in found]

    for game in [table(alice, group) for _ in range(2)]:
        join_game(bob, game.slug)
    resign(bob, game.slug)
    table(alice, group)
    few = costs()
    for member in (carol, dave):
        join_group(member, group.invite_token)
        for game in [table(member, group) for _ in range(3)]:
            join_game(bob, game.slug)
        resign(bob, game.slug)
        table(member, group)
    assert costs() == few
    assert max(few) <= 15


def test_a_table_with_open_seats_says_so_on_the_list_of_groups(alice: User, bob: User, log_in: LogIn) -> None:
    group = club(alice, bob)
    assert "waits for players" not in text_at(log_in(bob), "/groups/")
    game = table(alice, group)
    assert fresh(game).players.filter(access=OPEN.kind).count() == 2
    assert "1 table waits for players" in text_at(log_in(bob), "/groups/")
