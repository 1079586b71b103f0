"""A program keeps studies: records that it hands in, and finished games."""

import json
from collections.abc import Callable

import pytest

from accounts.models import Scope, User
from games.actions.people.follow_person import follow_person
from games.models import Study
from games.rules import Position
from games.rules.records import GameRecord, write_blksgf, write_json
from tests.games.api.conftest import Program
from tests.games.tables import play_out, running

pytestmark = [pytest.mark.django_db, pytest.mark.database]

MakeProgram = Callable[..., Program]
RECORD = GameRecord.of(
    Position.start("duo").play(Position.start("duo").legal_placements()[0]),
    players=("Ann", "Ben"),
    title="A first move",
)


@pytest.mark.parametrize("sent", [write_json(RECORD), write_blksgf(RECORD), json.loads(write_json(RECORD))], ids=type)
def test_a_record_becomes_a_study_as_text_and_as_json(alice: User, program: MakeProgram, sent: object) -> None:
    mine = program(alice)
    made = mine.post("studies", record=sent).json()
    assert (made["variant"], made["moves"], made["shared"]) == ("duo", 1, False)
    assert mine.get("studies").json() == [made]
    kept = mine.get(f"studies/{made['slug']}/record").json()
    assert (kept["moves"], kept["players"]) == (json.loads(write_json(RECORD))["moves"], ["Ann", "Ben"])


def test_a_study_has_the_title_that_is_sent(alice: User, program: MakeProgram) -> None:
    mine = program(alice)
    assert mine.post("studies", record=write_json(RECORD), title=" Mine\u202e ").json()["title"] == "Mine"
    assert mine.post("studies", record=write_json(RECORD)).json()["title"] == "A first move"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"record": "nonsense"}, "record"),
        ({"record": ""}, "record"),
        ({"record": {"format": "other"}}, "record"),
        ({"record": write_json(RECORD).replace('"moves": [', '"moves": ["1:e5", ')}, "record"),
        ({"record": "\ud800"}, "record"),
        ({"record": "(" + "x" * 1024 * 1024}, "record"),
        ({"record": write_json(RECORD), "title": "x" * 81}, "title"),
        ({}, "record"),
    ],
    ids=range(8),
)
def test_a_record_that_cannot_be_kept_says_why(
    alice: User, program: MakeProgram, body: dict[str, object], field: str
) -> None:
    answer = program(alice).post("studies", **body)
    told = answer.json()
    assert (answer.status_code, told["code"]) == (400, "bad-request")
    assert told["field"].startswith(field)
    assert not Study.objects.exists()


def test_a_record_that_nests_without_end_is_refused(alice: User, program: MakeProgram) -> None:
    body = '{"record": {"a": ' + "[" * 900 + "]" * 900 + "}}"
    assert program(alice).send("studies", body).status_code == 400


def test_a_finished_game_is_kept_with_its_moves(alice: User, bob: User, program: MakeProgram) -> None:
    game = play_out(running(alice, bob, variant="duo"))
    made = program(bob).post(f"games/{game.slug}/study").json()
    assert made["moves"] == game.move_count
    assert Study.objects.get().owner == bob


def test_a_study_is_shared_and_shared_no_more(alice: User, bob: User, program: MakeProgram) -> None:
    mine, other = program(alice), program(bob)
    path = f"studies/{mine.post('studies', record=write_json(RECORD)).json()['slug']}"
    assert [other.get(path).status_code, Program().get(f"{path}/record").status_code] == [404, 404]
    assert mine.post(f"{path}/share", shared=True).json()["shared"]
    assert [other.get(path).status_code, Program().get(f"{path}/record").status_code] == [200, 200]
    assert other.post(f"{path}/delete").json()["code"] == "not-owner"
    assert not mine.post(f"{path}/share", shared=False).json()["shared"]
    assert other.get(path).status_code == 404
    assert mine.post(f"{path}/delete").status_code == 204
    assert mine.get("studies").json() == []


def test_only_a_token_for_studies_keeps_them(alice: User, program: MakeProgram) -> None:
    answer = program(alice, [Scope.READ, Scope.PLAY, Scope.TABLES]).post("studies", record=write_json(RECORD))
    assert (answer.status_code, answer.json()["code"]) == (403, "scope")


def test_records_are_counted_with_those_of_the_site(
    alice: User, program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.api.endpoints.studies.READ_AN_HOUR", 1)
    mine = program(alice)
    answers = [mine.post("studies", record=write_json(RECORD)) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]


def test_programs_read_and_write_comments_and_let_others_write(alice: User, bob: User, program: MakeProgram) -> None:
    mine, theirs = program(alice), program(bob)
    made = mine.post("studies", record=write_json(RECORD)).json()
    path, seen = f"studies/{made['slug']}", made["edition"]
    sent = mine.post(f"{path}/comments", text="A strong move.", move=1, edition=seen).json()
    assert (sent["author"], sent["move"], sent["branch"], sent["text"]) == ("alice", 1, 0, "A strong move.")
    stale = mine.post(f"{path}/comments", text="Another one.", move=0, edition=seen)
    assert (stale.status_code, stale.json()["code"]) == (409, "study-changed")
    assert theirs.get(f"{path}/comments").status_code == 404
    refused = mine.post(f"{path}/editors", name="bob")
    assert (refused.status_code, refused.json()["code"]) == (409, "not-let-in")
    follow_person(alice, "bob")
    assert mine.post(f"{path}/editors", name="bob").json() == {"name": "bob"}
    assert mine.get(f"{path}/editors").json() == [{"name": "bob"}]
    assert theirs.get(f"{path}/comments").json() == [sent]
    now = theirs.get(path).json()["edition"]
    assert theirs.post(f"{path}/comments/{sent['id']}/remove", edition=now).json()["code"] == "not-author"
    assert theirs.post(f"{path}/comments/{sent['id']}/report", reason="spam").status_code == 204
    placed = json.loads(write_json(RECORD))["moves"][0]
    other = next(str(one) for one in Position.start("duo").legal_placements() if str(one) != placed)
    led = theirs.post(f"{path}/variations", placement=other, move=0, edition=now).json()
    assert led == {"branch": 1, "move": 1}
    assert theirs.post(f"{path}/variations", placement="1:a1", move=0, edition=now + 1).status_code == 422
    assert theirs.post(f"{path}/variations/name", name="Mine", branch=1, edition=now + 1).status_code == 204
    assert mine.get(f"{path}/record").json()["variations"][0]["name"] == "Mine"
    assert theirs.post(f"{path}/variations/remove", branch=2, edition=now + 2).json()["code"] == "no-such-position"
    assert theirs.post(f"{path}/variations/remove", branch=1, edition=now + 2).status_code == 204
    assert "variations" not in mine.get(f"{path}/record").json()
    assert mine.post(f"{path}/variations/undo", edition=now + 3).json() == {"branch": 1, "move": 1}
    assert mine.get(f"{path}/record").json()["variations"][0]["name"] == "Mine"
    assert theirs.post(f"{path}/variations/undo", edition=now + 4, redo=True).json() == {"branch": 0, "move": 0}
    nothing = theirs.post(f"{path}/variations/undo", edition=now + 5, redo=True)
    assert (nothing.status_code, nothing.json()["code"]) == (409, "nothing-to-redo")
    assert mine.get(path).json()["edition"] == now + 5
    assert mine.post(f"{path}/comments/{sent['id']}/remove", edition=now + 5).status_code == 204
    assert theirs.post(f"{path}/leave").status_code == 204
    assert theirs.get(path).status_code == 404
    assert mine.post(f"{path}/editors/bob/remove").status_code == 404
