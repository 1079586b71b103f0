"""Write docs/pages.md, which files each page, endpoint and action is made of: `make index`.

One row for each module of views, from what it imports: the actions that it calls, the page models that it shows, what
is read for it (by itself and by these), its templates, and the folders of static files that they link. One row for each
page of a module that has several, from what its function uses. One row for each module of endpoints: its actions and
reads. One row for each address of accounts: its view, django-allauth's or ours, what that uses of `accounts/`, and its
templates; which addresses there are is asked of Django, since most of these views are allauth's. One row for each
action: the steps that it takes with others, and where what it asks of a person or a game is checked. One row for each
setting of a host: the modules that read it.
"""

import ast
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from inspect import unwrap
from pathlib import Path
from typing import Any

import django
from django.urls import URLPattern, URLResolver, get_resolver

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
SHARED = """
Where one module has several pages, this is what each of them uses, by the name of its function; what several use stands
in the row of each.

| page | page models | reads | templates |
|---|---|---|---|
"""
ENDPOINTS = """
| endpoint | actions | reads |
|---|---|---|
"""
ACCOUNTS = """
The pages of accounts: the name of each address, its path, its view, and what that uses of `accounts/` beside doors and
models. Addresses are in `accounts/urls.py` and `accounts/keys/urls.py`, the others in django-allauth's own list. A view
of allauth's stands here with its whole name, and the template that its class names; its forms are those of
`ACCOUNT_FORMS` and `MFA_FORMS` in `blockyou/settings/base.py`. The page of log-ins (`mfa_index`) is `people/keys`,
above.

| address | path | view | in accounts/ | templates |
|---|---|---|---|---|
"""
ACTIONS = """
| action | in table/ | in base/ |
|---|---|---|
"""
SETTINGS = """
A host's settings, and where each is obeyed; what stands beside none is used by the settings themselves.

| setting | obeyed in |
|---|---|
"""
#: What a view names in quotes, and what a template links.
TEMPLATE = re.compile(r"^[\w/]+\.(html|txt|xml)$")
STATIC = re.compile(r"\{% static '(\w+)/")
#: How a view says that it answers a GET.
SHOWS = re.compile(r"^require_safe$|^require_http_methods\(.*'GET'")

#: A part of a path that a regular expression finds.
FOUND_IN_PATH = re.compile(r"\(\?P(<\w+>)[^)]*\)")
#: What almost every view of accounts uses.
OF_ALL_ACCOUNTS = {"doors", "models"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def main() -> None:
    """Bring the page up to date."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "blockyou.settings.dev")
    django.setup()
    INDEX.write_text(page_index(), "utf-8")


@cache
def page_index() -> str:
    """Return what docs/pages.md holds."""
    return (
        PAGES
        + "".join(_page(path) for path in _modules("games/views"))
        + SHARED
        + "".join(row for path in _modules("games/views") for row in _pages(path))
        + ENDPOINTS
        + "".join(_endpoint(path) for path in _modules("games/api/endpoints"))
        + ACCOUNTS
        + "".join(_accounts())
        + ACTIONS
        + "".join(_action(path) for path in _modules("games/actions"))
        + SETTINGS
        + "".join(_settings())
    )


def _modules(folder: str) -> list[Path]:
    return [path for path in sorted((ROOT / folder).rglob("*.py")) if path.name != "__init__.py"]


def _page(path: Path) -> str:
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


def _pages(path: Path) -> list[str]:
    """Return the rows of the pages of a module of views, none where it has a single one."""
    module = Module(path)
    found = {name: module.used([name]) for name in module.pages()}
    used = {name: (imported, templates) for name, (imported, templates) in found.items() if templates}
    return [_shared(path, name, *each) for name, each in used.items()] if len(used) > 1 else []


def _shared(path: Path, name: str, imported: dict[str, set[str]], templates: set[str]) -> str:
    """Return the row of one page, given by module what is used of it."""
    models = _in([*imported], "pages")
    reads = {*_in([*imported], "queries")}
    for model in models:
        module = f"games.pages.{model.replace('/', '.')}"
        behind, _templates_behind = Module(_file(module)).used(imported[module])
        reads |= {*_in([*behind], "queries")}
    return _row(path.relative_to(ROOT / "games" / "views").with_suffix("") / name, models, reads, templates)


class Module:
    """A module of Python: what each of its functions and classes uses, by others of the module too."""

    def __init__(self, path: Path) -> None:
        tree = ast.parse(path.read_text("utf-8"))
        self._top = {name: node for node in tree.body for name in _names_of(node)}
        self._imported = dict(pair for node in ast.walk(tree) for pair in _imported_names(node))

    def pages(self) -> list[str]:
        """Return the names of the views that answer a GET."""
        views = {name: node for name, node in self._top.items() if isinstance(node, Function)}
        return [name for name, node in views.items() if any(map(self._shows, node.decorator_list))]

    def _shows(self, decorator: ast.expr) -> bool:
        """Return whether a decorator lets a GET in; it may have been given another name first."""
        named = self._top.get(decorator.id) if isinstance(decorator, ast.Name) else None
        return bool(SHOWS.match(ast.unparse(named.value if isinstance(named, ast.Assign) else decorator)))

    def used(self, names: Iterable[str]) -> tuple[dict[str, set[str]], set[str]]:
        """Return what these use of other modules, by module, and which templates they name.

        A module that is used whole stands for all that it has.
        """
        imported: dict[str, set[str]] = {}
        templates: set[str] = set()
        seen, waiting = {*names}, [*names] or [*self._top]
        while waiting:
            for each in _inside(self._top.get(waiting.pop())):
                match each:
                    case ast.Constant(value=str(text)) if TEMPLATE.match(text) and (ROOT / "templates" / text).exists():
                        templates.add(text)
                    case ast.Attribute(value=ast.Name(name), attr=attribute) if name in self._imported:
                        module, of_it = self._imported[name]
                        imported.setdefault(module, set()).update([of_it] if of_it else [attribute])
                    case ast.Name(id=name) if name in self._imported:
                        module, of_it = self._imported[name]
                        imported.setdefault(module, set()).update([of_it] if of_it else [])
                    case ast.Name(id=name) if name in self._top and name not in seen:
                        seen.add(name)
                        waiting.append(name)
        return imported, templates


def _inside(node: ast.stmt | None) -> Iterator[ast.AST]:
    """Yield all that a statement consists of but its parameters, which may be called as something of the module is."""
    inside = [*ast.walk(node)] if node else []
    given = {each.arg for each in inside if isinstance(each, ast.arg)}
    yield from (each for each in inside if not (isinstance(each, ast.Name) and each.id in given))


def _names_of(node: ast.stmt) -> list[str]:
    """Return the names that a statement at the top of a module defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _imported_names(node: ast.AST) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield what a statement imports by the name that it has then: the module, and what of it, empty for all."""
    if isinstance(node, ast.ImportFrom) and node.module:
        for alias in node.names:
            whole = f"{node.module}.{alias.name}"
            yield alias.asname or alias.name, (whole, "") if _file(whole).exists() else (node.module, alias.name)


def _endpoint(path: Path) -> str:
    imported = [*_imported(path)]
    return _row(
        path.relative_to(ROOT / "games" / "api" / "endpoints"), _in(imported, "actions"), _in(imported, "queries")
    )


def _accounts() -> list[str]:
    """Return the rows of the addresses of accounts, by name. Of a name that stands twice the first one answers."""
    found: dict[str, str] = {}
    for name, path, view in _addresses(get_resolver().url_patterns):
        if path.startswith("accounts/") and name not in found:
            found[name] = _account(name, path, view)
    return [row for _name, row in sorted(found.items())]


def _addresses(
    patterns: Iterable[URLPattern | URLResolver], before: str = ""
) -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """Yield the name, the path and the view of every address, in the order in which they are tried."""
    for each in patterns:
        path = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _addresses(each.url_patterns, path)
        else:
            yield each.name or "", path, each.callback


def _account(name: str, path: str, view: Callable[..., Any]) -> str:
    """Return the row of an address of accounts; empty for a view of `games/`, which has one already."""
    kind = getattr(view, "view_class", None)
    inner = kind or unwrap(view)
    layer, _dot, rest = f"{inner.__module__}.{inner.__name__}".partition(".")
    if layer == "games":
        return ""
    imported: dict[str, set[str]] = {}
    templates: set[str] = set()
    is_own = layer == "accounts"
    if is_own:
        imported, templates = Module(_file(inner.__module__)).used([inner.__name__])
    if (shown := getattr(kind, "template_name", None)) and (ROOT / "templates" / shown).exists():
        templates.add(shown)
    used = [each.removeprefix("accounts.") for each in imported if each.startswith("accounts.")]
    plain = FOUND_IN_PATH.sub(r"\1", path).replace("^", "").replace("$", "")
    return _row(
        Path(name),
        [f"/{plain}"],
        [rest.replace(".", "/") if is_own else f"{layer}.{rest}"],
        {each.replace(".", "/") for each in used if each not in OF_ALL_ACCOUNTS},
        templates,
    )


def _action(path: Path) -> str:
    imported = [*_imported(path)]
    return _row(path.relative_to(ROOT / "games" / "actions"), _in(imported, "table"), _in(imported, "base"))


def _settings() -> Iterator[str]:
    """Yield the rows of what a host can set, in the order of the alphabet."""
    made: dict[str, set[str]] = {}
    for node in ast.parse((ROOT / "blockyou" / "settings" / "base.py").read_text("utf-8")).body:
        names = {f"settings.{each}" for each in _names_of(node)}
        for each in ast.walk(node):
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name("env")), args=[ast.Constant(value=str(asked)), *_]):
                    made.setdefault(asked, {f"settings.{asked}"}).update(names)
    readers: dict[str, set[str]] = {}
    for path in (path for folder in ("accounts", "blockyou", "games") for path in (ROOT / folder).rglob("*.py")):
        for each in ast.walk(ast.parse(path.read_text("utf-8"))):
            match each:
                case ast.Attribute(value=ast.Name("settings"), attr=name):
                    readers.setdefault(f"settings.{name}", set()).add(path.relative_to(ROOT).as_posix())
                case ast.Call(func=ast.Name("getattr"), args=[ast.Name("settings"), ast.Constant(value=str(name)), *_]):
                    readers.setdefault(f"settings.{name}", set()).add(path.relative_to(ROOT).as_posix())
    for asked, names in sorted(made.items()):
        yield _row(Path(asked), set().union(*(readers.get(name, set()) for name in names)))


def _row(path: Path, *cells: Iterable[str]) -> str:
    names = [" ".join(f"`{name}`" for name in sorted({*cell})) for cell in cells]
    return f"| `{path.with_suffix('').as_posix()}` | {' | '.join(names)} |\n"


def _imported(path: Path) -> Iterator[str]:
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
