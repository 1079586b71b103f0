"""Queries that are made once: they answer what Django's own would, whenever and wherever they are asked."""

import gc
import weakref
from collections.abc import Callable
from copy import copy
from datetime import timedelta
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import DatabaseError, connection
from django.db.models import BigIntegerField, BooleanField, CharField, DateTimeField, F, Field, Value
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts.database.prepared import LONGEST, Prepared, PreparedForSeveral, PreparedSave, _Plan
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


REFUSED: dict[str, tuple[Callable[..., Any], Field[Any, Any], str]] = {
    "annotations": (lambda pk: User.objects.annotate(one=Value(1)).filter(pk=pk), BigIntegerField(), "values_list"),
    "extra": (lambda pk: User.objects.extra(select={"one": "1"}).filter(pk=pk), BigIntegerField(), "values_list"),
    "prefetch": (lambda pk: Game.objects.filter(pk=pk).prefetch_related("players"), BigIntegerField(), "prefetch"),
    "rows as dicts": (lambda pk: User.objects.filter(pk=pk).values("pk"), BigIntegerField(), "values_list"),
    "flat rows": (lambda pk: User.objects.filter(pk=pk).values_list("pk", flat=True), BigIntegerField(), "values_list"),
    "named rows": (
        lambda pk: User.objects.filter(pk=pk).values_list("pk", named=True),
        BigIntegerField(),
        "values_list",
    ),
    "models of two queries": (
        lambda pk: User.objects.filter(pk=pk).union(User.objects.all()),
        BigIntegerField(),
        "union",
    ),
    "a list as one value of a second query": (
        lambda keys: User.objects.values_list("pk").union(User.objects.filter(pk__in=keys).values_list("pk")),
        BigIntegerField(),
        "PreparedForSeveral",
    ),
    "a value that is changed": (lambda name: User.objects.filter(username__iexact=name), CharField(), "name"),
    "a value that is left out": (lambda name: User.objects.all(), CharField(), "name"),
    "a value that is looked at": (
        lambda is_so: User.objects.filter(email="" if is_so else "a"),
        BooleanField(),
        "is_so",
    ),
    "a value that chooses the SQL": (lambda is_so: User.objects.filter(email__isnull=is_so), BooleanField(), "isnull"),
    "a list as one value": (lambda keys: User.objects.filter(pk__in=keys), BigIntegerField(), "PreparedForSeveral"),
    "a number of rows": (lambda most: User.objects.all()[:most], BigIntegerField(), "int"),
    "nothing": (lambda pk: User.objects.none(), BigIntegerField(), "no rows"),
}


@pytest.mark.parametrize("refused", REFUSED)
def test_what_cannot_be_prepared_is_refused_the_first_time_it_is_asked(refused: str) -> None:
    if refused == "a value that is changed" and connection.vendor == "postgresql":
        pytest.skip("PostgreSQL is sent the value as it is")
    make, field, said = REFUSED[refused]
    name = make.__code__.co_varnames[0]
    with pytest.raises(TypeError, match=said):
        Prepared(make, **{name: field}).ask(**{name: 1})


def test_a_field_whose_place_in_the_sql_depends_on_the_value_is_refused_at_once() -> None:
    class Odd(CharField):
        def get_placeholder(self, _value: object, _compiler: object, _connection: object) -> str:
            return "LOWER(%s)"

    with pytest.raises(TypeError, match="Odd"):
        Prepared(lambda name: User.objects.filter(username=name), name=Odd())


def test_no_value_is_refused_where_sql_would_find_nothing_and_the_query_set_something() -> None:
    invited = Prepared(lambda person: Player.objects.filter(invitee=person), person=BigIntegerField())
    with pytest.raises(TypeError, match="isnull"):
        invited.ask(person=None)


def test_rows_of_two_queries_are_found_and_counted_once_each() -> None:
    alice, bob = User.objects.create_user("alice"), User.objects.create_user("bob", email="bob@example.org")
    either = Prepared(
        lambda pk, email: (
            User.objects.filter(pk=pk)
            .order_by()
            .values_list("pk")
            .union(User.objects.filter(email=email).order_by().values_list("pk"))
        ),
        pk=BigIntegerField(),
        email=CharField(),
    )
    for pk, found in ((alice.pk, [alice.pk, bob.pk]), (bob.pk, [bob.pk]), (0, [bob.pk])):
        assert sorted(either.ask(pk=pk, email=bob.email)) == [(each,) for each in sorted(found)]
        assert either.count(pk=pk, email=bob.email) == len(found)
    assert either.count(pk=0, email="nobody@example.org") == 0


def test_rows_as_models_are_counted_too(game: Game) -> None:
    players = Prepared(lambda game: Player.objects.filter(game=game).select_related("user"), game=BigIntegerField())
    with CaptureQueriesContext(connection) as captured:
        found = players.count(game=game.pk)
    assert found == game.players.count() > 0
    assert len(captured) == 1


def test_what_a_query_is_narrowed_by_may_be_worked_out_beside_it() -> None:
    alice = User.objects.create_user("alice")
    found = Prepared(lambda pk: User.objects.alias(one=F("pk")).filter(one=pk), pk=BigIntegerField())
    assert found.ask(pk=alice.pk) == [alice]


def test_neither_its_compiler_nor_the_connection_of_the_first_who_asked_is_kept(game: Game) -> None:
    made: list[weakref.ref[SQLCompiler]] = []
    get_compiler = Query.get_compiler

    def noted(query: Query, *given: Any, **named: Any) -> SQLCompiler:
        compiler = get_compiler(query, *given, **named)
        made.append(weakref.ref(compiler))
        return compiler

    rows = Prepared(
        lambda game: Player.objects.filter(game=game).select_related("user", "game"), game=BigIntegerField()
    )
    own = copy(connection._connections[connection._alias])  # type: ignore[attr-defined]
    own.ops = type(own.ops)(own)
    first, ops = weakref.ref(own), weakref.ref(own.ops)
    with patch.object(Query, "get_compiler", noted):
        plan = _Plan(rows._make(**rows._blanks), own, rows._blanks)
    rows._plans[connection.vendor] = plan
    del own
    gc.collect()
    assert [compiler() for compiler in made] == [None] * len(made) != []
    assert (first(), ops()) == (None, None)
    assert [seat.user for seat in rows.ask(game=game.pk)] == [*User.objects.order_by("pk")]
    assert rows.ask(game=game.pk)[0].game.created_at == game.created_at


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
        _Plan(each._make(**each._blanks), connection, each._blanks)
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
