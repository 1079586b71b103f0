"""No table and no player is called by a word of the host's list, in whatever spelling reads alike."""

from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from pytest_django import Settings

from accounts.names import check, is_insult


@pytest.mark.parametrize(
    "text",
    [
        "wanker", "Les Connards", "SALOPE", "sal0pe", "enculé", "ENCULE!", "wanker-club", "you $hit", "sh!t",
        "f u c k", "f.u.c.k", "f_u_c_k", "fuuuuck", "ｗａｎｋｅｒ", "w\u0430nker", "5hit", "une pute ?",
    ],
)  # fmt: skip
def test_an_insult_is_known_in_every_spelling(text: str) -> None:
    assert is_insult(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "Sunday", "Scunthorpe", "Dick and Click", "Assassins", "Computer", "reputation", "42", "455", "Fête d’été",
        "A B C", "Penistone", "Essex", "Ω ★ 5", "Jean Merdier", "می‌خواهم", "Class of 2026!",
    ],
)  # fmt: skip
def test_a_word_within_another_one_is_none(text: str) -> None:
    assert not is_insult(text)


def test_a_long_row_of_signs_is_looked_through_at_once() -> None:
    # By a pattern that can match an underscore in two ways this would take years, and the test would never end.
    assert not is_insult("_" * 500 + "ab")


def test_the_host_names_words_of_their_own(settings: Settings, tmp_path: Path) -> None:
    own = tmp_path / "words.txt"
    own.write_text("# mine\nMuggle\n")
    settings.INSULTS_FILE = str(own)
    assert is_insult("a muggle")
    assert not is_insult("wanker")


def test_no_player_takes_such_a_name() -> None:
    with pytest.raises(ValidationError) as refused:
        check("Wank3r")
    assert refused.value.code == "insult"
