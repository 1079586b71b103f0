"""Write docs/pages.md, which files each page, endpoint and action is made of: `make index`.

One row for each module of views, from what it imports: the actions that it calls, the page models that it shows, what
is read for it (by itself and by these), its templates, and the folders of static files that they link. One row for each
module of endpoints: its actions and reads. One row for each action: the steps that it takes with others, and where what
it asks of a person or a game is checked.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INDEX = ROOT / "docs" / "pages.md"
PAGES = """# Which files a page, an endpoint or an action is made of

Written by `make index` from what the code imports (`tools/page_index.py`); a test fails where it is out of date. Places
are named as their folder in `games/` holds them: `views/`, `actions/`, `pages/`, `queries/`, `api/endpoints/`;
templates are in `templates/`, static files in `static/`. What one action alone checks stands in it, with its sentence;
what several check is in `table/`, and in `base/` where pages ask it too ([the map](architecture.md)).

| view | actions | page models | reads | templates | static |
|---|---|---|---|---|---|
"""
ENDPOINTS = """
| endpoint | actions | reads |
|---|---|---|
"""
ACTIONS = """
| action | in table/ | in base/ |
|---|---|---|
"""
#: What a view names in quotes, and what a template links.
TEMPLATE = re.compile(r"^[\w/]+\.(html|txt|xml)$")
STATIC = re.compile(r"\{% static '(\w+)/")


def main() -> None:
    """Bring the page up to date."""
    INDEX.write_text(page_index(), "utf-8")


def page_index() -> str:
    """Return what docs/pages.md holds."""
    return (
        PAGES
        + "".join(_page(path) for path in _modules("games/views"))
        + ENDPOINTS
        + "".join(_endpoint(path) for path in _modules("games/api/endpoints"))
        + ACTIONS
        + "".join(_action(path) for path in _modules("games/actions"))
    )


def _modules(folder: str) -> list[Path]:
    return [path for path in sorted((ROOT / folder).rglob("*.py")) if path.name != "__init__.py"]


def _page(path: Path) -> str:
    """Return the row of a module of views."""
    imported, named = [*_imported(path)], [*_templates(path)]
    models = _in(imported, "pages")
    behind = [module for model in models for module in _imported(_file(f"games.pages.{model.replace('/', '.')}"))]
    static = {found for name in named for found in STATIC.findall((ROOT / "templates" / name).read_text("utf-8"))}
    return _row(
        path.relative_to(ROOT / "games" / "views"),
        _in(imported, "actions"),
        models,
        _in([*imported, *behind], "queries"),
        named,
        [f"{name}/" for name in static],
    )


def _endpoint(path: Path) -> str:
    """Return the row of a module of endpoints."""
    imported = [*_imported(path)]
    return _row(
        path.relative_to(ROOT / "games" / "api" / "endpoints"), _in(imported, "actions"), _in(imported, "queries")
    )


def _action(path: Path) -> str:
    """Return the row of an action."""
    imported = [*_imported(path)]
    return _row(path.relative_to(ROOT / "games" / "actions"), _in(imported, "table"), _in(imported, "base"))


def _row(path: Path, *cells: Iterable[str]) -> str:
    names = [" ".join(f"`{name}`" for name in sorted({*cell})) for cell in cells]
    return f"| `{path.with_suffix('').as_posix()}` | {' | '.join(names)} |\n"


def _imported(path: Path) -> Iterator[str]:
    """Yield the dotted names of the modules that a module imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            modules = [name for name in inside if _file(name).exists()]
            yield from modules or [node.module]


def _in(modules: list[str], layer: str) -> list[str]:
    """Return the places below a layer of `games` of those modules that are in it, without the layer's name."""
    before = f"games.{layer}."
    return [name.removeprefix(before).replace(".", "/") for name in modules if name.startswith(before)]


def _file(module: str) -> Path:
    """Return the file of a module; that of a package is its `__init__.py`."""
    path = ROOT / Path(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _templates(path: Path) -> Iterator[str]:
    """Yield the templates that a module names, those that exist."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and TEMPLATE.match(node.value):
            yield from [node.value] * (ROOT / "templates" / node.value).exists()


if __name__ == "__main__":
    main()
