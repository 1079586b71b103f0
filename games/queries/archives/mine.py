"""The rows that are a person's, table by table, as the archive has them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Field, Model, Prefetch, TextField

from accounts.models import User
from accounts.personal.held import Held
from games.base.personal import HELD
from games.models import Game, Move, Player, Status, Study

#: How many rows are read at a time, how many games, and how many studies, which may be long.
ROWS_READ_AT_ONCE, GAMES_READ_AT_ONCE, STUDIES_READ_AT_ONCE = 500, 20, 10


def _as_it_is(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Column:
    """One value of a row: how the archive calls it, the way to it, its field, and what is told of that."""

    name: str
    path: str
    field: "Field[Any, Any]"
    read: Callable[[Any], Any] = _as_it_is


@dataclass(frozen=True)
class StudyText:
    """A study to be written: the last part of its address, its title and its record."""

    slug: str
    record: str


def tables_given() -> tuple[Held, ...]:
    """Return the tables of which the archive has rows."""
    return tuple(held for held in HELD if held.file)


def columns_given(held: Held) -> tuple[Column, ...]:
    """Return the values of a row: other people stand there by their names, games and studies by the last part
    of their address, and moves by that and their number. What is told of a field is text.
    """
    given = (column for name in held.fields_given for column in _columns(held.model, name))
    return (*given, *(Column(each.name, each.field, TextField(), each.read) for each in held.texts))


def _columns(model: type[Model], name: str) -> tuple[Column, ...]:
    field = _field(model, name)
    if field.related_model is User:
        return (Column(name, f"{name}__username", _field(User, "username")),)
    if field.related_model is Game:
        return (Column(name, f"{name}__slug", _field(Game, "slug")),)
    if field.related_model is Study:
        return (Column(name, f"{name}__slug", _field(Study, "slug")),)
    if field.related_model is Player:
        slug, seat = _field(Game, "slug"), _field(Player, "seat")
        return Column("game", f"{name}__game__slug", slug), Column("seat", f"{name}__seat", seat)
    if field.related_model is Move:
        slug, number = _field(Game, "slug"), _field(Move, "number")
        return Column("game", f"{name}__game__slug", slug), Column("number", f"{name}__number", number)
    # Any other row stands there by its key.
    return (Column(name, name, getattr(field, "target_field", field)),)


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    return next(field for field in model._meta.concrete_fields if field.name == name)


def rows_given(held: Held, person: int) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table that are the person's, by their keys, each with its values in the order of the columns.

    A query for each way to them, and one for 500 rows: neither memory nor a transaction holds them all.
    """
    columns, rows = columns_given(held), held.model._base_manager
    # One field may tell several things, and is asked for once.
    paths = list(dict.fromkeys(column.path for column in columns))
    ways = [(paths.index(column.path), column.read) for column in columns]
    keys: set[Any] = set()
    for way in held.mine:
        keys |= {*rows.filter(**{way: person}).order_by().values_list("pk", flat=True)}
    ordered = sorted(keys)
    for start in range(0, len(ordered), ROWS_READ_AT_ONCE):
        for row in rows.filter(pk__in=ordered[start : start + ROWS_READ_AT_ONCE]).order_by("pk").values_list(*paths):
            yield tuple(read(row[index]) for index, read in ways)


def games_of(person: int) -> Iterator[Game]:
    """Yield the started games in which the person sits, or which they have opened, with their players.

    Two queries, and two for twenty games.
    """
    seated = Player.objects.filter(user=person).order_by().values_list("game_id", flat=True)
    opened = Game.objects.filter(creator=person).order_by().values_list("pk", flat=True)
    keys = sorted({*seated, *opened})
    players = Prefetch("players", Player.objects.select_related("user", "invitee"))
    started = Game.objects.filter(status__in=(Status.RUNNING, Status.FINISHED)).order_by("pk")
    for start in range(0, len(keys), GAMES_READ_AT_ONCE):
        yield from started.filter(pk__in=keys[start : start + GAMES_READ_AT_ONCE]).prefetch_related(players)


def own_records(person: int) -> Iterator[StudyText]:
    """Yield the records of the person's studies. One query, and one for ten of them."""
    keys = sorted(Study.objects.filter(owner=person).values_list("pk", flat=True))
    for start in range(0, len(keys), STUDIES_READ_AT_ONCE):
        some = Study.objects.filter(pk__in=keys[start : start + STUDIES_READ_AT_ONCE]).order_by("pk")
        for slug, record in some.values_list("slug", "record"):
            yield StudyText(slug, record)
