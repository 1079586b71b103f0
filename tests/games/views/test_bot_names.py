"""What bots are called, wherever they are named."""

import pytest
from django.utils import translation

from games.models import Occupant
from games.words import names


@pytest.mark.parametrize(
    ("stored", "english", "french"),
    [
        ("mason-5", "Mason, level 5", "Maçon, niveau 5"),
        ("hermit-9", "Hermit, level 9", "Ermite, niveau 9"),
        ("greedy", "Greedy bot", "Robot Glouton"),
        ("mason-five", "mason-five bot", "Robot mason-five"),
        ("gone-3", "gone-3 bot", "Robot gone-3"),
    ],
)
def test_a_stored_name_is_told_in_words_even_if_there_is_no_such_bot_any_more(
    stored: str, english: str, french: str
) -> None:
    told = []
    for language in ("en", "fr"):
        with translation.override(language):
            told.append(names.bot_name(stored))
    assert told == [english, french]


@pytest.mark.parametrize(
    ("bots", "line"),
    [
        (["sage-3", "mason-3", "warden-3"], "Sage, Mason and Warden, level 3"),
        (["sage-3", "sage-3"], "Sage (2), level 3"),
        (["sage-3", "mason-8", "greedy"], "Greedy bot, Sage, level 3, Mason, level 8"),
        (["random", "random"], "Random bot (2)"),
    ],
)
def test_bots_of_one_level_are_named_together(bots: list[str], line: str) -> None:
    assert names.names_of(Occupant(bot=bot) for bot in bots) == line


@pytest.mark.parametrize(
    ("bots", "line"),
    [
        (["sage-3"], "Sage, level 3"),
        (["sage-3", "mason-3", "warden-3"], "Sage, Mason and Warden"),
        (["sage-3", "sage-3", "greedy"], "Sage (2) and Greedy bot"),
    ],
)
def test_the_heading_of_a_game_has_the_level_of_one_bot_alone(bots: list[str], line: str) -> None:
    assert names.short_names_of(Occupant(bot=bot) for bot in bots) == line


@pytest.mark.parametrize(
    ("is_short", "language", "told"),
    [
        (False, "en", ["Random bot 1", "Sage, level 3 #1", "Mason, level 3", "Random bot 2", "Sage, level 3 #2"]),
        (True, "en", ["Random 1", "Sage 3 #1", "Mason 3", "Random 2", "Sage 3 #2"]),
    ],
)
def test_the_seats_of_one_bot_are_told_apart_by_a_number(is_short: bool, language: str, told: list[str]) -> None:
    bots = [Occupant(bot=bot) for bot in ("random", "sage-3", "mason-3", "random", "sage-3")]
    with translation.override(language):
        assert names.seat_names(bots, is_short=is_short) == told
