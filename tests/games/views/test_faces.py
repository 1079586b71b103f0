"""Faces beside names: the same person looks the same everywhere, and every bot like itself."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.erasure import close_account
from accounts.models import OwnMark, OwnTint, User
from games.drawing.marks import MARKS, MARKS_OF_PEOPLE, OTHER_MARK
from games.models import Occupant
from games.pages.board.faces import TINTS, bot_face, face, letters, person_face
from games.roster.entries import BOTS
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, bot, invited, open_table, running
from tests.games.views.conftest import QueryCount


def drawn(client: Client, address: str) -> list[tuple[str | None, str]]:
    """Return the colour and the letters of every face on a page, the reader's in the bar first, "mark" for marks."""
    page = read(client.get(address))
    found = page.find_all("span", class_="face")
    assert all(each.attributes["aria-hidden"] == "true" for each in found)
    return [(each.attributes.get("data-tint"), "mark" if each.find_all("path") else each.text) for each in found]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("alice", "A"), ("Guest-zjgged", "GZ"), ("jean luc picard", "JL"), ("élodie", "É"), ("ßen", "S"), ("-_-", "-")],
)
def test_letters_are_the_first_of_the_first_two_words(name: str, expected: str) -> None:
    assert letters(name) == expected


def test_a_person_keeps_the_colour_under_another_name_and_before_taking_the_seat() -> None:
    seated, renamed = person_face("alice", 13), person_face("bob", 13)
    invited = face(Occupant(invitee="alice", account=13))

    assert seated.tint == renamed.tint == invited.tint == "3"
    assert (seated.is_invited, invited.is_invited) == (False, True)


def test_the_bots_of_a_character_share_a_mark_and_no_two_characters_do() -> None:
    marks = {(bot.character or bot.name, bot_face(bot.name).mark) for bot in BOTS.values()}
    assert marks == set(MARKS.items())
    assert len({*MARKS.values(), OTHER_MARK}) == len(MARKS) + 1


def test_a_bot_of_another_house_has_the_mark_of_all_others_and_a_free_seat_none() -> None:
    assert bot_face("trial").mark == OTHER_MARK
    assert face(Occupant()) == face(Occupant(invitee=""))
    assert not face(Occupant()).letters


def test_every_colour_of_a_face_is_in_the_stylesheet() -> None:
    style = (Path(settings.BASE_DIR) / "static/site/tokens.css").read_text()
    assert all(f'[data-tint="{tint}"]' in style for tint in range(TINTS))
    assert f'[data-tint="{TINTS}"]' not in style


def test_people_and_bots_look_the_same_at_the_table_on_the_board_and_in_lists(alice: User, log_in: LogIn) -> None:
    mine, bots = (str(alice.pk % TINTS), "A"), [("4", "mark"), ("7", "mark")]
    waiting = open_table(alice, ME, bot("sage-3"), bot("random"), OPEN)
    playing = open_table(alice, ME, bot("sage-3"), bot("random"), bot("random"))
    client = log_in(alice)

    assert drawn(client, f"/games/{waiting.slug}/") == [mine, mine, *bots, (None, "")]
    assert drawn(client, f"/games/{playing.slug}/") == [mine, *bots, bots[1]]
    assert drawn(client, "/players/alice/") == [mine, mine]
    # Those to challenge come after the games.
    assert drawn(client, "/games/")[:6] == [mine, *bots, bots[1], *bots]


def test_every_mark_to_choose_is_drawn_and_every_colour_is_there() -> None:
    assert {OwnMark(name) for name in MARKS_OF_PEOPLE} == set(OwnMark) - {OwnMark.LETTERS}
    assert {tint.value for tint in OwnTint} == {"", *map(str, range(TINTS))}
    # People have none of the marks of bots.
    assert len({*MARKS_OF_PEOPLE.values(), *MARKS.values(), OTHER_MARK}) == len(MARKS_OF_PEOPLE) + len(MARKS) + 1


def test_a_mark_and_colour_of_ones_own_are_seen_by_others_at_the_table_in_lists_and_on_the_profile(
    alice: User, bob: User, log_in: LogIn
) -> None:
    playing, waiting = running(alice, bob), open_table(bob, ME, invited("alice"), OPEN)
    reader = log_in(bob)
    theirs = (str(alice.pk % TINTS), "A")
    assert theirs in drawn(reader, f"/games/{playing.slug}/")
    User.objects.filter(pk=alice.pk).update(own_mark="star", own_tint="9")
    for address in (f"/games/{playing.slug}/", f"/games/{waiting.slug}/", "/games/", "/players/alice/"):
        page = drawn(reader, address)
        assert ("9", "mark") in page, address
        assert theirs not in page, address
    paths = [path["d"] for path in read(reader.get("/players/alice/")).find_all("path")]
    assert MARKS_OF_PEOPLE["star"] in paths
    assert drawn(log_in(alice), "/rules/") == [("9", "mark")]


def test_a_page_that_is_open_shows_the_new_face_and_costs_no_query_more(
    alice: User, bob: User, log_in: LogIn, query_count: QueryCount, django_capture_on_commit_callbacks: Any
) -> None:
    game = running(alice, bob)
    reader, mine = log_in(bob), log_in(alice)
    address = f"/games/{game.slug}/board/"
    before, queries = reader.get(address)["ETag"], query_count(reader, f"/games/{game.slug}/")
    with django_capture_on_commit_callbacks(execute=True):
        mine.post("/accounts/preferences/", {"theme": "system", "own_mark": "wave"})
    assert reader.get(address, HTTP_IF_NONE_MATCH=before).status_code == 200
    assert query_count(reader, f"/games/{game.slug}/") == queries


def test_who_closes_the_account_leaves_no_mark(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(own_mark="star", own_tint="9")
    close_account(User.objects.get(pk=alice.pk))
    alice.refresh_from_db()
    assert (alice.own_mark, alice.own_tint) == ("", "")


def test_the_preferences_show_each_mark_as_it_would_be_seen(alice: User, log_in: LogIn) -> None:
    User.objects.filter(pk=alice.pk).update(own_mark="ring", own_tint="2")
    faces = drawn(log_in(alice), "/accounts/preferences/")
    own, shown = faces[0], faces[1:]
    assert own == ("2", "mark")
    assert shown == [
        ("2", "A"),
        *[("2", "mark")] * len(MARKS_OF_PEOPLE),
        (str(alice.pk % TINTS), "mark"),
        *[(str(tint), "mark") for tint in range(TINTS)],
    ]


def test_the_pages_of_bots_show_their_marks(db: None) -> None:
    assert drawn(Client(), "/bots/mason-5/") == [("1", "mark")]
    assert len(drawn(Client(), "/bots/")) > len(MARKS)
