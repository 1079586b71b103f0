"""Faces beside names: the same person looks the same everywhere, and every bot like itself."""

from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from games.drawing.marks import MARKS, OTHER_MARK
from games.models import Occupant
from games.pages.board.faces import TINTS, bot_face, face, letters, person_face
from games.roster.entries import BOTS
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, bot, open_table


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


def test_the_pages_of_bots_show_their_marks(db: None) -> None:
    assert drawn(Client(), "/bots/mason-5/") == [("1", "mark")]
    assert len(drawn(Client(), "/bots/")) > len(MARKS)
