"""A standing seek is set, seen, changed and ended: on its page, in the lobby, among one's games, and by programs."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.guests import create_guest
from accounts.models import User, Welcome
from games.actions.seeks.set_seek import set_seek
from games.errors import BadRequest, GameError, TooMany
from games.models import Seek
from tests.conftest import LogIn
from tests.games.api.conftest import Program
from tests.games.children.families import child_of
from tests.games.play.pages import read
from tests.games.seeks.test_seating import seek
from tests.games.tasks.workers import run_jobs

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = {"variant": "blockyou-4", "pace": "normal", "number": "3", "rated": "yes", "wait": "15"}


def code_of(do: Callable[[], object]) -> str:
    with pytest.raises(GameError) as refused:
        do()
    return refused.value.code


def test_it_is_set_by_a_form_and_read_in_words(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    answer = read(browser.post("/seeks/", ASKED, follow=True))
    assert "The site finds games for you from now on." in answer.text
    (found,) = Seek.objects.all()
    assert (found.variant, found.pace, found.number, found.is_rated, found.wait) == (
        "blockyou-4",
        "normal",
        3,
        True,
        15,
    )
    run_jobs()
    for address in ("/seeks/", "/lobby/", "/games/"):
        page = read(browser.get(address)).text
        assert "Block-You, 4 players" in page
        assert "up to 3 games · pace: Normal · rated · bots after 15 minutes" in page
        assert "0 games under way · 1 table waiting for players" in page


def test_one_tap_changes_it_and_another_ends_it_and_leads_back(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    found = seek(alice, 2)
    for origin, address in (("lobby", "/lobby/"), ("my-games", "/games/")):
        page = read(browser.get(address))
        values = [button["value"] for button in page.find_all("button", name="number")]
        assert values == ["1", "3"]
        kind = {"variant": "junior", "pace": "normal", "wait": "0", "from": origin}
        assert browser.post("/seeks/", {**kind, "number": "3"})["Location"] == address
        assert Seek.objects.get().number == 3
        browser.post("/seeks/", {**kind, "number": "2"})
    assert browser.post(f"/seeks/{found.pk}/stop/", {"from": "lobby"})["Location"] == "/lobby/"
    assert not Seek.objects.exists()
    assert browser.post(f"/seeks/{found.pk}/stop/").status_code == 404


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"variant": "chess"}, "variant"),
        ({"variant": "codingame-2:13:42"}, "variant"),
        ({"pace": "custom"}, "pace"),
        ({"pace": "soon"}, "pace"),
        ({"number": "0"}, "number"),
        ({"number": "6"}, "number"),
        ({"number": "many"}, "number"),
        ({"wait": "7"}, "wait"),
        ({"wait": "9" * 5000}, "wait"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    sent: dict[str, str], field: str, alice: User, log_in: LogIn
) -> None:
    answer = log_in(alice).post("/seeks/", ASKED | sent)
    assert answer.status_code == 400
    assert len(read(answer).find_all("div", role="alert")) == 1
    assert not Seek.objects.exists()
    asked: dict[str, Any] = {"variant": "duo", "pace": "slow", "is_rated": False, "number": 1}
    value: Any = sent[field] if field in ("variant", "pace") else 77
    with pytest.raises(BadRequest) as refused:
        set_seek(alice, **asked | {field: value})
    assert refused.value.field == field


def test_guests_children_bots_and_whoever_lets_no_one_invite_them_have_none(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia")
    program = User.objects.create(username="robot", name_key="robot", operator=alice)
    User.objects.filter(pk=bob.pk).update(invited_by=Welcome.NO_ONE)
    refused = [(create_guest(), "guest-seek"), (child, "child"), (program, "bot-seek"), (bob, "invites-no-one")]
    for each, code in refused:
        assert code_of(lambda each=each: seek(each)) == code  # type: ignore[misc]
    assert not Seek.objects.exists()


def test_a_person_has_five_and_the_same_kind_is_one(alice: User) -> None:
    for variant in ("junior", "duo", "trigon-2", "classic-2", "blockyou-2"):
        for number in (1, 2):
            seek(alice, number, variant=variant)
    assert [row.number for row in Seek.objects.all()] == [2] * 5
    with pytest.raises(TooMany):
        seek(alice, variant="blockyou-3")


def test_nobody_else_changes_or_ends_it(alice: User, mallory: User, log_in: LogIn) -> None:
    found = seek(alice)
    assert log_in(mallory).post(f"/seeks/{found.pk}/stop/").status_code == 404
    assert "Junior" not in read(log_in(mallory).get("/seeks/")).find("main").text.split("Board")[0]
    assert Seek.objects.exists()


def test_a_guest_is_asked_to_keep_their_games_by_a_button_on_a_line_of_its_own(log_in: LogIn) -> None:
    main = read(log_in(create_guest()).get("/seeks/")).find("main")
    (button,) = [link for link in main.find_all("a") if link.text == "Save my games"]
    (line,) = [one for one in main.find_all("p") if button in one.find_all("a")]
    assert line.text == button.text


def test_it_is_read_in_french(alice: User, log_in: LogIn) -> None:
    User.objects.filter(pk=alice.pk).update(language="fr")
    seek(alice, 3)
    page = read(log_in(alice).get("/seeks/")).text
    assert "Recherches permanentes" in page
    assert "jusqu’à 3 parties" in page


def test_programs_do_the_same(alice: User, program: Callable[..., Program]) -> None:
    hers = program(alice)
    (row,) = hers.post("seeks", variant="blockyou-4", pace="slow", number=2, rated=False).json()
    assert (row["variant"], row["pace"], row["number"], row["rated"], row["rests"]) == (
        *("blockyou-4", "slow", 2, False),
        "",
    )
    run_jobs()
    (row,) = hers.get("seeks").json()
    assert (row["running"], row["waiting"]) == (0, 1)
    refused = hers.post("seeks", variant="chess")
    assert (refused.status_code, refused.json()["field"]) == (400, "variant")
    assert hers.post(f"seeks/{row['id']}/stop").status_code == 204
    assert hers.get("seeks").json() == []
    assert hers.post(f"seeks/{row['id']}/stop").status_code == 404
