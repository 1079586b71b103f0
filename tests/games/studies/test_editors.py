"""People whom the owner of a study lets write in it: who may be, what they do, and how it ends."""

from dataclasses import replace

import pytest
from django.test import Client

from accounts.erasure import close_account
from accounts.guests import create_guest
from accounts.models import User
from games.actions.people.block_person import block_person
from games.actions.people.follow_person import follow_person
from games.actions.studies.add_editor import add_editor
from games.actions.studies.create_study import create_study
from games.actions.studies.delete_study import delete_study
from games.actions.studies.leave_study import leave_study
from games.actions.studies.name_variation import name_variation
from games.actions.studies.remove_comment import remove_comment
from games.actions.studies.remove_editor import remove_editor
from games.actions.studies.remove_variation import remove_variation
from games.actions.studies.share_study import share_study
from games.actions.studies.write_comment import write_comment
from games.errors import BadRequest, InvitationRefused, NotFound, NotSeated, TooMany, WrongStatus
from games.models import MutedPerson, Study, StudyComment, StudyEditor
from games.rules import Position
from games.rules.records import GameRecord, VariedTurn, write_blksgf, write_json
from games.rules.records import read as read_record
from games.table import records
from games.table.people import editing
from tests.conftest import LogIn, person
from tests.games.play.pages import read
from tests.games.studies.test_comments import page_of, said, wrote
from tests.games.studies.test_comments import study as study
from tests.games.tables import NOON, play_out, running
from tests.games.views.conftest import QueryCount
from tests.games.views.conftest import query_count as query_count

pytestmark = pytest.mark.django_db


@pytest.fixture
def shared(alice: User, bob: User, study: Study) -> Study:
    """Return a study of alice's in which bob, whom she follows, writes too."""
    follow_person(alice, "bob")
    add_editor(alice, study.slug, "bob")
    study.refresh_from_db()
    return study


def test_an_owner_lets_a_person_write_who_is_told_and_takes_the_right_away_again(
    alice: User, bob: User, study: Study, log_in: LogIn
) -> None:
    mine, theirs = log_in(alice), log_in(bob)
    follow_person(alice, "bob")
    address = f"/studies/{study.slug}/"
    assert theirs.get(address).status_code == 404
    form = page_of(mine, study).find("form", class_="writers__let")
    sent = {each["name"]: each["value"] for each in form.find_all("input", type="hidden")}
    assert mine.post(f"{address}editors/", {**sent, "name": "bob"}).status_code == 302
    bob.refresh_from_db()
    assert bob.unread_notices == 1
    notice = read(theirs.get("/notices/")).find(class_="list__row")
    assert "alice lets you write in a study" in notice.text
    assert notice.find("a", href=address)
    assert "data-new" in notice.attributes
    bob.refresh_from_db()
    assert (bob.unread_notices, StudyEditor.objects.get().is_new) == (0, False)
    assert read(theirs.get("/studies/")).find_all("a", href=address)
    kept = theirs.post(f"{address}comments/", {"text": "From bob", "move": "1", "edition": str(study.edition)})
    assert kept.status_code == 302
    # Each comment says whose it is.
    assert "bob" in page_of(mine, study).find(class_="said__who").text
    remove = page_of(mine, study).find("form", action=f"{address}editors/remove/")
    assert mine.post(remove["action"], {"name": remove.find("input", value="bob")["value"]}).status_code == 302
    assert theirs.get(address).status_code == 404
    assert not read(theirs.get("/studies/")).find_all("a", href=address)
    assert said(page_of(mine, study)) == ["From bob"]


def test_twice_is_once_and_an_editor_who_was_not_told_yet_is_told_nothing_once_the_right_is_gone(
    alice: User, bob: User, shared: Study
) -> None:
    add_editor(alice, shared.slug, "bob")
    bob.refresh_from_db()
    assert (StudyEditor.objects.count(), bob.unread_notices) == (1, 1)
    remove_editor(alice, shared.slug, "bob")
    bob.refresh_from_db()
    assert bob.unread_notices == 0
    with pytest.raises(NotFound):
        remove_editor(alice, shared.slug, "bob")


def test_who_has_played_with_the_owner_may_be_let_in_and_strangers_are_not(
    alice: User, bob: User, carol: User, study: Study, log_in: LogIn
) -> None:
    play_out(running(alice, bob, variant="duo"))
    assert add_editor(alice, study.slug, "bob").person == bob
    answer = log_in(alice).post(f"/studies/{study.slug}/editors/", {"name": "carol"})
    assert answer.status_code == 409
    page = read(answer)
    assert "carol is not one of them" in page.find(id="writer-refusal").text
    assert page.find(id="writer-name")["value"] == "carol"
    assert log_in(alice).post(f"/studies/{study.slug}/editors/", {"name": "no one"}).status_code == 404
    with pytest.raises(BadRequest):
        add_editor(alice, study.slug, "alice")


def test_no_guest_lets_in_or_is_let_in_and_no_one_who_is_blocked_or_wants_no_invitations(
    alice: User, bob: User, carol: User, study: Study, log_in: LogIn
) -> None:
    guest = create_guest()
    play_out(running(alice, guest, variant="duo"))
    for each in ("bob", "carol"):
        follow_person(alice, each)
    User.objects.filter(pk=carol.pk).update(invited_by="no-one")
    block_person(bob, "alice")
    for name in (guest.username, "bob", "carol"):
        with pytest.raises((InvitationRefused, NotFound)):
            add_editor(alice, study.slug, name)
    Study.objects.update(owner=guest)
    with pytest.raises(NotSeated) as refused:
        add_editor(guest, study.slug, "alice")
    assert refused.value.code == "guest"
    assert not StudyEditor.objects.exists()


def test_editors_remove_what_they_wrote_and_the_owner_all(alice: User, bob: User, shared: Study) -> None:
    own, other = wrote(alice, shared, "Mine", move=1), wrote(bob, shared, "Theirs", move=1)
    shared.refresh_from_db()
    with pytest.raises(NotSeated) as refused:
        remove_comment(bob, shared.slug, own.pk, edition=shared.edition)
    assert refused.value.code == "not-author"
    remove_comment(alice, shared.slug, other.pk, edition=shared.edition)
    with pytest.raises(WrongStatus):
        remove_comment(alice, shared.slug, own.pk, edition=shared.edition)
    assert list(StudyComment.objects.all()) == [own]


def test_editors_neither_share_nor_delete_nor_let_others_in(
    alice: User, bob: User, carol: User, shared: Study, log_in: LogIn
) -> None:
    follow_person(bob, "carol")
    for act in (
        lambda: share_study(bob, shared.slug, is_shared=True),
        lambda: delete_study(bob, shared.slug),
        lambda: add_editor(bob, shared.slug, "carol"),
        lambda: remove_editor(bob, shared.slug, "bob"),
    ):
        with pytest.raises(NotSeated):
            act()
    page = page_of(log_in(bob), shared)
    assert not page.find_all(id="writers")
    assert "A study of alice" in page.text


def test_an_editor_leaves(alice: User, bob: User, shared: Study, log_in: LogIn) -> None:
    browser = log_in(bob)
    wrote(bob, shared, "I was here", move=1)
    form = page_of(browser, shared).find("form", action=f"/studies/{shared.slug}/leave/")
    assert browser.post(form["action"])["Location"] == "/studies/"
    assert browser.get(f"/studies/{shared.slug}/").status_code == 404
    assert said(page_of(log_in(alice), shared)) == ["I was here"]
    share_study(alice, shared.slug, is_shared=True)
    with pytest.raises(NotFound):
        leave_study(bob, shared.slug)


@pytest.mark.parametrize("who_blocks", ["alice", "bob"])
def test_a_block_ends_it_from_either_side(alice: User, bob: User, shared: Study, who_blocks: str) -> None:
    blocker, blocked = (alice, "bob") if who_blocks == "alice" else (bob, "alice")
    block_person(blocker, blocked)
    bob.refresh_from_db()
    assert (StudyEditor.objects.exists(), bob.unread_notices) == (False, 0)


def test_readers_are_not_shown_what_people_write_whom_they_muted_or_blocked_but_the_owner_is_shown_all(
    alice: User, bob: User, carol: User, shared: Study, log_in: LogIn
) -> None:
    wrote(bob, shared, "From bob", move=1)
    wrote(alice, shared, "From alice", move=1)
    share_study(alice, shared.slug, is_shared=True)
    for reader in (alice, carol):
        MutedPerson.objects.create(person=reader, other=bob, made_at=NOON)
    assert said(page_of(log_in(alice), shared)) == ["From bob", "From alice"]
    block_person(carol, "alice")
    browser = log_in(carol)
    assert said(page_of(browser, shared)) == []
    for form in ("json", "blksgf"):
        assert "From" not in browser.get(f"/studies/{shared.slug}/record.{form}").content.decode()
    assert said(page_of(Client(), shared)) == ["From bob", "From alice"]


def test_ten_people_write_in_a_study_at_most(alice: User, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    assert editing.MAX_EDITORS == 10
    monkeypatch.setattr("games.actions.studies.add_editor.MAX_EDITORS", 1)
    for name in ("dora", "emil"):
        follow_person(alice, person(name).username)
    add_editor(alice, study.slug, "dora")
    with pytest.raises(TooMany):
        add_editor(alice, study.slug, "emil")


def test_where_no_one_talks_no_one_is_let_in(alice: User, bob: User, study: Study, settings: object) -> None:
    follow_person(alice, "bob")
    settings.TALK = "off"  # type: ignore[attr-defined]
    with pytest.raises(NotSeated) as refused:
        add_editor(alice, study.slug, "bob")
    assert refused.value.code == "talk-off"


def test_an_editor_who_closes_the_account_takes_what_they_wrote_along_and_their_name_from_what_others_wrote(
    alice: User, bob: User, shared: Study
) -> None:
    wrote(bob, shared, "From bob", move=1)
    wrote(alice, shared, "As bob says", move=1)
    close_account(bob)
    assert not StudyEditor.objects.exists()
    assert [each.text for each in StudyComment.objects.all()] == ["As deleted says"]


def test_an_owner_who_closes_the_account_takes_the_study_along_and_all_in_it(
    alice: User, bob: User, shared: Study
) -> None:
    wrote(bob, shared, "From bob", move=1)
    close_account(alice)
    assert not Study.objects.exists()
    assert not StudyComment.objects.exists()
    assert not StudyEditor.objects.exists()
    bob.refresh_from_db()
    assert bob.unread_notices == 0


def test_of_a_study_that_is_gone_no_notice_is_counted(alice: User, bob: User, shared: Study) -> None:
    bob.refresh_from_db()
    assert bob.unread_notices == 1
    delete_study(alice, shared.slug)
    bob.refresh_from_db()
    assert bob.unread_notices == 0


def test_who_only_wrote_with_the_owner_takes_their_name_out_of_the_record_and_the_comments(
    alice: User, bob: User, shared: Study
) -> None:
    name_variation(alice, shared.slug, branch=1, name="What bob found", edition=shared.edition)
    shared.refresh_from_db()
    wrote(alice, shared, "As bob says", move=1)
    close_account(bob)
    shared.refresh_from_db()
    assert "bob" not in shared.record
    assert "What deleted found" in shared.record
    assert [each.text for each in StudyComment.objects.all()] == ["As deleted says"]


def test_a_page_costs_as_many_queries_with_one_editor_as_with_many(
    alice: User, shared: Study, log_in: LogIn, query_count: QueryCount
) -> None:
    browser = log_in(alice)
    few = query_count(browser, f"/studies/{shared.slug}/")
    for number in range(5):
        other = person(f"editor{number}")
        StudyEditor.objects.create(study=shared, person=other, let_in_at=NOON)
    assert query_count(browser, f"/studies/{shared.slug}/") == few


def test_where_nobody_talks_the_owner_alone_writes_in_a_study(
    alice: User, bob: User, shared: Study, settings: object
) -> None:
    settings.TALK = "off"  # type: ignore[attr-defined]
    with pytest.raises(NotSeated) as refused:
        write_comment(bob, shared.slug, move=0, text="From bob", edition=shared.edition, now=NOON)
    assert refused.value.code == "talk-off"
    write_comment(alice, shared.slug, move=0, text="A note of mine", edition=shared.edition, now=NOON)
    assert StudyComment.objects.get().text == "A note of mine"


def test_what_the_owners_record_says_of_a_move_is_not_removed_by_others_who_write(
    alice: User, bob: User, log_in: LogIn
) -> None:
    start = Position.start("duo")
    first, second = (str(each) for each in start.legal_placements()[:2])
    beside = (
        VariedTurn(0, 0, first, "Short\nThen all that there is to say of it."),
        VariedTurn(0, 0, second, name="A name"),
    )
    study = create_study(alice, replace(GameRecord.of(start), varied=beside))
    follow_person(alice, "bob")
    add_editor(alice, study.slug, "bob")
    sent = {"branch": "1", "move": "1", "edition": str(study.edition)}
    answer = log_in(bob).post(f"/studies/{study.slug}/board/remove/", sent)
    assert (answer.status_code, answer["X-Error-Code"]) == (409, "has-comments")
    assert "Only the owner of the study" in read(answer).find(class_="say__notice").text
    remove_variation(bob, study.slug, branch=2, edition=study.edition)
    remove_variation(alice, study.slug, branch=1, edition=study.edition + 1)
    study.refresh_from_db()
    assert records.stored(study.record).varied == ()


def test_an_editor_who_names_a_variation_takes_no_word_of_the_owner_away(alice: User, bob: User, shared: Study) -> None:
    told = records.stored(shared.record)
    last = told.varied[1]._replace(comment="Strong!\nAnd calm.")
    shared.record = write_json(replace(told, varied=(told.varied[0], last)))
    shared.save()
    for name in ("Bob's way", "", "Another"):
        shared.refresh_from_db()
        name_variation(bob, shared.slug, branch=2, name=name, edition=shared.edition)
        shared.refresh_from_db()
        kept = records.stored(shared.record)
        assert (kept.varied[1].comment, kept.varied[1].name) == ("Strong!\nAnd calm.", name)
    with pytest.raises(WrongStatus):
        remove_variation(bob, shared.slug, branch=2, edition=shared.edition)
    for form in (write_json, write_blksgf):
        assert read_record(form(kept)).varied == kept.varied
    for _ in range(2):
        name_variation(alice, shared.slug, branch=2, name="", edition=shared.edition)
        shared.refresh_from_db()
    assert records.stored(shared.record).varied[1] == last._replace(comment="And calm.")
