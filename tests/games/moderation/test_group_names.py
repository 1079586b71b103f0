"""The name of a group is reported by who sees it, and taken away by moderators; its keepers choose the next."""

import pytest
from django.test import Client

from accounts.models import User
from games.actions.groups.rename_group import rename_group
from games.actions.groups.set_role import set_role
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.report_group import report_group
from games.actions.moderation.report_player import report_player
from games.errors import BadRequest, NotFound
from games.models import Group, PlayerReport, Reported
from tests.conftest import LogIn
from tests.games.groups.test_members import club
from tests.games.play.pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def group(bob: User, carol: User) -> Group:
    """Return a group of bob and carol with a name of its own."""
    return club(bob, carol, name="Bad words")


def name_of(group: Group) -> str:
    return Group.objects.get(pk=group.pk).name


def decide(judge: User, report: PlayerReport, measure: str, days: int = 0) -> str:
    """Return what the person reads that the decision was about."""
    made = decide_case(judge, report.person_id, measure=measure, reason="name", last=report.pk, days=days)
    return made[-1].shown


def test_members_and_who_has_the_link_report_the_name_in_two_taps_about_the_owner(
    alice: User, carol: User, group: Group, log_in: LogIn
) -> None:
    address = f"/groups/join/{group.invite_token}/report/"
    for user, page in ((alice, f"/groups/join/{group.invite_token}/"), (carol, f"/groups/{group.slug}/")):
        browser = log_in(user)
        assert read(browser.get(page)).find_all("a", href=address)
        form = read(browser.get(address))
        assert "Report the name of this group" in form.text
        assert "Bad words" in form.text
        browser.post(address, {"reason": "name"})
        report = PlayerReport.objects.get(reporter=user)
        assert (report.person.username, report.kind, report.shown) == ("bob", Reported.GROUP, "Bad words")


def test_no_one_else_reports_a_group_nor_its_owner_nor_one_that_has_no_name(
    alice: User, bob: User, group: Group, log_in: LogIn
) -> None:
    address = f"/groups/join/{group.invite_token}/report/"
    assert "/login/" in Client().get(address)["Location"]
    assert log_in(alice).get("/groups/join/no-such-link/report/").status_code == 404
    assert not read(log_in(bob).get(f"/groups/{group.slug}/")).find_all("a", href=address)
    with pytest.raises(BadRequest, match="That is you"):
        report_group(bob, group.invite_token, reason="name")
    rename_group(bob, group.slug, "")
    assert not read(log_in(alice).get(f"/groups/join/{group.invite_token}/")).find_all("a", href=address)
    with pytest.raises(BadRequest, match="named after its owner"):
        report_group(alice, group.invite_token, reason="name")
    with pytest.raises(NotFound):
        report_group(alice, "no-such-link", reason="name")


@pytest.mark.parametrize(("measure", "days"), [("warn", 0), ("rename", 0), ("silence", 7), ("suspend", 7)])
def test_any_measure_takes_the_name_of_the_group_and_not_that_of_its_owner(
    alice: User, bob: User, judge: User, group: Group, measure: str, days: int
) -> None:
    report = report_group(alice, group.invite_token, reason="name")
    assert decide(judge, report, measure, days=days) == "Bad words"
    bob.refresh_from_db()
    assert (name_of(group), bob.username) == ("", "bob")


def test_a_name_in_which_nothing_is_wrong_stays_and_so_does_one_that_was_chosen_since(
    alice: User, bob: User, carol: User, judge: User, group: Group
) -> None:
    decide(judge, report_group(alice, group.invite_token, reason="name"), "none")
    assert name_of(group) == "Bad words"
    report = report_group(alice, group.invite_token, reason="name")
    set_role(bob, group.slug, "carol", "keeper")
    rename_group(carol, group.slug, "Sunday club")
    assert decide(judge, report, "warn") == ""
    assert name_of(group) == "Sunday club"


def test_names_of_a_person_and_of_their_group_that_are_both_reported_go_together(
    alice: User, bob: User, judge: User, group: Group
) -> None:
    report_player(alice, "bob", reason="name")
    assert decide(judge, report_group(alice, group.invite_token, reason="name"), "rename") == "bob, Bad words"
    bob.refresh_from_db()
    assert (name_of(group), bob.username == "bob") == ("", False)
