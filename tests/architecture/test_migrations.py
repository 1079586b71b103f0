"""The tables are what the models say, and no migration breaks the release that runs beside the new one for a while."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, migrations, models
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState
from django.db.models.functions import Now, Random

from games.migrations._concurrently import AddIndexConcurrently, RemoveIndexConcurrently
from tests.architecture.locking import locks
from tests.architecture.rolling import faults

#: The last migrations of the release before: what comes after them is held to the rule.
RELEASED = {"accounts": "0003_labels", "games": "0009_access_labels"}
#: The last migration that built indexes of large tables under a lock.
LOCKED = ("games", "0042_fill_companion_names")
#: Of each app the one that a new database runs, in the place of those that it replaces.
SQUASHED = {"accounts": "0001_squashed_0018_chat_by_tables", "games": "0001_squashed_0044_fill_review_done"}
#: Sentences of `faults` that are right and still no fault, and why: what goes was last used a release ago.
AGREED: dict[str, str] = {
    "games.0010_seat_facts: Create constraint move_client_key_once on model move: old code may write what it refuses": (
        "It replaces one of the same name that refused more."
    ),
}
#: Sentences of `locks` on what a person has read, and why nobody waits for it.
OUR_OWN = "what it does to large tables is for a person to read; name it among what is agreed, and why"
AGREED_LOCKS: dict[str, str] = {
    f"games.0044_fill_review_done: Raw Python operation: {OUR_OWN}": (
        "It writes reviews, a thousand at a time, each range in a transaction of its own."
    ),
    f"games.0049_pattern_indexes: Raw Python operation: {OUR_OWN}": (
        "It takes two indexes away concurrently, outside any transaction."
    ),
    f"games.0062_fill_head_to_head: Raw Python operation: {OUR_OWN}": (
        "It reads seats and writes a table that is new, of a thousand people at a time."
    ),
    "games.0069_game_group: Add field group to game: its key is checked row by row, and locks another table as well; "
    "add it with db_constraint=False": (
        "It is older than the rule, and alone. All its keys are empty: games are read once, and no group is looked up."
    ),
}

OLD_FIELDS: list[tuple[str, models.Field[Any, Any]]] = [
    ("id", models.BigAutoField(primary_key=True)),
    ("title", models.CharField(max_length=20)),
    ("note", models.CharField(max_length=20, null=True)),
    ("size", models.SmallIntegerField()),
]


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    output = StringIO()
    call_command("makemigrations", check=True, dry_run=True, stdout=output)
    assert "No changes detected" in output.getvalue()


@pytest.mark.django_db
def test_every_migration_is_applied() -> None:
    call_command("migrate", check_unapplied=True, verbosity=0, stdout=StringIO())


def steps(loader: MigrationLoader, *apps: str) -> list[tuple[str, str]]:
    """Return every migration of the apps and of what they need, in order; of a squashed one those that it replaces."""
    leaves = [leaf for app in apps for leaf in loader.graph.leaf_nodes(app) if leaf not in SQUASHED.items()]
    return [*dict.fromkeys(node for leaf in leaves for node in loader.graph.forwards_plan(leaf))]


def test_a_squashed_migration_makes_the_models_that_those_it_replaces_made() -> None:
    one_by_one, squashed = MigrationLoader(None, replace_migrations=False), MigrationLoader(None)
    assert {*SQUASHED.items()} <= squashed.graph.nodes.keys()
    for app, name in SQUASHED.items():
        last = (app, squashed.get_migration(app, name).replaces[-1][1])
        before, after = one_by_one.project_state([last]), squashed.project_state([(app, name)])
        assert app not in MigrationAutodetector(before, after).changes(squashed.graph)


def test_a_squashed_migration_replaces_all_of_before() -> None:
    loader = MigrationLoader(None)
    for app, name in SQUASHED.items():
        replaced = [key for _app, key in loader.get_migration(app, name).replaces]
        own = sorted(key for of_app, key in loader.disk_migrations if of_app == app and key != name)
        assert replaced == own[: len(replaced)]


def test_no_migration_breaks_the_release_that_runs_beside_it() -> None:
    loader = MigrationLoader(None, replace_migrations=False)
    before = loader.project_state([*RELEASED.items()])
    plan = steps(loader, *RELEASED)
    known = {node for released in RELEASED.items() for node in loader.graph.forwards_plan(released)}
    after = [loader.get_migration(*node) for node in plan if node not in known]
    assert {*faults(after, before)} == {*AGREED}


def found(*operations: Operation) -> list[str]:
    """Return the faults of a migration of these operations, on a table that released code uses."""
    state = ProjectState()
    state.add_model(ModelState("games", "Old", OLD_FIELDS))
    migration = Migration("0010_next", "games")
    migration.operations = list(operations)  # type: ignore[misc]  # Django does the same
    return list(faults([migration], state))


def check(field: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=models.Q(**{f"{field}__gte": 0}), name=f"{field}_at_least_0")


def nothing(*_anything: Any) -> None:
    """Do nothing to the data."""


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("old", "count", models.IntegerField(default=0)),
        migrations.RemoveField("old", "title"),
        migrations.RenameField("old", "title", "name"),
        migrations.RenameModel("Old", "New"),
        migrations.DeleteModel("Old"),
        migrations.AlterModelTable("old", "other"),
        migrations.AlterField("old", "title", models.CharField(max_length=10)),
        migrations.AlterField("old", "title", models.CharField(max_length=20, unique=True)),
        migrations.AlterField("old", "title", models.IntegerField()),
        migrations.AlterField("old", "note", models.CharField(max_length=20, default="")),
        migrations.AddConstraint("old", check("size")),
        migrations.AlterUniqueTogether("old", {("title", "size")}),
        migrations.RunPython(nothing),
        migrations.RunSQL("SELECT 1"),
        migrations.SeparateDatabaseAndState(database_operations=[migrations.RemoveField("old", "title")]),
    ],
    ids=lambda operation: operation.describe(),
)
def test_what_old_code_would_stumble_over_is_found(operation: Operation) -> None:
    assert len(found(operation)) == 1


@pytest.mark.parametrize(
    "operations",
    [
        [migrations.AddField("old", "count", models.IntegerField(default=0, db_default=0))],
        [migrations.AddField("old", "at", models.DateTimeField(null=True))],
        [migrations.AlterField("old", "title", models.CharField(max_length=30))],
        [migrations.AlterField("old", "title", models.TextField())],
        [migrations.AlterField("old", "size", models.IntegerField())],
        [migrations.AddIndex("old", models.Index(fields=["size"], name="by_size"))],
        [migrations.RunPython(nothing, nothing)],
        [
            migrations.AddField("old", "count", models.IntegerField(default=0, db_default=0)),
            migrations.AddConstraint("old", check("count")),
        ],
        [
            migrations.CreateModel("Young", [("id", models.BigAutoField(primary_key=True))]),
            migrations.AddField("young", "size", models.IntegerField(default=0)),
            migrations.RemoveField("young", "size"),
            migrations.DeleteModel("Young"),
        ],
    ],
    ids=lambda operations: operations[0].describe(),
)
def test_what_old_code_does_not_notice_passes(operations: list[Operation]) -> None:
    assert found(*operations) == []


def test_no_migration_keeps_people_from_playing() -> None:
    loader = MigrationLoader(None, replace_migrations=False)
    known = {*loader.graph.forwards_plan(LOCKED)}
    new = [loader.get_migration(*node) for node in steps(loader, "games") if node not in known]
    assert {*locks(new, loader.project_state([LOCKED]))} == {*AGREED_LOCKS}


def locked(*operations: Operation, atomic: bool = True) -> list[str]:
    """Return what a migration of these operations would lock."""
    state = ProjectState()
    for name in ("Game", "Player", "Move", "Review"):
        state.add_model(ModelState("games", name, OLD_FIELDS))
    migration = Migration("0043_next", "games")
    migration.operations = list(operations)  # type: ignore[misc]  # Django does the same
    migration.atomic = atomic  # type: ignore[misc]  # and so here
    return list(locks([migration], state))


TWICE = models.GeneratedField(expression=models.F("size") * 2, output_field=models.IntegerField(), db_persist=True)
BY_SIZE = models.Index(fields=["size"], name="by_size")
COUNT = migrations.AddField("player", "count", models.IntegerField(default=0, db_default=0))


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddIndex("player", BY_SIZE),
        AddIndexConcurrently("player", BY_SIZE),
        migrations.RemoveIndex("player", "by_size"),
        RemoveIndexConcurrently("player", "by_size"),
        migrations.AddConstraint("game", check("size")),
        migrations.AddConstraint("move", models.UniqueConstraint(fields=["size"], name="one_size")),
        migrations.AlterUniqueTogether("move", {("title", "size")}),
        migrations.AddField("game", "size", models.IntegerField(null=True, db_index=True)),
        migrations.AddField("game", "size", models.IntegerField(null=True, unique=True)),
        migrations.AddField("game", "other", models.ForeignKey("games.Game", models.CASCADE, null=True)),
        migrations.AddField(
            "game", "other", models.ForeignKey("games.Game", models.CASCADE, null=True, db_index=False)
        ),
        migrations.AddField("game", "at", models.DateTimeField(db_default=Now())),
        migrations.AddField("player", "chance", models.FloatField(db_default=Random())),
        migrations.AddField("move", "twice", TWICE),
        migrations.AlterField("move", "size", models.IntegerField(db_index=True)),
        migrations.AlterField("move", "size", models.BigIntegerField()),
        migrations.AlterField("move", "size", models.TextField()),
        migrations.AlterField("move", "note", models.CharField(max_length=20, default="")),
        migrations.AlterField("move", "title", models.CharField(max_length=10)),
        migrations.AlterField("move", "title", models.CharField(max_length=20, db_collation="C")),
        migrations.RunSQL("CREATE INDEX by_size ON games_player (size)"),
        migrations.RunPython(nothing, nothing),
        migrations.SeparateDatabaseAndState(database_operations=[migrations.RunSQL("UPDATE games_move SET size = 0")]),
        migrations.SeparateDatabaseAndState(database_operations=[migrations.AddIndex("player", BY_SIZE)]),
    ],
    ids=lambda operation: operation.describe(),
)
def test_what_would_lock_a_large_table_is_found(operation: Operation) -> None:
    assert len(locked(operation)) == 1


def test_an_index_that_is_built_concurrently_stands_alone_and_in_no_transaction() -> None:
    assert locked(AddIndexConcurrently("player", BY_SIZE), atomic=False) == []
    assert len(locked(AddIndexConcurrently("player", BY_SIZE), COUNT, atomic=False)) == 1


def test_an_index_that_is_taken_away_concurrently_does_so_too() -> None:
    assert locked(RemoveIndexConcurrently("player", "by_size"), atomic=False) == []
    assert len(locked(RemoveIndexConcurrently("player", "by_size"), COUNT, atomic=False)) == 1


@pytest.mark.django_db
def test_no_index_is_kept_that_no_query_needs() -> None:
    with connection.cursor() as cursor:
        kept = {
            name
            for table in ("games_game", "games_player")
            for name in connection.introspection.get_constraints(cursor, table)
        }
    assert {name for name in kept if name.endswith("_like") or name == "player_variant_result"} == set()


def test_a_changed_field_of_a_large_table_stands_alone() -> None:
    wider = migrations.AlterField("move", "title", models.CharField(max_length=30))
    assert locked(wider) == []
    assert len(locked(wider, COUNT)) == 1


@pytest.mark.parametrize(
    "field",
    [
        models.CharField(max_length=20, choices=[("a", "A")]),
        models.CharField(max_length=20, null=True),
        models.CharField(max_length=20, db_default="none"),
        models.TextField(),
    ],
    ids=["choices", "null", "default", "text"],
)
def test_a_field_that_changes_without_its_rows_passes(field: "models.Field[Any, Any]") -> None:
    assert locked(migrations.AlterField("move", "title", field)) == []


def test_a_key_that_the_database_does_not_check_passes() -> None:
    unchecked: models.ForeignKey[Any, Any] = models.ForeignKey(
        "games.Note", models.PROTECT, null=True, db_index=False, db_constraint=False
    )
    key = migrations.AddField("game", "club", unchecked)
    assert locked(key, COUNT) == []


def test_what_locks_no_large_table_for_long_passes() -> None:
    assert locked(COUNT, migrations.AddIndex("review", BY_SIZE)) == []


def test_a_migration_that_once_stopped_play_is_found() -> None:
    loader = MigrationLoader(None, replace_migrations=False)
    migration = loader.get_migration("games", "0039_places")
    before = loader.project_state([("games", "0038_bot_seconds")])
    assert any("use AddIndexConcurrently" in lock for lock in locks([migration], before))
