"""Queries that are made once: they answer what Django's own would, whenever and wherever they are asked."""

import gc
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import DatabaseError, connection
from django.db.models import BigIntegerField, BooleanField, CharField, DateTimeField
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts.database.prepared import LONGEST, Prepared, PreparedForSeveral, PreparedSave
from accounts.models import Session, User
from games.models import Game, Player
from games.queries.notices.webhooks import idle_receivers
from tests.conftest import PASSWORD
from tests.games.tables import running

pytestmark = pytest.mark.django_db


def test_a_prepared_query_finds_the_rows_that_match_the_values_it_is_asked_with() -> None:
    alice, bob = User.objects.create_user("alice"), User.objects.create_user("bob")
    called = Prepared(lambda name: User.objects.filter(username=name), name=CharField())
    assert [called.first(name="alice"), called.first(name="bob"), called.first(name="carol")] == [alice, bob, None]


@pytest.fixture
def game() -> Game:
    """A running game of alice and bob."""
    return running(User.objects.create_user("alice"), User.objects.create_user("bob"))


def test_its_rows_are_the_same_in_every_field_as_those_of_the_query_set(game: Game) -> None:
    for model in (User, Game, Player):
        own = Prepared(partial(_with_key, model), pk=BigIntegerField())
        stored = model.objects.last()
        assert stored is not None
        found: Any = own.first(pk=stored.pk)
        assert _columns(found) == _columns(stored)
        assert (found._state.adding, found._state.db) == (False, "default")


def _with_key(model: Any, pk: object) -> Any:
    return model.objects.filter(pk=pk)


def _columns(record: Any) -> dict[str, object]:
    return {field.attname: getattr(record, field.attname) for field in record._meta.concrete_fields}


def test_joined_rows_and_fields_left_out_cost_no_other_queries_than_with_the_query_set(game: Game) -> None:
    seats = Prepared(
        lambda game: (
            Player.objects.filter(game=game).select_related("user", "invitee").only("seat", "user__username", "invitee")
        ),
        game=BigIntegerField(),
    )
    with CaptureQueriesContext(connection) as queries:
        players = seats.ask(game=game.pk)
        assert [(player.seat, player.user and player.user.username) for player in players] == [(0, "alice"), (1, "bob")]
        assert [player.invitee for player in players] == [None, None]
    assert len(queries) == 1
    assert players[0].get_deferred_fields() >= {"clock", "bot"}


def test_values_of_every_kind_are_converted_as_the_field_would() -> None:
    now = timezone.now()
    people = [User.objects.create_user(name, last_login=now + timedelta(days=day)) for day, name in enumerate("abc")]
    since = Prepared(
        lambda moment, guest: (
            User.objects.filter(last_login__gt=moment, is_guest=guest)
            .order_by("pk")
            .values_list("pk", "last_login", "is_guest")
        ),
        moment=DateTimeField(),
        guest=BooleanField(),
    )
    assert since.ask(moment=now, guest=False) == [(user.pk, user.last_login, False) for user in people[1:]]
    assert since.ask(moment=now + timedelta(days=1), guest=False) == [(people[2].pk, people[2].last_login, False)]
    assert since.ask(moment=now, guest=True) == []


def test_a_row_is_saved_in_every_field(game: Game) -> None:
    other = running(User.objects.get(username="bob"), User.objects.get(username="alice"), name="Another")
    before = _columns(Game.objects.get(pk=other.pk))
    record = Game.objects.get(pk=game.pk)
    record.name, record.version, record.is_public, record.deadline = "New", 12, False, timezone.now()
    record.pauses, record.turn_seat, record.turn_user = [[1, "a", "b"]], None, None
    PreparedSave(Game).save(record)
    assert _columns(Game.objects.get(pk=game.pk)) == _columns(record)
    assert _columns(Game.objects.get(pk=other.pk)) == before


def test_a_row_that_is_gone_is_not_saved(game: Game) -> None:
    record = Game.objects.get(pk=game.pk)
    Player.objects.all().delete()
    Game.objects.all().delete()
    with pytest.raises(DatabaseError, match="stored no more"):
        PreparedSave(Game).save(record)


def test_a_list_of_values_may_have_any_length() -> None:
    people = [User.objects.create_user(f"person{number}") for number in range(LONGEST + 2)]
    those = PreparedForSeveral(lambda keys: User.objects.filter(pk__in=keys).order_by("pk"), BigIntegerField())
    for number in (3, 1, 0, 2, LONGEST + 2, 3):
        assert those.ask({user.pk for user in people[:number]}) == people[:number]


def test_its_sql_is_made_the_first_time_alone() -> None:
    alice = User.objects.create_user("alice")
    by_key = Prepared(lambda pk: User.objects.filter(pk=pk), pk=BigIntegerField())
    by_key.ask(pk=0)
    with patch.object(SQLCompiler, "as_sql", side_effect=AssertionError("made again")):
        assert by_key.first(pk=alice.pk) == alice


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_in_a_transaction_only() -> None:
    locked = Prepared(lambda pk: User.objects.select_for_update().filter(pk=pk), pk=BigIntegerField())
    if not connection.features.has_select_for_update:
        assert locked.ask(pk=0) == []
        return
    with pytest.raises(TransactionManagementError):
        locked.ask(pk=0)


def test_every_prepared_query_has_the_same_sql_in_any_language_and_with_any_mail() -> None:
    idle_receivers([1, 2])
    # By their types: lazy texts, asked what they are, would be made.
    found = [each for each in gc.get_objects() if type(each) is Prepared]
    assert len(found) > 8
    for each in found:
        made: list[str] = []
        for language, sends_mail in (("en", True), ("fr", False)):
            with translation.override(language), override_settings(EMAIL_IS_SET=sends_mail):
                sql, values = each._make(**each._blanks).query.get_compiler(connection=connection).as_sql()
                made.append(f"{sql} {[getattr(value, 'name', value) for value in values]}")
        assert made[0] == made[1]


def changed(change: Callable[[User], object]) -> Callable[[Client], object]:
    """Return what changes the stored person whom a browser is logged in as."""
    return lambda client: change(User.objects.get(pk=client.session[SESSION_KEY]))


def close(user: User) -> None:
    """Make the account one that may not log in."""
    User.objects.filter(pk=user.pk).update(is_active=False)


def change_password(user: User) -> None:
    """Give the person another password."""
    user.set_password("another long one")
    user.save()


def in_session(key: str, value: str | None) -> Callable[[Client], object]:
    """Return what writes something else into a browser's session."""

    def write(client: Client) -> None:
        session = client.session
        if value is None:
            del session[key]
        else:
            session[key] = value
        session.save()

    return write


def let_it_expire(client: Client) -> None:
    """Let the session be one of yesterday's."""
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))


@pytest.mark.parametrize(
    "end",
    [
        changed(close),
        changed(change_password),
        changed(User.delete),
        in_session(HASH_SESSION_KEY, None),
        in_session(HASH_SESSION_KEY, "made up"),
        in_session(BACKEND_SESSION_KEY, "accounts.elsewhere.Backend"),
        in_session(SESSION_KEY, "9999"),
        let_it_expire,
    ],
)
def test_a_login_ends_with_whatever_it_was_given_for(client: Client, end: Callable[[Client], object]) -> None:
    User.objects.create_user("alice", password=PASSWORD)
    client.login(username="alice", password=PASSWORD)
    assert client.get("/accounts/").wsgi_request.user.is_authenticated
    end(client)
    assert not client.get("/accounts/").wsgi_request.user.is_authenticated


def test_a_login_of_before_the_secret_was_changed_goes_on(client: Client) -> None:
    User.objects.create_user("alice", password=PASSWORD)
    with override_settings(SECRET_KEY="the one of before", SECRET_KEY_FALLBACKS=[]):
        client.login(username="alice", password=PASSWORD)
    with override_settings(SECRET_KEY="the new one", SECRET_KEY_FALLBACKS=["the one of before"]):
        assert client.get("/accounts/").wsgi_request.user.is_authenticated
        assert client.get("/accounts/").wsgi_request.user.is_authenticated
