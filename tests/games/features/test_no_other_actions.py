"""What can be done to a position is a short list: no rule beyond R1-R12 has a way in.

The specification rejects claims about paths kept open, displacement, capture and the moving of placed pieces. A claim
that is rejected is one for which there is no action. Moves are written by few functions, and found out from the code is
which actions call these, by themselves or by others: an action that is new stands here once it changes a position.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from games.models import Kind

ROOT = Path(__file__).resolve().parents[3]
TABLE = "games.table"
#: The functions that write moves, and which actions come to them.
WRITERS = {
    # Places a piece, passes, gives up (who closes an account does everywhere) or runs out of time, as planned or not.
    f"{TABLE}.lifecycle.play": {"play_placement", "pass_turn", "play_plan", "resign", "close_account", "time_out"},
    # Undoes the last moves; what is placed stays placed unless everybody at the table wants otherwise.
    f"{TABLE}.takebacks.take_moves_back": {"agree_to_takeback", "ask_for_takeback"},
    # Opens a table, at a position that was given or at an empty board.
    f"{TABLE}.opening.open_table": {"create_game", "open_rematch", "repeat_table", "seat_seeker"}
    | {"open_standing_table", "set_standing_table"},
    # Begins a game once all seats are taken: the moves that were given are dated.
    f"{TABLE}.lifecycle.start": {"create_game", "open_rematch", "repeat_table", "seat_seeker"}
    | {"open_standing_table", "set_standing_table", "choose_side", "fill_seats", "join_game"},
}
#: What writes rows, of a manager, of a query or of a row.
WRITES = {"abulk_create", "abulk_update", "acreate", "adelete", "aget_or_create", "asave", "aupdate"} | {
    *("add", "aupdate_or_create", "bulk_create", "bulk_update", "clear", "create", "delete", "get_or_create", "remove"),
    *("save", "set", "update", "update_or_create"),
}
MOVES = re.compile(r"\bMove\.(_base_manager|_default_manager|objects)\b|\.moves\b")
#: Statements that write past the models.
SQL = re.compile(r"\b(DELETE FROM|INSERT INTO|UPDATE) \"?games_move\b", re.IGNORECASE)

Calls = dict[str, set[str]]


def functions(source: str, module: str) -> Iterator[tuple[str, ast.AST, dict[str, str]]]:
    """Yield the functions and classes at the top of a module by their whole names, and what is imported there."""
    tree = ast.parse(source)
    imported = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{module}.{node.name}", node, imported


def writes_moves(node: ast.AST) -> bool:
    """Return whether moves are written in it, by the model, by a game's moves, or by a statement."""
    called = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    texts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return any(map(SQL.search, texts)) or any(
        isinstance(func, ast.Attribute)
        and func.attr in WRITES
        and (MOVES.search(ast.unparse(func.value)) or ast.unparse(func.value) in {"move", "moves"})
        for func in called
    )


def used(node: ast.AST, module: str, imported: dict[str, str]) -> set[str]:
    """Return what a function may call, by whole names: all that it names, of its own module or imported."""
    found = set()
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(name), attr=attr) if name in imported:
                found.add(f"{imported[name]}.{attr}")
            case ast.Name(id=name):
                found.add(imported.get(name, f"{module}.{name}"))
    return found


@cache
def code() -> tuple[Calls, set[str]]:
    """Return what each function of play may call, and which ones write moves."""
    calls: Calls = {}
    writers = set()
    for path in sorted((ROOT / "games").rglob("*.py")):
        # What an upgrade or a host's command does is no action.
        if {"migrations", "management"} & set(path.parts):
            continue
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for name, node, imported in functions(path.read_text("utf-8"), module):
            calls[name] = used(node, module, imported)
            if writes_moves(node):
                writers.add(name)
    return calls, writers


def reached(module: str) -> set[str]:
    """Return all that the functions of a module may call, by others too, and themselves."""
    calls, _writers = code()
    found = {name for name in calls if name.startswith(f"{module}.")}
    waiting = [*found]
    while waiting:
        new = calls.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def actions() -> dict[str, str]:
    """Return the module of every action by its name."""
    paths = [path for path in (ROOT / "games" / "actions").rglob("*.py") if path.stem != "__init__"]
    return {path.stem: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths}


def test_moves_are_written_by_these_functions_alone() -> None:
    _calls, writers = code()
    assert writers == WRITERS.keys()


@pytest.mark.parametrize("writer", WRITERS)
def test_these_are_all_the_actions_that_come_to_what_writes_moves(writer: str) -> None:
    assert len(actions()) > 100
    assert {name for name, module in actions().items() if writer in reached(module)} == WRITERS[writer]


@pytest.mark.parametrize(
    "source",
    [
        "def f(): Move.objects.filter(game=1).update(placement=2)",
        "def f(): game.moves.filter(number=3).delete()",
        "def f(move): move.save()",
        'def f(): cursor.execute("UPDATE games_move SET placement = 3")',
    ],
)
def test_what_writes_moves_is_found(source: str) -> None:
    assert writes_moves(ast.parse(source))


def test_what_is_called_by_another_name_is_found() -> None:
    source = "from games.table import lifecycle as steps\ndef f(): return steps.play(g())"
    [(_name, node, imported)] = functions(source, "games.new")
    assert used(node, "games.new", imported) >= {"games.table.lifecycle.play", "games.new.g"}


def test_a_recorded_turn_is_a_placement_a_pass_or_a_retirement() -> None:
    assert set(Kind.values) == {"place", "pass", "retire"}
