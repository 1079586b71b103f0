"""The title of a study and the names of its variations are reported by those who read them, and taken away."""

from dataclasses import replace

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.report_player import report_player
from games.actions.moderation.report_study import report_study
from games.actions.studies.create_study import create_study
from games.actions.studies.delete_study import delete_study
from games.actions.studies.name_variation import name_variation
from games.actions.studies.share_study import share_study
from games.actions.studies.undo_variation import undo_variation
from games.errors import BadRequest, NotFound, WrongStatus
from games.models import PlayerReport, Reported, Study
from games.table import records
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.studies.test_comments import tree

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(bob: User) -> Study:
    """Return a shared study of bob's, with a bad title and a variation with a bad name."""
    unnamed = tuple(one._replace(comment="") for one in tree().varied)
    study = create_study(bob, replace(tree(), varied=unnamed), title="Bad words")
    name_variation(bob, study.slug, branch=1, name="Worse words", edition=1)
    share_study(bob, study.slug, is_shared=True)
    study.refresh_from_db()
    return study


def decide(judge: User, report: PlayerReport, measure: str, days: int = 0) -> str:
    """Return what the person reads that the decision was about."""
    made = decide_case(judge, report.person_id, measure=measure, reason="name", last=report.pk, days=days)
    return made[-1].shown


def names_of(study: Study) -> tuple[str, list[str]]:
    """Return the title, and what the varied turns are called."""
    study.refresh_from_db()
    return study.title, [one.name for one in records.stored(study.record).varied]


@pytest.mark.parametrize(
    ("query", "heading", "kind", "shown"),
    [
        ("", "Report the title of this study", Reported.STUDY, "Bad words"),
        ("?branch=1", "Report the name of this variation", Reported.BRANCH, "Worse words"),
    ],
)
def test_those_who_read_a_study_report_what_it_is_called_in_two_taps(
    alice: User, study: Study, log_in: LogIn, query: str, heading: str, kind: str, shown: str
) -> None:
    browser, address = log_in(alice), f"/studies/{study.slug}/report/{query}"
    assert read(browser.get(f"/studies/{study.slug}/{query}")).find_all("a", href=address)
    form = read(browser.get(address))
    assert heading in form.text
    assert shown in form.text
    for _tap in range(2):
        assert browser.post(address, {"reason": "name"})["Location"] == f"/studies/{study.slug}/{query}"
    report = PlayerReport.objects.get()
    assert (report.reporter, report.person.username, report.kind, report.shown) == (alice, "bob", kind, shown)


def test_no_one_else_reports_a_study_nor_its_owner_nor_a_variation_that_has_no_name(
    alice: User, bob: User, study: Study, log_in: LogIn
) -> None:
    address = f"/studies/{study.slug}/report/"
    assert "/login/" in Client().get(address)["Location"]
    assert not read(Client().get(f"/studies/{study.slug}/")).find_all("a", href=address)
    assert not read(log_in(bob).get(f"/studies/{study.slug}/")).find_all("a", href=address)
    with pytest.raises(BadRequest, match="That is you"):
        report_study(bob, study.slug, reason="name")
    name_variation(bob, study.slug, branch=1, name="", edition=study.edition)
    browser = log_in(alice)
    assert not read(browser.get(f"/studies/{study.slug}/?branch=1")).find_all("a", href=f"{address}?branch=1")
    for branch, said in ((1, "no name"), (9, "no such variation")):
        with pytest.raises(BadRequest, match=said):
            report_study(alice, study.slug, branch=branch, reason="name")
    share_study(bob, study.slug, is_shared=False)
    assert browser.get(address).status_code == 404
    with pytest.raises(NotFound):
        report_study(alice, study.slug, reason="name")


@pytest.mark.parametrize(("measure", "days"), [("warn", 0), ("rename", 0), ("silence", 7), ("suspend", 7)])
def test_any_measure_takes_what_was_reported_and_not_the_name_of_the_owner(
    alice: User, bob: User, judge: User, study: Study, measure: str, days: int
) -> None:
    report_study(alice, study.slug, branch=1, reason="name")
    assert decide(judge, report_study(alice, study.slug, reason="name"), measure, days=days) == "Bad words, Worse words"
    bob.refresh_from_db()
    assert names_of(study) == ("Study", ["", ""])
    assert bob.username == "bob"


def test_the_title_is_replaced_in_the_owners_language_and_the_other_names_stay(
    alice: User, bob: User, judge: User, study: Study, log_in: LogIn
) -> None:
    User.objects.filter(pk=bob.pk).update(language="fr")
    assert decide(judge, report_study(alice, study.slug, reason="name"), "warn") == "Bad words"
    assert names_of(study) == ("Étude", ["", "Worse words"])
    page = read(log_in(alice).get(f"/studies/{study.slug}/"))
    assert "Bad words" not in page.text


def test_what_was_taken_is_not_brought_back_by_undoing_nor_by_the_record(
    alice: User, bob: User, judge: User, study: Study, log_in: LogIn
) -> None:
    decide(judge, report_study(alice, study.slug, branch=1, reason="name"), "warn")
    with pytest.raises(WrongStatus, match="undo"):
        undo_variation(bob, study.slug, edition=study.edition + 1)
    with pytest.raises(WrongStatus):
        # Written on a page that was loaded before.
        name_variation(bob, study.slug, branch=1, name="Worse words", edition=study.edition)
    for kind in ("json", "blksgf"):
        assert b"Worse words" not in log_in(alice).get(f"/studies/{study.slug}/record.{kind}").content


def test_a_short_line_after_which_a_variation_is_called_goes_and_what_follows_it_stays(
    alice: User, bob: User, judge: User
) -> None:
    study = create_study(bob, tree(), title="The cross")
    share_study(bob, study.slug, is_shared=True)
    report = report_study(alice, study.slug, branch=1, reason="name")
    assert report.shown == "Instead"
    assert decide(judge, report, "warn") == "Instead"
    study.refresh_from_db()
    assert "Instead" not in study.record


def test_a_title_in_which_nothing_is_wrong_stays_and_a_study_that_is_gone_is_no_hindrance(
    alice: User, bob: User, judge: User, study: Study
) -> None:
    assert decide(judge, report_study(alice, study.slug, reason="name"), "none") == ""
    assert names_of(study)[0] == "Bad words"
    report = report_study(alice, study.slug, reason="name")
    delete_study(bob, study.slug)
    assert decide(judge, report, "warn") == ""


def test_names_of_a_person_and_of_their_study_that_are_both_reported_go_together(
    alice: User, bob: User, judge: User, study: Study
) -> None:
    report_player(alice, "bob", reason="name")
    assert decide(judge, report_study(alice, study.slug, reason="name"), "rename") == "bob, Bad words"
    bob.refresh_from_db()
    assert bob.username != "bob"
