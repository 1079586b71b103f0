"""Records that are kept to study: opening, looking, sharing, deleting, and what is refused."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts import erasure
from accounts.guests import create_guest
from accounts.models import User
from games.actions.studies import create_study as creation
from games.models import Study
from games.referee.command import main as referee
from games.rules import Position
from games.rules.records import GameRecord, write_blksgf, write_json
from games.table.studies.creating import MAX_STUDIES
from games.views.analysis import studies
from tests.conftest import LogIn
from tests.games.play.pages import data, pieces_shown, read
from tests.games.referee.test_judging import faulty
from tests.games.views.records import FORMS, fetched, hand_in, opened

pytestmark = pytest.mark.django_db

DUO = """(;GM[Blokus Duo]PB[Ann <b>]PW[]EV[Open]RO[2]DT[2020-05-04]C[Before all]
;B[e9,e10,d10,f10,e11]C[A cross
in the middle]
;W[j4,j5,k5,i5,j6])
"""


def errors(answer: object) -> dict[str, str]:
    """Return what is said at the fields of the form."""
    page = read(answer)
    fields = page.find(class_="open").find_all("div", class_="field")
    return {
        field.find_all("label")[0]["for"]: field.find(class_="errorlist").text
        for field in fields
        if field.find_all(class_="errorlist")
    }


def test_a_record_that_is_opened_can_be_gone_through(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    study = opened(browser, DUO)
    assert (study.owner, study.variant, study.move_count) == (alice, "duo", 2)
    assert not study.is_shared
    for move, pieces in ((0, []), (1, ["1"]), (2, ["1", "2"])):
        page = read(browser.get(f"/studies/{study.slug}/", {"move": move}))
        assert pieces_shown(page) == pieces
    assert [leaf[0] for leaf in data(page, "leaves")] == ["The empty board", "Ann <b> placed X", "Orange placed X"]


def test_the_record_of_a_game_between_programs_is_opened_and_says_why_one_lost(
    alice: User, log_in: LogIn, tmp_path: Path
) -> None:
    record = tmp_path / "game.json"
    assert referee(["--size", "9", "--scale", "60", "--record", str(record), faulty("nonsense", "2"), faulty()]) == 0
    browser = log_in(alice)
    study = opened(browser, record.read_text())
    assert study.variant == "codingame-2:9:0"
    page = browser.get(f"/studies/{study.slug}/", {"move": 3}).content.decode()
    assert "Player 0 lost: its answer is no move" in page


def test_what_was_written_is_shown_below_the_board_move_by_move(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    study = opened(browser, DUO)
    said = []
    for move in range(3):
        comment = read(browser.get(f"/studies/{study.slug}/", {"move": move})).find(class_="comment")
        said.append((comment.text, "hidden" in comment.attributes))
    assert said == [("Before all", False), ("A cross in the middle", False), ("", True)]


def test_what_the_record_says_of_the_game_is_told(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    page = read(browser.get(f"/studies/{opened(browser, DUO).slug}/"))
    facts = {term.text: text.text for term, text in zip(page.find_all("dt"), page.find_all("dd"), strict=True)}
    assert (facts["Event"], facts["Round"], facts["Date"]) == ("Open", "2", "2020-05-04")
    assert [name.text for name in page.find_all(class_="player__name")] == ["Ann <b>", "Orange"]


def test_what_is_set_up_lies_there_before_the_first_move(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    study = opened(browser, "(;GM[Blokus Duo]AB[e9,e10,d10,f10,e11]PL[W];W[j4,j5,k5,i5,j6])")
    page = read(browser.get(f"/studies/{study.slug}/", {"move": 0}))
    assert pieces_shown(page) == ["0"]
    assert page.find(class_="last")["d"] == ""
    assert pieces_shown(read(browser.get(f"/studies/{study.slug}/"))) == ["0", "1"]
    for form in FORMS:
        assert fetched(browser, opened(browser, fetched(browser, study, form)), form) == fetched(browser, study, form)


@pytest.mark.parametrize(
    ("title", "record", "called"),
    [
        ("  My \N{RIGHT-TO-LEFT OVERRIDE}own ", DUO, "My own"),
        ("", DUO, "Ann <b> · Orange"),
        ("\N{HANGUL FILLER}\N{BRAILLE PATTERN BLANK}", DUO, "Ann <b> · Orange"),
        ("My\N{SOFT HYPHEN}own", DUO, "Myown"),
        ("", DUO.replace("EV", "GN[The  final]EV"), "The final"),
        ("", "(;GM[Blokus Duo])", "Purple · Orange"),
    ],
)
def test_a_study_is_called_as_asked_or_as_the_record_says(
    title: str, record: str, called: str, alice: User, log_in: LogIn
) -> None:
    assert opened(log_in(alice), record, title=title).title == called


def test_text_can_be_pasted_instead_of_a_file(alice: User, log_in: LogIn) -> None:
    answer = log_in(alice).post("/studies/", {"text": DUO})
    assert answer.status_code == 302
    assert Study.objects.get().move_count == 2


def test_a_visitor_who_opens_a_record_plays_on_as_a_guest() -> None:
    browser = Client()
    study = opened(browser, DUO)
    assert study.owner.is_guest
    assert browser.get(f"/studies/{study.slug}/").status_code == 200
    assert Client().get(f"/studies/{study.slug}/").status_code == 404


ILLEGAL = DUO.replace("j4,j5,k5,i5,j6", "a1")
BAD = {
    "nothing at all": (b"", "not a game record"),
    "no game": (b"hello", "not a game record"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00", "Line 1, column 1"),
    "truncated": (DUO[:-30].encode(), "Line 2, column 24"),
    "no such board": (b"(;GM[Chess])", "Line 1, column 6"),
    "an unknown cell": (DUO.replace("j4,", "z99,").encode(), "Line 4, column 4"),
    "an illegal move": (ILLEGAL.encode(), "Line 4, column 4: move 2 breaks the rules. Your first piece must cover"),
    "half of a JSON": (b'{"format": "block-you", ', "Line 1, column"),
    "JSON of something else": (b'{"format": "x"}', "format"),
    "JSON of no variant": (b'{"format": "block-you", "version": 1, "variant": "chess"}', "chess"),
    "deep JSON": (b'{"a":' + b"[" * 200_000, "nested too deeply"),
    "many brackets": (b"(;" * 300_000, "no more than 20000 nodes"),
    "no UTF-8": (b"(;GM[Blokus Duo]C[\xff])", "Line 1, column 19"),
    "too large": (b"(" + b" " * 2**20, "larger than 1 MiB"),
    "far too large": (b"(" * (3 * 2**20), "larger than 1 MiB"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_file_that_cannot_be_opened_is_told_with_the_place_and_nothing_is_kept(what: str) -> None:
    content, sentence = BAD[what]
    answer = hand_in(Client(), content)
    assert answer.status_code == 422
    assert sentence in errors(answer)["id_file"]
    assert not Study.objects.exists()
    assert not User.objects.exists()


def test_a_text_that_cannot_be_opened_is_kept_in_its_field_with_the_place() -> None:
    answer = Client().post("/studies/", {"text": ILLEGAL, "title": "Mine"})
    assert answer.status_code == 422
    assert "move 2 breaks the rules" in errors(answer)["id_text"]
    area = read(answer).find("textarea")
    assert (area["aria-invalid"], area["aria-describedby"]) == ("true", "id_text_error")
    assert "PB[Ann &lt;b&gt;]" in answer.content.decode()


def test_nothing_handed_in_is_asked_for_again() -> None:
    answer = Client().post("/studies/", {})
    assert (answer.status_code, errors(answer)) == (422, {"id_file": "Choose a file or paste its text."})


def test_hostile_texts_of_a_record_are_text_on_the_page(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    evil = "</script><script>alert(1)</script>"
    game = GameRecord.of(Position.start("duo"), players=(evil, "\N{RIGHT-TO-LEFT OVERRIDE}x"), comments={0: evil})
    page = browser.get(f"/studies/{opened(browser, write_json(game)).slug}/").content.decode()
    assert "<script>alert" not in page
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in page


def test_the_list_shows_the_latest_first_in_pages(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    for number in range(30):
        creation.create_study(alice, GameRecord.of(Position.start("duo")), title=f"Study {number}")
    first, second = (read(browser.get("/studies/", {"page": page})) for page in (1, 2))
    titles = [link.text for page in (first, second) for link in page.find_all("a", class_="list__title")]
    assert titles == [f"Study {number}" for number in reversed(range(30))]


def test_somebody_without_studies_is_told_what_to_do() -> None:
    assert "open it below" in read(Client().get("/studies/")).find(class_="empty").text


def test_a_shared_study_is_seen_and_saved_by_whoever_has_the_link(alice: User, eve: User, log_in: LogIn) -> None:
    browser, stranger = log_in(alice), log_in(eve)
    study = opened(browser, DUO)
    addresses = [f"/studies/{study.slug}/{rest}" for rest in ("", "record.json", "record.blksgf")]
    assert [stranger.get(address).status_code for address in addresses] == [404, 404, 404]
    browser.post(f"/studies/{study.slug}/share/", {"shared": "yes"})
    for visitor in (stranger, Client()):
        assert [visitor.get(address).status_code for address in addresses] == [200, 200, 200]
    browser.post(f"/studies/{study.slug}/share/", {"shared": "no"})
    assert [stranger.get(address).status_code for address in addresses] == [404, 404, 404]


@pytest.mark.parametrize(
    ("record", "title"),
    [
        (DUO, "You idiots"),
        (DUO.replace("Ann <b>", "Ann the moron"), ""),
        (DUO.replace("Before all", "M.o.r.o.n, all of you"), "Ours"),
        (DUO.replace(";W[j4,j5,k5,i5,j6]", "(;W[j4,j5,k5,i5,j6])(;W[j5]C[moron])"), "Ours"),
    ],
)
def test_a_study_with_words_that_insult_is_kept_and_shown_to_no_one_else(
    record: str, title: str, alice: User, bob: User, settings: Any, tmp_path: Path, log_in: LogIn
) -> None:
    settings.INSULTS_FILE = str(tmp_path / "insults")
    Path(settings.INSULTS_FILE).write_text("moron\nidiot", encoding="utf-8")
    browser = log_in(alice)
    study = opened(browser, record, title=title)
    answer = browser.post(f"/studies/{study.slug}/share/", {"shared": "yes"})
    assert (answer.status_code, "may insult others" in read(answer).text) == (400, True)
    study.refresh_from_db()
    assert not study.is_shared


def test_whoever_is_silenced_shares_no_study_and_takes_one_back(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    study = opened(browser, DUO)
    browser.post(f"/studies/{study.slug}/share/", {"shared": "yes"})
    User.objects.filter(pk=alice.pk).update(silenced_until=timezone.now() + timedelta(days=1))
    for shared in ("no", "yes"):
        browser.post(f"/studies/{study.slug}/share/", {"shared": shared})
        study.refresh_from_db()
        assert not study.is_shared


def test_only_the_owner_may_share_or_delete(alice: User, eve: User, log_in: LogIn) -> None:
    browser, stranger = log_in(alice), log_in(eve)
    study = opened(browser, DUO)
    assert stranger.post(f"/studies/{study.slug}/delete/").status_code == 404
    browser.post(f"/studies/{study.slug}/share/", {"shared": "yes"})
    for deed in ("share", "delete"):
        assert stranger.post(f"/studies/{study.slug}/{deed}/").status_code == 403
        assert f"/studies/{study.slug}/{deed}/" not in stranger.get(f"/studies/{study.slug}/").content.decode()
    study.refresh_from_db()
    assert study.is_shared


def test_a_study_that_is_deleted_is_gone(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    study = opened(browser, DUO)
    assert browser.post(f"/studies/{study.slug}/delete/")["Location"] == "/studies/"
    assert browser.get(f"/studies/{study.slug}/").status_code == 404
    assert not Study.objects.exists()


def test_closing_an_account_deletes_its_studies_and_no_others(alice: User, bob: User, log_in: LogIn) -> None:
    opened(log_in(alice), DUO)
    kept = opened(log_in(bob), DUO)
    erasure.close_account(alice)
    assert list(Study.objects.all()) == [kept]


def test_a_guest_who_claims_the_account_keeps_the_studies(log_in: LogIn) -> None:
    guest = create_guest()
    study = opened(log_in(guest), DUO)
    assert study.owner == guest


def test_nobody_keeps_more_than_500_studies(alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_STUDIES == 500
    monkeypatch.setattr("games.actions.studies.create_study.MAX_STUDIES", 1)
    browser = log_in(alice)
    opened(browser, DUO)
    answer = hand_in(browser, DUO)
    assert (answer.status_code, Study.objects.count()) == (429, 1)
    assert "Delete one" in answer.content.decode()


def test_who_hands_in_too_many_records_has_to_wait(
    alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "READ_AN_HOUR", 2)
    for browser in (log_in(alice), Client()):
        found = [hand_in(browser, b"no record").status_code for _ in range(3)]
        assert found == [422, 422, 429]
    assert hand_in(log_in(bob), b"no record").status_code == 422


def test_a_form_that_does_not_know_the_board_is_not_offered(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    study = opened(browser, write_json(GameRecord.of(Position.start("blockyou-4"))))
    assert browser.get(f"/studies/{study.slug}/record.blksgf").status_code == 404
    assert "record.blksgf" not in browser.get(f"/studies/{study.slug}/").content.decode()


def test_a_file_is_read_by_what_it_holds_not_by_its_name(alice: User, log_in: LogIn) -> None:
    text = write_blksgf(GameRecord.of(Position.start("duo")))
    file = SimpleUploadedFile("../../etc/passwd\x00.exe", text.encode())
    assert log_in(alice).post("/studies/", {"file": file}).status_code == 302


@pytest.mark.parametrize("page", ["/games/", "/history/", "/accounts/"])
def test_studies_are_found_from_the_pages_around_them(page: str, alice: User, log_in: LogIn) -> None:
    assert read(log_in(alice).get(page)).find_all("a", href="/studies/")
