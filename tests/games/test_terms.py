"""A term of a table is declared once: what `games.base.terms.Terms` lists is stored, told, asked for and said."""

from dataclasses import fields, replace
from typing import Any

import pytest
from django.db.models import NOT_PROVIDED
from django.http import QueryDict
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.edit_table import edit_table
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.api.hosting import TableChanges
from games.api.schemas import TERM_NAMES, NewTable
from games.base.terms import EDITABLE, NUMBERS, TIME_COLUMNS, TableTerms, Terms, terms_of
from games.clock import PACES, TimeControl
from games.forms.edit_table import EditTableForm
from games.forms.table import NewGameForm
from games.models import Change, Game
from games.pages.waiting.create import last_choice
from games.pages.waiting.edit_table import edit_page
from games.pages.waiting.invitation import waiting_table
from games.queries.tables.table import details_of, table_state
from games.words.table_changes import change_text
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, bot, fresh, invited, open_table

DECLARED = {each.name: each.default for each in fields(Terms)}
#: Other values than the usual ones. Of a number it is the last that the form offers, of an answer the other one.
UNUSUAL = {
    "scoring": "coverage",
    "name": "Sunday round",
    "stand_in": "greedy",
    "time": PACES["slow"],
    "is_rated": False,
}
#: How the form asks for these values. A number is asked for by its name.
ANSWERS = {
    "scoring": ("scoring", "coverage"),
    "name": ("name", "Sunday round"),
    "is_public": ("is_public", "no"),
    "declares_passes": ("passes", "declared"),
    "allows_hints": ("hints", "no"),
    "allows_advice": ("hints", "yes"),
    "allows_explanations": ("explains", "yes"),
    "allows_takebacks": ("takebacks", "yes"),
    "allows_texts": ("talk", "phrases"),
    "is_rated": ("rated", "no"),
    "is_paused": ("is_paused", "on"),
    "stand_in": ("stand_in", "greedy"),
    "time": ("time", "slow"),
    "is_shuffled": ("dealing", "set"),
    "lets_choose": ("dealing", "choose"),
}
SETTLED = "what was left open is settled as the table opens"
#: Terms that are usually not what a row is without them, and why.
WITHOUT_ITS_DEFAULT = {
    "scoring": SETTLED,
    "allows_advice": SETTLED,
    "allows_explanations": SETTLED,
    "is_rated": SETTLED,
    "allows_takebacks": SETTLED,
}
#: Terms that a rematch does not take over, and why.
NOT_AGAIN = {"is_paused": "those who ask for a rematch want to see it"}
#: Terms that the list on the page of a waiting table leaves out, and why.
NOT_LISTED = {
    "name": "it is the title",
    "is_paused": "such a table does not wait",
    "is_shuffled": "the seats have their colours, whoever gave them",
    "lets_choose": "the page offers the choice itself",
}

every_term = pytest.mark.parametrize("name", DECLARED)
what_can_be_changed = pytest.mark.parametrize("name", EDITABLE)


def unusual(name: str) -> Any:
    if name in UNUSUAL:
        return UNUSUAL[name]
    return last_offered(name) if name in NUMBERS else not DECLARED[name]


def last_offered(name: str) -> int:
    field: Any = NewGameForm().fields[name]
    return int(field.choices[-1][0])


def opened(alice: User, **terms: Any) -> Game:
    """Return a table at which any term can have any of its values."""
    seats = (bot(), bot(), bot()) if terms.get("is_paused") else (ME, OPEN, bot())
    return fresh(open_table(alice, *seats, **terms))


@every_term
def test_a_term_is_a_column_that_begins_as_the_declaration_says(name: str) -> None:
    if name == "time":
        assert [Game._meta.get_field(column).name for column in TIME_COLUMNS] == [*TIME_COLUMNS]
        return
    column: Any = Game._meta.get_field(name)
    default = "" if column.default is NOT_PROVIDED else column.default
    assert name in WITHOUT_ITS_DEFAULT or default == DECLARED[name]


@every_term
@pytest.mark.django_db
def test_what_a_setup_asks_for_is_stored_and_told(name: str, alice: User) -> None:
    game = opened(alice, **{name: unusual(name)})
    assert terms_of(game)[name] == getattr(details_of(game), name) == unusual(name)


@every_term
@pytest.mark.django_db
def test_a_rematch_takes_the_term_over(name: str, alice: User, bob: User) -> None:
    if name in NOT_AGAIN:
        return
    # Who is invited may sit down whatever is asked of others.
    table = open_table(alice, ME, invited("bob"), **{name: unusual(name)})
    game = join_game(bob, table.slug, token=table.invite_token)
    resign(bob, game.slug)
    assert terms_of(fresh(open_rematch(alice, game.slug)))[name] == unusual(name)


@every_term
def test_programs_ask_for_the_term(name: str) -> None:
    called, value = TERM_NAMES.get(name, name), unusual(name)
    sent = {"initial": value.initial, "increment": value.increment, "cap": value.cap} if name == "time" else value
    table = {"variant": "duo", "seats": [{"kind": "me"}, {"kind": "open"}]}
    usual = NewTable.model_validate(table).setup()
    assert getattr(usual, name) == (TimeControl() if name == "time" else DECLARED[name])
    assert NewTable.model_validate({**table, called: sent}).setup() == replace(usual, **{name: value})


@every_term
@pytest.mark.django_db
def test_the_form_asks_for_the_term(name: str, client: Client) -> None:
    field, answer = (name, str(last_offered(name))) if name in NUMBERS else ANSWERS[name]
    kinds = ["bot"] * 3 if name == "is_paused" else ["me", "open", "bot"]
    query = QueryDict(mutable=True)
    query.update({"variant": "classic-3", "days": "3", "is_public": "yes", "passes": "automatic", "dealing": "draw"})
    query.update({**{f"seat-{number}": kind for number, kind in enumerate(kinds)}, field: answer})
    form = NewGameForm(query)
    assert form.is_valid(), form.errors
    assert getattr(form.setup(), name) == unusual(name)
    page = read(client.get("/games/new/?variant=classic-3"))
    assert page.find_all("input", name=field)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.django_db
def test_the_form_begins_with_the_number_of_the_last_table(name: str, alice: User) -> None:
    opened(alice, **{name: unusual(name)})
    assert last_choice(alice)[name] == str(unusual(name))


@every_term
@pytest.mark.django_db
def test_a_table_that_waits_says_its_terms(name: str, alice: User) -> None:
    tables = [opened(alice, **{"time": PACES["normal"], **terms}) for terms in ({}, {name: unusual(name)})]
    usual, said = [waiting_table(table_state(table, alice), alice).terms for table in tables]
    assert name in NOT_LISTED or said != usual


@what_can_be_changed
@pytest.mark.django_db
def test_what_is_editable_is_changed_before_the_start_and_told_in_a_sentence_of_its_own(name: str, alice: User) -> None:
    table, value = opened(alice), unusual(name)
    edit_table(alice, table.slug, TableTerms.of(table, **{name: value}))
    assert terms_of(fresh(table)) == {**terms_of(table), name: value}
    [made] = table_state(fresh(table), alice).changes
    assert made.change == EDITABLE[name]
    assert name == "name" or change_text(made) != change_text(replace(made, change=Change.NAME))


@every_term
@pytest.mark.django_db
def test_what_is_not_editable_stays_as_it_is(name: str, alice: User) -> None:
    if name in EDITABLE:
        return
    table = opened(alice)
    before = terms_of(table)
    edit_table(alice, table.slug, TableTerms.of(table, **{name: unusual(name)}))
    assert (terms_of(fresh(table)), table_state(fresh(table), alice).changes) == (before, ())


@what_can_be_changed
@pytest.mark.django_db
def test_the_form_and_programs_change_what_is_editable(name: str, alice: User) -> None:
    table = opened(alice)
    page, value = edit_page(alice, table.slug), unusual(name)
    field, answer = (name, str(value)) if name in NUMBERS else ANSWERS[name]
    asked = {each.name: each.initial for each in EditTableForm(page) if each.initial is not None}
    query = QueryDict(mutable=True)
    query.update({**asked, field: answer})
    form = EditTableForm(page, query)
    assert form.is_valid(), form.errors
    assert getattr(form.terms(), name) == value
    called = TERM_NAMES.get(name, name)
    sent = {"initial": value.initial, "increment": value.increment, "cap": value.cap} if name == "time" else value
    assert TableChanges.model_validate({called: sent}).terms(table) == TableTerms.of(table, **{name: value})
    assert TableChanges().terms(table) == TableTerms.of(table)


def test_what_is_excepted_is_declared() -> None:
    assert {*UNUSUAL, *ANSWERS, *WITHOUT_ITS_DEFAULT, *NOT_AGAIN, *NOT_LISTED, *TERM_NAMES} <= DECLARED.keys()
