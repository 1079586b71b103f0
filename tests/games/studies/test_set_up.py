"""A position that is set up by hand becomes a study, whose board goes on from there."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Study
from games.rules.variants import SIZED, VARIANTS
from games.table import records
from tests.conftest import LogIn
from tests.games.play.pages import Element, read

pytestmark = pytest.mark.django_db

PATH = "/studies/set-up/"
CROSS = "X:e9,e10,d10,f10,e11"


def sent(**fields: str) -> dict[str, str]:
    """Return the form of a board for two, filled in."""
    return {
        "board": "duo",
        "to_play": "orange",
        **{name.replace("placed_", "placed-"): text for name, text in fields.items()},
    }


def errors(page: Element) -> list[str]:
    return [each.text for each in page.find_all("ul", class_="errorlist")]


def test_every_board_of_one_size_is_offered_with_a_field_for_each_colour(client: Client, db: None) -> None:
    boards = [link["href"] for link in read(client.get(PATH)).find_all("a", class_="list__title")]
    assert boards == [f"{PATH}?board={kind}" for kind in VARIANTS if kind not in SIZED]
    for address in boards:
        variant = VARIANTS[address.partition("=")[2]]
        page = read(client.get(address))
        assert [each["name"] for each in page.find_all("textarea")] == [f"placed-{one}" for one in variant.colours]


def test_what_is_set_up_lies_on_the_board_of_a_new_study_with_the_chosen_colour_to_play(
    alice: User, log_in: LogIn
) -> None:
    browser = log_in(alice)
    link = read(browser.get("/studies/")).find("a", href=PATH)
    assert link.text == "Set up a position"
    fields = sent(placed_purple=f"{CROSS}\n 1:a1 ; ", placed_orange="F at j5 r90", title="A cross in the middle")
    answer = browser.post(PATH, fields)
    study = Study.objects.get()
    assert (answer["Location"], study.title) == (f"/studies/{study.slug}/board/", "A cross in the middle")
    record = records.stored(study.record)
    assert [colour for colour, _piece in record.placed] == ["purple", "purple", "orange"]
    assert (record.to_play, record.record.moves) == ("orange", ())
    assert (study.board.count("0"), study.board.count("1")) == (6, 5)
    assert browser.get(answer["Location"]).status_code == 200
    after = str(record.start().legal_placements()[0])
    tried = browser.post(
        f"/studies/{study.slug}/board/try/", {"placement": after, "move": "0", "branch": "0", "edition": "1"}
    )
    assert tried.status_code == 302
    assert next(one.turn for one in records.stored(Study.objects.get().record).varied) == after


def test_an_empty_board_is_a_position_too(client: Client, db: None) -> None:
    assert client.post(PATH, sent(to_play="purple")).status_code == 302
    assert set(Study.objects.get().board) == {"."}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"placed_purple": CROSS, "placed_orange": "1:e9"}, "1:e9: "),
        ({"placed_purple": f"{CROSS}\n{CROSS}"}, "e9"),
        ({"placed_purple": f"{CROSS}; X:j9,j10,k10,i10,j11"}, "X:"),
        ({"placed_purple": "nonsense"}, "nonsense: This move could not be read."),
        ({"placed_purple": "1:z99"}, "1:z99: "),
        ({"to_play": "blue"}, "blue"),
    ],
)
def test_what_cannot_lie_there_is_said_at_its_colour_and_nothing_is_kept(
    client: Client, db: None, fields: dict[str, str], said: str
) -> None:
    answer = client.post(PATH, sent(**fields))
    assert answer.status_code == 422
    page = read(answer)
    [error] = errors(page)
    assert said in error
    assert not Study.objects.exists()
    kept = {each["name"]: each.text for each in page.find_all("textarea")}
    assert kept["placed-purple"].strip() == " ".join(fields.get("placed_purple", "").split())


def test_an_unknown_board_is_none(client: Client, db: None) -> None:
    for board in ("chess", "codingame-2", ""):
        assert client.post(PATH, sent() | {"board": board}).status_code in (200, 422)
    assert not Study.objects.exists()
