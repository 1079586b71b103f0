"""Same group again, in one tap from the row of a finished game: in My games, the history, the results of a group."""

import pytest
from django.test import Client

from accounts.erasure import close_account
from accounts.guests import create_guest
from accounts.models import User, Welcome
from games.actions.children.remove_person import remove_person
from games.actions.groups.leave_group import leave_group
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.people.follow_person import follow_person
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.models import Game, Group
from tests.conftest import LogIn
from tests.games.children.families import child_of
from tests.games.groups.test_members import club
from tests.games.groups.test_tables import table
from tests.games.one_device.tables import shared_game
from tests.games.play.pages import Element, read
from tests.games.tables import ME, bot, due, finished, invited, running, setup
from tests.games.views.conftest import QueryCount, query_count
from tests.games.views.lists import many

__all__ = ["query_count"]

pytestmark = pytest.mark.django_db

LISTS = ("/games/", "/games/?show=finished", "/history/", "/history/?result=won")


def forms(browser: Client, address: str, **headers: str) -> list[Element]:
    """Return the forms of a page that ask the group of a finished game again."""
    found = read(browser.get(address, headers=headers)).find_all("form", method="post")
    return [form for form in found if form["action"].startswith("/games/") and form["action"].endswith("/again/")]


def offered(browser: Client, address: str) -> set[str]:
    """Return the slugs of the games that a list offers to play again."""
    return {form["action"].split("/")[2] for form in forms(browser, address)}


def press(browser: Client, form: Element) -> Game:
    """Send a form as it stands on the page, by a browser whose forgeries are refused, and return the new table."""
    browser.handler.enforce_csrf_checks = True
    assert browser.post(form["action"]).status_code == 403
    sent = {field["name"]: field["value"] for field in form.find_all("input")}
    answer = browser.post(form["action"], sent)
    new = Game.objects.latest("pk")
    assert answer["Location"] == f"/games/{new.slug}/"
    return new


def people_at(game: Game) -> set[str]:
    rows = game.players.values_list("user__username", "invitee__username")
    return {name for row in rows for name in row if name}


def over_in(group: Group, *people: User) -> Game:
    """Return a finished game of these members of a group, which the first has won."""
    game = table(people[0], group, len(people))
    for person in people[1:]:
        join_game(person, game.slug)
    for person in people[1:]:
        resign(person, game.slug)
    return game


@pytest.mark.parametrize("address", LISTS)
def test_one_tap_on_a_finished_game_in_a_list_opens_a_table_for_its_people(
    alice: User, bob: User, carol: User, log_in: LogIn, address: str
) -> None:
    old = finished(alice, bob, carol, name="Sunday")
    running(alice, bob)
    browser = log_in(alice)
    (form,) = forms(browser, address)
    button = form.find("button")
    assert (button.text, button["aria-label"]) == ("Again", "Again with bob and carol")
    assert button["title"] == "Same group again"
    new = press(browser, form)
    assert (new.name, new.rematch_of, people_at(new)) == ("Sunday", old, {"alice", "bob", "carol"})


@pytest.mark.parametrize("address", LISTS)
def test_the_button_speaks_french(alice: User, bob: User, carol: User, log_in: LogIn, address: str) -> None:
    finished(alice, bob, carol)
    (form,) = forms(log_in(alice), address, **{"Accept-Language": "fr"})
    button = form.find("button")
    assert (button.text, button["aria-label"], button["title"]) == (
        "Rejouer",
        "Rejouer avec bob et carol",
        "Rejouer ensemble",
    )


def test_one_tap_on_a_result_of_a_group_opens_a_table_of_the_group(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    group = club(alice, bob, carol)
    game = over_in(group, alice, bob)
    over_in(group, bob, carol)
    browser = log_in(alice)
    (form,) = forms(browser, f"/groups/{group.slug}/")
    assert form["action"] == f"/games/{game.slug}/again/", "only the players of a game"
    assert form.find("button")["aria-label"] == "Again with bob"
    new = press(browser, form)
    assert (new.group, people_at(new)) == (group, {"alice", "bob"})


def test_a_game_without_another_person_is_not_offered_again(alice: User, bob: User, log_in: LogIn) -> None:
    program = User.objects.create_user("Fred", operator=bob)
    for seats in ((ME, bot()), (ME, invited("Fred"))):
        game = create_game(alice, setup(*seats))
        if seats[1].kind == "named":
            join_game(program, game.slug)
        resign(alice, game.slug)
    shared = shared_game(alice)
    resign(alice, shared.slug, number=due(shared))
    assert len(read(log_in(alice).get("/history/")).find_all("li", class_="list__row")) >= 2
    assert all(offered(log_in(alice), address) == set() for address in LISTS)


def test_bots_sit_down_again_and_are_not_named(alice: User, bob: User, log_in: LogIn) -> None:
    game = create_game(alice, setup(ME, invited("bob"), bot()))
    join_game(bob, game.slug)
    for person in (bob, alice):
        resign(person, game.slug)
    browser = log_in(alice)
    (form,) = forms(browser, "/history/")
    assert form.find("button")["aria-label"] == "Again with bob"
    assert sorted(press(browser, form).players.values_list("bot", flat=True)) == ["", "", "random"]


def test_guests_invite_by_link_and_are_offered_nothing(alice: User, log_in: LogIn) -> None:
    guest = create_guest()
    game = finished(alice, guest)
    assert all(offered(log_in(guest), address) == set() for address in LISTS)
    assert offered(log_in(alice), "/history/") == {game.slug}


@pytest.mark.parametrize("address", LISTS)
def test_who_is_kept_apart_is_not_asked_again_whoever_has_blocked(
    alice: User, bob: User, carol: User, log_in: LogIn, address: str
) -> None:
    finished(alice, bob)
    finished(alice, carol, bob)
    left = finished(alice, carol)
    block_person(bob, "alice")
    assert offered(log_in(alice), address) == {left.slug}
    block_person(alice, "carol")
    assert offered(log_in(alice), address) == set()


@pytest.mark.parametrize("address", LISTS)
def test_who_lets_no_one_invite_them_is_not_asked_again(
    alice: User, bob: User, carol: User, log_in: LogIn, address: str
) -> None:
    game, other = finished(alice, bob), finished(alice, carol)
    browser = log_in(alice)
    for wish, slugs in (
        (Welcome.NO_ONE, {other.slug}),
        (Welcome.PLAYED, {game.slug, other.slug}),
        (Welcome.FOLLOWED, {other.slug}),
    ):
        User.objects.filter(pk=bob.pk).update(invited_by=wish)
        assert offered(browser, address) == slugs
    follow_person(User.objects.get(pk=bob.pk), "alice")
    assert offered(browser, address) == {game.slug, other.slug}


def test_a_group_of_which_someone_is_gone_is_not_the_same(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    finished(alice, bob, carol)
    game = finished(alice, bob)
    close_account(carol)
    assert all(offered(log_in(alice), address) == {game.slug} for address in LISTS)


def test_who_has_left_the_group_of_a_game_is_not_asked_again(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    group = club(alice, bob, carol)
    of_two, of_three = over_in(group, alice, carol), over_in(group, alice, bob, carol)
    lists = (*LISTS, f"/groups/{group.slug}/")
    assert all(offered(log_in(alice), address) == {of_two.slug, of_three.slug} for address in lists)
    leave_group(bob, group.slug)
    assert all(offered(log_in(alice), address) == {of_two.slug} for address in lists)
    assert offered(log_in(bob), "/history/?result=lost") == {of_three.slug}, "the new table is of no group"


def test_a_child_is_asked_again_by_people_whom_it_may_still_meet(alice: User, bob: User, log_in: LogIn) -> None:
    child = child_of(alice, "Mia", bob)
    game = create_game(bob, setup(ME, invited("Mia")))
    join_game(child, game.slug)
    resign(child, game.slug)
    assert offered(log_in(child), "/games/") == set(), "children have no address for it"
    assert all(offered(log_in(bob), address) == {game.slug} for address in LISTS)
    browser = log_in(bob)
    (form,) = forms(browser, "/history/")
    assert people_at(press(browser, form)) == {"bob", "Mia"}
    remove_person(alice, child.pk, bob.pk)
    assert all(offered(log_in(bob), address) == set() for address in LISTS)


def test_lists_that_are_not_the_readers_own_offer_nothing(alice: User, bob: User, log_in: LogIn) -> None:
    finished(alice, bob)
    for address in ("/players/bob/", "/players/alice/", "/lobby/", "/"):
        assert offered(log_in(alice), address) == set()
        assert offered(Client(), address) == set()


def test_a_list_asks_no_query_more_for_each_game_that_can_be_played_again(
    alice: User, bob: User, carol: User, log_in: LogIn, query_count: QueryCount
) -> None:
    browser = log_in(alice)
    User.objects.filter(pk=carol.pk).update(invited_by=Welcome.FOLLOWED)
    follow_person(User.objects.get(pk=carol.pk), "alice")
    group = club(alice, bob, carol)
    lists, counts = (*LISTS, f"/groups/{group.slug}/"), []
    for number in (2, 12):
        many.finished(number, alice, bob, scores=(-4, -9))
        many.finished(number, alice, carol, scores=(-4, -9), group=group)
        counts.append([query_count(browser, address) for address in lists])
        assert all(offered(browser, address) for address in lists)
    assert counts[0] == counts[1]
