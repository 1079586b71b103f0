"""What is true of a game is plain typed data, below words and pictures; pages are typed too."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "games"
TYPED = sorted(
    path for folder in ("queries", "pages", "views", "words", "drawing") for path in (GAMES / folder).rglob("*.py")
)
QUERIES = sorted((GAMES / "queries").rglob("*.py"))
#: Rooms that ask the tables nothing: they show, and word, what queries have read.
SHOWING = sorted(
    path for folder in ("pages", "words", "forms", "templatetags") for path in (GAMES / folder).rglob("*.py")
)
#: What makes sentences, pages and addresses.
SAYING = (
    "django.template",
    "django.urls",
    "django.utils.formats",
    "django.utils.safestring",
    "django.utils.translation",
)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def untyped_dictionaries(source: str) -> list[int]:
    """Return the lines on which a dictionary of anything is written as a type."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Subscript)]
    found = [
        node.lineno for node in nodes if ast.unparse(node.value).rpartition(".")[2] in MAPPINGS and holds_any(node)
    ]
    return sorted(found)


MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping"}


def holds_any(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Tuple) and ast.unparse(node.slice.elts[-1]).rpartition(".")[2] in {
        "Any",
        "object",
    }


@pytest.mark.parametrize("path", TYPED, ids=name)
def test_no_page_no_view_and_no_query_passes_a_dictionary_of_anything(path: Path) -> None:
    assert untyped_dictionaries(path.read_text()) == []


def test_a_dictionary_of_anything_is_found() -> None:
    assert untyped_dictionaries(
        "x: dict[str, Any] = {}\ndef f() -> typing.Mapping[int, list[dict[str, object]]]: ..."
    ) == [1, 2]


@pytest.mark.parametrize("path", QUERIES, ids=name)
def test_no_query_says_or_draws_anything(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    modules = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert not [module for module in modules | names if module.startswith((*SAYING, "games.words", "games.drawing"))]


def questions(source: str) -> list[int]:
    """Return the lines on which the tables are asked something, of people too, or the means to ask are imported."""
    nodes = list(ast.walk(ast.parse(source)))
    asked = [
        node.lineno for node in nodes if isinstance(node, ast.Attribute) and node.attr in ("objects", "_base_manager")
    ]
    imports = [
        node.lineno
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("django.db")
    ]
    return sorted([*asked, *imports])


@pytest.mark.parametrize("path", SHOWING, ids=name)
def test_no_page_and_no_word_asks_the_tables(path: Path) -> None:
    assert questions(path.read_text()) == []


def test_a_question_to_the_tables_is_found() -> None:
    assert questions("from django.db.models import Q\nUser.objects.filter(pk=1)\nseat.user\n") == [1, 2]
