"""The numbers beside My games and Notices, as they are heard."""

import re

import pytest
from django.template.loader import render_to_string
from django.utils import translation


def heard(template: str, language: str, **values: int) -> str:
    """Return the words of a badge in one line."""
    with translation.override(language):
        return " ".join(re.sub(r"<[^>]*>", " ", render_to_string(template, values)).split())


@pytest.mark.parametrize(
    ("language", "number", "said"),
    [("fr", 1, "1 non lue"), ("fr", 2, "2 non lues"), ("en", 1, "1 unread"), ("en", 2, "2 unread")],
)
def test_unread_notices_agree_with_their_number(language: str, number: int, said: str) -> None:
    assert heard("_unread.html", language, unread=number) == said


def test_the_badge_of_games_and_invitations_calls_none_of_them_a_turn() -> None:
    assert heard("_badge.html", "fr", waiting=1) == "1 en attente de vous"
