"""What is said in French: why a move is refused, how many there are, when something is, what the rules say."""

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from accounts.models import User
from games.actions.moves.resign import resign
from games.clock import DAY, HOUR, TimeControl
from games.rules import errors
from games.rules.errors import RulesError
from games.rules.records import read
from games.table.records import unreadable_text
from games.words import boards, clocks, sentences
from games.words.phrases import phrase_text
from tests.conftest import LogIn
from tests.games.play.pages import read as read_page
from tests.games.tables import NOON, due, running

FRENCH = {"Accept-Language": "fr"}
KEY = "a-key-of-ours"


@pytest.fixture
def french() -> Iterator[None]:
    with translation.override("fr"):
        yield


@pytest.mark.parametrize("reason", errors.REASONS)
def test_every_reason_of_a_refusal_is_told_in_french(french: None, reason: str) -> None:
    sentence = sentences.reason(reason, ("a1", "b1"))
    with translation.override("en"):
        assert sentences.reason(reason, ("a1", "b1")) != sentence


def placed(browser: Client, slug: str, placement: str, number: int) -> str:
    data = {"placement": placement, "number": str(number), "key": KEY}
    return browser.post(f"/games/{slug}/place/", data, headers=FRENCH).content.decode()


@pytest.mark.django_db
def test_a_refused_move_says_in_french_what_is_wrong_and_where(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    html = placed(log_in(alice), game.slug, "1:c3", due(game))
    assert "Votre première pièce doit couvrir votre case de départ, a1." in html
    assert "Ce n’est pas à vous de jouer." in placed(log_in(bob), game.slug, "1:t20", due(game))


@pytest.mark.django_db
def test_a_clock_that_runs_in_the_page_counts_days_in_french(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, time=TimeControl.days_a_move(3))
    page = read_page(log_in(alice).get(f"/games/{game.slug}/", headers=FRENCH))
    running_clocks = page.find_all("time", data_behaviour="countdown")
    assert {clock["data-day"] for clock in running_clocks} == {"j"}


@pytest.mark.parametrize(("count", "words"), [(0, "0 joueur"), (1, "1 joueur"), (2, "2 joueurs"), (21, "21 joueurs")])
def test_nothing_and_one_are_singular_in_french(french: None, count: int, words: str) -> None:
    assert boards.players(count) == words


def test_lists_and_times_are_written_as_in_french(french: None) -> None:
    assert sentences.listed(["Bleu", "Jaune", "Rouge"]) == "Bleu, Jaune et Rouge"
    assert clocks.clock_text(2 * DAY + 3 * HOUR) == "2\N{NO-BREAK SPACE}j 3\N{NO-BREAK SPACE}h"


@pytest.mark.django_db
def test_dates_are_written_in_french(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    User.objects.filter(pk=bob.pk).update(date_joined=NOON)
    assert "Sur le site depuis mars 2026" in Client().get("/players/bob/", headers=FRENCH).content.decode()
    game = running(alice, bob, carol)
    resign(alice, game.slug, now=NOON)
    answer = log_in(alice).get(f"/games/{game.slug}/", headers=FRENCH)
    assert "Vous avez abandonné le 1 mars" in answer.content.decode()


def test_the_history_speaks_to_me_and_of_others(french: None, db: None, alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    placed(log_in(alice), game.slug, "V3:a1,b1,a2", due(game))
    mine, theirs = (log_in(who).get(f"/games/{game.slug}/", headers=FRENCH).content.decode() for who in (alice, bob))
    assert "Vous avez posé V3" in mine
    assert "alice a posé V3" in theirs


#: Records that cannot be opened, each for a reason of its own.
RECORD: dict[str, Any] = {"format": "block-you", "version": 1, "variant": "duo", "moves": []}
BROKEN = [
    "no game",
    "(;GM[Blokus",
    "(;GM[Chess])",
    "(;GM[Blokus Duo];B[e10,e11];W[zz])",
    "(;GM[Blokus Duo];B[a1])",
    "()",
    "(;GM[Blokus Duo]) rest",
    '{"format": "block-you"',
    "[" * 3 + "{",
    "{" + '"a":{' * 9000,
    *(
        json.dumps({**RECORD, **change})
        for change in cast(
            list[dict[str, Any]],
            [
                {"format": "other"},
                {"version": 2},
                {"variant": "chess"},
                {"variant": 3},
                {"scoring": "gold"},
                {"moves": "none"},
                {"moves": [1]},
                {"moves": ["hello"]},
                {"moves": ["retire:7"]},
                {"moves": ["1:a1"]},
                {"colours": ["pink"]},
                {"setup": []},
                {"setup": {"placed": [["blue"]]}},
                {"setup": {"placed": [["pink", "1:a1"]]}},
                {"setup": {"to_play": "pink"}},
                {"thoughts": {"1": {}}},
                {"thoughts": {"1": {"level": -1}}},
                {"thoughts": {"1": {"value": 2}}},
                {"thoughts": {"1": {"engine": "x" * 101}}, "moves": ["1:e10"]},
                {"comments": {"x": "y"}},
                {"comments": {"7": "y"}},
                {"title": "long" * 99},
                {"players": ["a", "b", "c"]},
            ],
        )
    ),
]


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: text[:40])
def test_why_a_record_cannot_be_opened_is_told_in_french(french: None, text: str) -> None:
    with pytest.raises(RulesError) as caught:
        read(text)
    phrases = caught.value.place if isinstance(caught.value, errors.IllegalRecord) else caught.value.phrase
    assert untranslated(phrases) == []
    assert "cannot" not in unreadable_text(caught.value)
    assert "breaks" not in unreadable_text(caught.value)


def untranslated(phrase: errors.Phrase) -> list[str]:
    """Return the texts of a phrase, and of those inside it, that stay as they are; quoted text and paths may."""
    is_data = phrase.text.startswith(("'", '"', "moves["))
    own = [] if is_data or gettext(phrase.text) != phrase.text else [phrase.text]
    inner = [value for value in phrase.values.values() if isinstance(value, errors.Phrase)]
    return own + [text for each in inner for text in untranslated(each)]


def test_a_phrase_is_translated_with_those_inside_it(french: None) -> None:
    where = errors.Phrase("Line %(line)d, column %(column)d", {"line": 3, "column": 4})
    phrase = errors.Phrase("%(where)s: expected %(what)s.", {"where": where, "what": errors.Phrase("one cell only")})
    assert phrase_text(phrase) == "Ligne 3, colonne 4\u00a0: on attend une seule case."
    assert str(phrase) == "Line 3, column 4: expected one cell only."
