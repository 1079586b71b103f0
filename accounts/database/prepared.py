"""Queries whose SQL is made once.

Django makes the SQL of a query anew each time it is asked for, which takes several times as long as the database's
answer: a quarter of the CPU time of a page of a game, a third of a move's. Every request asks a handful of queries that
differ in a value or two; those are prepared (decision 50).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MethodType
from typing import Any, Generic, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.lookups import In
from django.db.models.query import ModelIterable, ValuesListIterable, get_related_populators
from django.db.models.sql.compiler import SQLCompiler
from django.db.models.sql.where import WhereNode
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")

#: Lists that are longer than this are rare, and asked with through the query set.
LONGEST = 16


class Blank(Expression):
    """The place of a value that is filled in whenever the query is asked, converted as the field's own would be."""

    def __init__(self, name: str, field: Field[Any, Any]) -> None:
        if hasattr(field, "get_placeholder"):
            raise TypeError(f"{name}: where a value of {type(field).__name__} stands in the SQL depends on the value.")
        super().__init__(output_field=field)
        self.name = name

    def __str__(self) -> str:
        """Refuse to be made a text, as the value would be that a lookup changes before it is sent.

        Raises: TypeError.
        """
        raise TypeError(f"{self.name} has no value yet: the lookup would change it.")

    def as_sql(self, _compiler: SQLCompiler, _connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        """Return a placeholder with itself as its parameter."""
        return "%s", [self]


class Prepared(Generic[Row]):
    """A query that is made of blanks once, and asked with values for them as often as it takes.

    It is that of a `QuerySet` of rows as its model, with what `select_related` and `only` say, of a `values_list`, or
    of a union of these. Its shape may depend on nothing but its blanks: not on settings, on the language or on the
    time. What cannot be prepared is a TypeError the first time it is asked, with whatever values: it is made once all
    models are known.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Row]], **fields: Field[Any, Any]) -> None:
        self._make = make
        self._blanks = {name: Blank(name, field) for name, field in fields.items()}
        self._plans: dict[str, _Plan[Row]] = {}

    def ask(self, **values: object) -> list[Row]:
        """Return the rows of the query with these values in its blanks. One query.

        Raises:
            TransactionManagementError: it locks rows, and there is no transaction.
            TypeError: it cannot be prepared, or there is no value, which SQL would find nowhere.

        """
        connection = connections[DEFAULT_DB_ALIAS]
        return self._plan(connection).ask(connection, values)

    def first(self, **values: object) -> Row | None:
        """Return the first of those rows, None if there is none; for what has one at most. One query."""
        return next(iter(self.ask(**values)), None)

    def count(self, **values: object) -> int:
        """Return how many of those rows there are, counted by the database. One query. Raises: as `ask` does."""
        connection = connections[DEFAULT_DB_ALIAS]
        return self._plan(connection).count(connection, values)

    def _plan(self, connection: BaseDatabaseWrapper) -> "_Plan[Row]":
        plan = self._plans.get(connection.vendor)
        if plan is None:
            plan = self._plans[connection.vendor] = _Plan(self._make(**self._blanks), connection, self._blanks)
        return plan


class PreparedForSeveral(Generic[Row]):
    """A query that is asked with a list of values: made once for each length."""

    def __init__(self, make: Callable[[Sequence[Any]], QuerySet[Any, Row]], field: Field[Any, Any]) -> None:
        self._make, self._field = make, field
        self._by_length: dict[int, Prepared[Row]] = {}

    def ask(self, values: Collection[object]) -> list[Row]:
        """Return the rows of the query with these values. One query, none without values."""
        length = len(values)
        if not 0 < length <= LONGEST:
            return list(self._make([*values])) if values else []
        if length not in self._by_length:
            blanks = {f"value{number}": self._field for number in range(length)}
            self._by_length[length] = Prepared(lambda **blanks: self._make([*blanks.values()]), **blanks)
        return self._by_length[length].ask(**{f"value{number}": value for number, value in enumerate(values)})


class PreparedSave:
    """Writes all columns of a stored row of a model, as its `save` does, but tells no receiver of a signal."""

    def __init__(self, model: type[Model]) -> None:
        self._model = model

    @cached_property
    def _columns(self) -> tuple[Field[Any, Any], ...]:
        return tuple(field for field in self._model._meta.concrete_fields if not field.primary_key)

    @cached_property
    def _sql(self) -> str:
        # Both databases quote names alike. Tables and columns are named by us, values are put in by the database.
        columns = ", ".join(f'"{field.column}" = %s' for field in self._columns)
        table, key = self._model._meta.db_table, self._model._meta.pk.column
        return f'UPDATE "{table}" SET {columns} WHERE "{key}" = %s'  # noqa: S608

    def save(self, record: Model) -> None:
        """Save the row. One query.

        Raises:
            DatabaseError: it is stored no more.

        """
        connection = connections[DEFAULT_DB_ALIAS]
        values = [field.get_db_prep_save(field.pre_save(record, add=False), connection) for field in self._columns]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, [*values, record.pk])
            if cursor.rowcount != 1:
                raise DatabaseError("the row to be saved is stored no more")


class _Plan(Generic[Row]):
    """The SQL of a query for one kind of database, and how its rows become what the query set would make of them.

    It keeps nothing of the thread that was the first to ask: no compiler and no connection.
    """

    def __init__(
        self, queryset: QuerySet[Any, Row], connection: BaseDatabaseWrapper, blanks: Mapping[str, Blank]
    ) -> None:
        _check_kind(queryset)
        compiler = queryset.query.get_compiler(connection=connection)
        try:
            self.sql, self.parameters = compiler.as_sql()
        except EmptyResultSet:
            raise TypeError("A query that finds no rows, whatever it is asked with, cannot be prepared.") from None
        except ValueError as error:
            raise TypeError(f"The SQL depends on a value: {error}") from error
        _check_places(self.parameters, blanks)
        self.is_locking = queryset.query.select_for_update and connection.features.has_select_for_update
        self.converters = [
            (position, [_unbound(each, connection) for each in converters], expression)
            for position, (converters, expression) in compiler.get_converters(
                [column for column, _sql, _alias in compiler.select]
            ).items()
        ]
        is_of_models = queryset._iterable_class is ModelIterable
        self.read: Callable[[Iterable[Sequence[Any]]], Iterator[Any]] = (
            _reader_of_models(compiler) if is_of_models else lambda rows: map(tuple, rows)
        )

    def ask(self, connection: BaseDatabaseWrapper, values: dict[str, object]) -> list[Row]:
        """Return the rows with these values in the blanks."""
        rows = self._rows(self.sql, connection, values)
        return list(self.read(self._converted(rows, connection) if self.converters else rows))

    def count(self, connection: BaseDatabaseWrapper, values: dict[str, object]) -> int:
        """Return how many rows there are with these values in the blanks."""
        # The SQL is a query set's own.
        counted: int = self._rows(f'SELECT COUNT(*) FROM ({self.sql}) "found"', connection, values)[0][0]  # noqa: S608
        return counted

    def _rows(self, sql: str, connection: BaseDatabaseWrapper, values: dict[str, object]) -> list[Any]:
        if self.is_locking and connection.get_autocommit():
            raise TransactionManagementError("rows are locked in a transaction only")
        filled = [_filled(each, values, connection) for each in self.parameters]
        with connection.cursor() as cursor:
            cursor.execute(sql, filled)
            rows: list[Any] = cursor.fetchall()
            return rows

    def _converted(self, rows: Iterable[Sequence[Any]], connection: BaseDatabaseWrapper) -> Iterator[list[Any]]:
        ops = connection.ops
        for row in map(list, rows):
            for position, converters, expression in self.converters:
                value = row[position]
                for convert, is_of_ops in converters:
                    value = (
                        convert(ops, value, expression, connection)
                        if is_of_ops
                        else convert(value, expression, connection)
                    )
                row[position] = value
            yield row


def _unbound(convert: Any, connection: BaseDatabaseWrapper) -> tuple[Callable[..., Any], bool]:
    """Return a converter as a function, and whether it is a method of the operations of whichever connection asks."""
    if isinstance(convert, MethodType) and convert.__self__ is connection.ops:
        return convert.__func__, True
    return convert, False


def _check_kind(queryset: QuerySet[Any, Any]) -> None:
    """Refuse a query of whose rows more would be lost than is said. Raises: TypeError."""
    query, rows = queryset.query, queryset._iterable_class
    if rows is not ModelIterable and rows is not ValuesListIterable:
        raise TypeError(f"Only models and plain rows of a values_list can be prepared, no {rows.__name__}.")
    if rows is ModelIterable and (query.annotation_select or query.extra_select):
        raise TypeError("Annotations of models cannot be prepared: ask for a values_list, or use alias().")
    if getattr(queryset, "_prefetch_related_lookups", ()):
        raise TypeError("prefetch_related cannot be prepared: ask with a second query.")
    if query.combinator and rows is ModelIterable:
        raise TypeError(f"Models of a {query.combinator} cannot be prepared: ask for a values_list.")
    if any(_has_list_as_one(each.where) for each in (query, *query.combined_queries)):
        raise TypeError("A list cannot be one value of a query: use PreparedForSeveral.")


def _has_list_as_one(condition: WhereNode) -> bool:
    return any(
        _has_list_as_one(each) if isinstance(each, WhereNode) else isinstance(each, In) and isinstance(each.rhs, Blank)
        for each in condition.children
    )


def _check_places(parameters: Sequence[object], blanks: Mapping[str, Blank]) -> None:
    """Refuse a query with a blank that is not filled in as it is. Raises: TypeError."""
    lost = blanks.keys() - {each.name for each in parameters if isinstance(each, Blank)}
    if lost:
        raise TypeError(f"No place in the SQL is filled in with {', '.join(sorted(lost))}.")


def _filled(parameter: object, values: dict[str, object], connection: BaseDatabaseWrapper) -> Any:
    if not isinstance(parameter, Blank):
        return parameter
    value = values[parameter.name]
    if value is None:
        raise TypeError(f"{parameter.name} is None, which SQL finds nowhere: ask another query, with isnull.")
    return parameter.output_field.get_db_prep_value(value, connection, prepared=False)


def _reader_of_models(compiler: SQLCompiler) -> Callable[[Iterable[Sequence[Any]]], Iterator[Any]]:
    """Return what makes models of rows, each with the rows that `select_related` has joined to it."""
    plan: dict[str, Any] = compiler.klass_info or {}
    first, last = plan["select_fields"][0], plan["select_fields"][-1] + 1
    model, names = plan["model"], [column.target.attname for column, _sql, _alias in compiler.select[first:last]]
    joined = get_related_populators(plan, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # Django 6's

    def read(rows: Iterable[Sequence[Any]]) -> Iterator[Any]:
        for row in rows:
            found = model.from_db(DEFAULT_DB_ALIAS, names, row[first:last])
            for related in joined:
                related.populate(row, found)
            yield found

    return read
