"""What a database has: its tables, columns, indexes and constraints, whatever the order in which they came to be."""

import re

from tests.browser.site import Site
from tests.project.backups.installation import ask, is_postgresql

#: What a database of PostgreSQL has, a row each: columns, indexes, constraints.
ON_POSTGRESQL = (
    """SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default, is_identity
    FROM information_schema.columns WHERE table_schema = 'public'""",
    "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace""",
)
ON_SQLITE = "SELECT tbl_name, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"


def schema(site: Site) -> set[str]:
    """Return a line for each column, index and constraint of a site's database."""
    if is_postgresql(site):
        return {repr(row) for statement in ON_POSTGRESQL for row in ask(site, statement)}
    return {f"{table}: {part}" for table, _name, sql in ask(site, ON_SQLITE) for part in _parts(sql)}


def _parts(sql: str) -> list[str]:
    """Return what stands between the outer commas of a CREATE TABLE; any other statement is one part."""
    if not sql.startswith("CREATE TABLE"):
        return [sql]
    parts, depth = [""], 0
    for character in sql[sql.index("(") + 1 : sql.rindex(")")]:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [re.sub(r"\s+", " ", part).strip() for part in parts]


def columns_of(site: Site, table: str) -> list[str]:
    """Return the names of a table's columns, in order."""
    statement = f"SELECT name FROM pragma_table_info('{table}')"
    if is_postgresql(site):
        statement = f"""SELECT column_name FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = '{table}' ORDER BY ordinal_position"""
    return [name for (name,) in ask(site, statement)]


def rows(site: Site, table: str, columns: list[str]) -> list[tuple[object, ...]]:
    """Return the rows of a table, in their order, of the columns named."""
    named = ", ".join(f'"{column}"' for column in columns)
    return ask(site, f'SELECT {named} FROM "{table}" ORDER BY 1')
