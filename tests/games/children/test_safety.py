"""What keeps a child safe when a seat is empty again, a list is shorter, or a stranger has had its device."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.children.keeping import log_out_everywhere, set_childs_password
from accounts.models import User
from games.actions.children.ask_to_meet import ask_to_meet
from games.actions.children.remove_person import remove_person
from games.actions.moderation.report_player import report_player
from games.actions.people.block_person import block_person
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.join_game import join_game
from games.actions.tables.remove_player import remove_player
from games.errors import BadRequest, GameError
from games.models import AllowedPerson, BlockedPerson, Game, Player
from games.queries.moderation.cases import may_handle, waiting_cases
from tests.conftest import LogIn
from tests.games.children.families import child_of
from tests.games.children.test_story import CHILDS_PASSWORD, logged_in, text_of
from tests.games.play.pages import read
from tests.games.tables import ME, bot, fresh, invited, open_table, play_out, running

pytestmark = pytest.mark.django_db


def shows(client: Client, game: Game) -> Any:
    answer = client.get(f"/games/{game.slug}/")
    assert answer.status_code == 200
    return read(answer)


def test_a_table_with_a_child_is_shown_and_has_no_link_once_somebody_has_declined(
    alice: User, bob: User, log_in: LogIn
) -> None:
    child = child_of(alice, "Mia", bob)
    own, theirs = open_table(child, ME, invited("bob")), open_table(bob, ME, invited("Mia"))
    decline_invitation(bob, own.slug)
    decline_invitation(child, theirs.slug)
    for person, table in ((child, own), (bob, theirs)):
        page = shows(log_in(person), table)
        assert not page.find_all("input", id="invite")
        assert "cancel this table and open another one" in page.text
        assert "no one is invited" in page.text
        assert "link" not in page.find("div", id="cancel").text
    assert log_in(child).post(f"/games/{own.slug}/cancel/").status_code == 302
    assert fresh(own).status == "cancelled"


@pytest.mark.parametrize("declines", [True, False])
def test_a_child_plays_bots_at_its_own_table_for_which_nobody_comes(
    alice: User, bob: User, log_in: LogIn, *, declines: bool
) -> None:
    child = child_of(alice, "Mia", bob)
    table = open_table(child, ME, invited("bob"))
    if declines:
        decline_invitation(bob, table.slug)
    browser = log_in(child)
    form = shows(browser, table).find("form", action=f"/games/{table.slug}/fill/")
    assert form.find("button").text == "Fill the empty seat with a bot"
    (usual,) = [each for each in form.find_all("option") if "selected" in each.attributes]
    assert usual.text.startswith("3")
    assert browser.post(form["action"], {"strength": "2"})["Location"] == f"/games/{table.slug}/"
    begun = fresh(table)
    assert (begun.status, begun.is_sheltered) == ("running", True)
    assert [player.bot != "" for player in begun.players.order_by("seat")].count(True) == 1
    with pytest.raises(GameError):
        join_game(bob, table.slug)


def test_nobody_else_fills_a_childs_table_and_grown_ups_do_it_where_they_change_theirs(
    alice: User, bob: User, log_in: LogIn
) -> None:
    child = child_of(alice, "Mia", bob)
    own, theirs = open_table(child, ME, invited("bob")), open_table(bob, ME, invited("Mia"))
    for person, table in ((bob, own), (alice, own), (bob, theirs), (child, theirs)):
        assert not shows(log_in(person), table).find_all("form", action=f"/games/{table.slug}/fill/")
    for person, table in ((bob, own), (alice, own), (child, theirs)):
        assert log_in(person).post(f"/games/{table.slug}/fill/", {"strength": "2"}).status_code == 403
        assert fresh(table).status == "open"


def test_a_table_with_a_child_is_shown_once_the_host_has_removed_somebody(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    child = child_of(alice, "Mia", bob, carol)
    table = open_table(bob, ME, invited("Mia"), invited("carol"), bot())
    join_game(child, table.slug)
    remove_player(bob, table.slug, seat=Player.objects.get(game=table, invitee=carol).seat)
    for person in (bob, child):
        assert not shows(log_in(person), table).find_all("input", id="invite")


def test_nothing_is_posted_from_a_table_with_a_child_and_no_page_offers_it(
    alice: User, bob: User, log_in: LogIn
) -> None:
    child = child_of(alice, "Mia", bob)
    waiting = open_table(bob, ME, invited("Mia"))
    going = fresh(join_game(child, open_table(bob, ME, invited("Mia")).slug))
    for person, game in ((bob, waiting), (bob, going), (child, going)):
        assert "Post to a channel" not in shows(log_in(person), game).text
    assert "Report" not in shows(log_in(child), going).find("nav", id="menu").text
    assert "Report" in shows(log_in(bob), going).find("nav", id="menu").text


def test_the_page_of_an_opening_names_no_one_to_a_child(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    child, over = child_of(alice), play_out(running(bob, carol, variant="duo"))
    Player.objects.filter(game=over).update(opening="fw")
    assert "carol" in log_in(bob).get("/openings/fw/").content.decode()
    answer = log_in(child).get("/openings/fw/")
    assert answer.status_code == 200
    assert not {word for word in ("bob", "carol", over.slug) if word in answer.content.decode()}


@pytest.mark.parametrize("end", [log_out_everywhere, lambda child: set_childs_password(child, "another whale")])
def test_a_passkey_that_somebody_has_added_to_a_childs_account_goes_with_the_log_ins(alice: User, end: Any) -> None:
    child = child_of(alice)
    for kind in Authenticator.Type:
        Authenticator.objects.create(user=child, type=kind, data={})
    end(child)
    assert not Authenticator.objects.filter(user=child).exists()


def test_a_child_is_offered_no_passkeys_and_no_codes(alice: User) -> None:
    mia = child_of(alice, "Mia", password=CHILDS_PASSWORD)
    tablet = logged_in(mia, CHILDS_PASSWORD)
    shown = text_of(tablet.get("/accounts/keys/"))
    assert not {word for word in ("asskey", "odes") if word in read(tablet.get("/accounts/keys/")).find("main").text}
    assert "/accounts/keys/passkeys/" not in shown
    assert tablet.get("/accounts/keys/passkeys/add/").status_code == 403
    assert "can add a passkey" not in text_of(logged_in(alice).get(f"/children/{mia.pk}/"))


@pytest.mark.parametrize("has_joined", [True, False])
def test_who_was_taken_off_the_list_leaves_the_waiting_table_of_a_third_and_the_child_stays(
    alice: User, bob: User, carol: User, *, has_joined: bool
) -> None:
    child = child_of(alice, "Mia", bob, carol)
    table = open_table(bob, ME, invited("Mia"), invited("carol"), invited("alice"))
    join_game(child, table.slug)
    if has_joined:
        join_game(carol, table.slug)
    remove_person(alice, child.pk, carol.pk)
    at = {key for seat in fresh(table).players.all() for key in (seat.user_id, seat.invitee_id)}
    assert child.pk in at
    assert carol.pk not in at


def test_a_guardian_and_a_child_do_not_block_each_other(alice: User, bob: User, log_in: LogIn) -> None:
    child = child_of(alice, "Mia", bob)
    for one, other in ((alice, "Mia"), (child, "alice")):
        with pytest.raises(BadRequest) as refused:
            block_person(one, other)
        assert refused.value.code == "own-child"
    assert not BlockedPerson.objects.exists()
    assert "/players/Mia/block/" not in log_in(alice).get("/players/Mia/").content.decode()
    assert "/players/Mia/block/" in log_in(bob).get("/players/Mia/").content.decode()


@pytest.mark.parametrize("way", ["", "password/"])
def test_no_password_of_a_child_is_kept_while_the_guardian_shows_who_they_are(alice: User, way: str) -> None:
    mia = child_of(alice)
    at_home = Client()
    at_home.force_login(alice)
    page = f"/children/{mia.pk}/" if way else "/children/"
    answer = at_home.post(page + way, {"username": "Tom", "password": "a whale of a secret", "answers": "on"})
    assert answer["Location"] == f"/accounts/reauthenticate/?next={page.replace('/', '%2F')}"
    assert "whale" not in repr(dict(at_home.session.items()))
    assert not User.objects.filter(username="Tom").exists()


def test_a_moderator_handles_no_case_of_their_own_child(alice: User, bob: User, carol: User) -> None:
    child = child_of(alice, "Mia", bob)
    User.objects.filter(pk__in=(alice.pk, carol.pk)).update(is_moderator=True)
    mother, other = User.objects.get(pk=alice.pk), User.objects.get(pk=carol.pk)
    report_player(bob, "Mia", reason="insult")
    assert [case.person for case in waiting_cases(other)] == [child]
    assert waiting_cases(mother) == []
    assert (may_handle(other, child), may_handle(mother, child)) == (True, False)


def test_nothing_is_noted_of_an_account_that_is_closed_while_a_child_asks_for_it(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    child, answers_to = child_of(alice), User.answers_to

    def closed_meanwhile(person: User, name: str) -> bool:
        User.objects.filter(pk=person.pk).update(is_active=False)
        return answers_to(person, name)

    monkeypatch.setattr(User, "answers_to", closed_meanwhile)
    ask_to_meet(child, "bob")
    assert not AllowedPerson.objects.exists()
