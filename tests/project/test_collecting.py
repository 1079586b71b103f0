"""A release brings its static files beside the old ones, which go days later."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from threading import get_native_id

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections
from django.http import HttpResponse
from django.test import RequestFactory, override_settings

from blockyou.assets.collecting import KEPT_SECONDS, collect, is_collected, prune
from blockyou.assets.serving import StaticFilesMiddleware
from blockyou.management.commands import prepare

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "blockyou.assets.storage.ModuleStaticFilesStorage"},
}


class Site:
    """A site with one stylesheet, and the folder that its static files are collected in."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "source" / "a.css"
        self.root = folder / "static"

    def release(self, text: str) -> str:
        """Collect with this text in the stylesheet; return the name that pages load it by."""
        self.source.parent.mkdir(exist_ok=True)
        self.source.write_text(f"{text}\n" * 100)
        collect(self.root)
        paths = json.loads((self.root / "staticfiles.json").read_text())["paths"]
        return str(paths["a.css"])


@pytest.fixture(autouse=True)
def quiet_end() -> Iterator[None]:
    """Let the end of an answer ask no database, as Django's test client does: it would look after its connections."""
    request_finished.disconnect(close_old_connections)
    yield
    request_finished.connect(close_old_connections)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    finders = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    with override_settings(
        STATIC_ROOT=site.root,
        STATICFILES_DIRS=[site.source.parent],
        STATICFILES_FINDERS=finders,
        STORAGES=STORAGES,
        WHITENOISE_AUTOREFRESH=False,
        WHITENOISE_USE_FINDERS=False,
    ):
        yield site


def ask(process: StaticFilesMiddleware, name: str) -> tuple[int, str]:
    """Return the status of the answer, and how long browsers keep it."""
    with closing(process(RequestFactory().get(f"/static/{name}"))) as answer:
        return answer.status_code, answer.headers.get("Cache-Control", "")


def nothing(_request: object) -> HttpResponse:
    return HttpResponse(status=404)


def test_a_release_leaves_the_files_that_running_processes_name(site: Site) -> None:
    old, new = site.release("a { color: red }"), site.release("a { color: blue }")
    assert old != new
    assert {old, f"{old}.gz", new, f"{new}.gz"} <= {path.name for path in site.root.iterdir()}


def test_files_go_a_week_after_a_newer_release(site: Site) -> None:
    old = site.release("a { color: red }")
    # It was collected long ago, and used until now.
    os.utime(site.root / old, (0, 0))
    new = site.release("a { color: blue }")
    assert prune(site.root) == 0
    later = time.time() + KEPT_SECONDS + 60
    assert prune(site.root, later) >= 1
    assert not (site.root / old).exists()
    assert (site.root / new).exists()
    assert prune(site.root, later) == 0


def test_an_earlier_release_finds_its_files_again(site: Site) -> None:
    old = site.release("a { color: red }")
    site.release("a { color: blue }")
    assert site.release("a { color: red }") == old


def test_nothing_is_collected_twice(site: Site) -> None:
    assert not is_collected(site.root)
    site.release("a { color: red }")
    assert is_collected(site.root)
    site.source.write_text("a { color: green }")
    assert not is_collected(site.root)


def test_while_files_are_collected_other_programs_go_first_and_what_follows_does_not_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[int] = []

    def niceness(*_root: Path) -> int:
        return os.getpriority(os.PRIO_PROCESS, get_native_id())

    monkeypatch.setattr(prepare, "is_collected", lambda _root: False)
    monkeypatch.setattr(prepare, "collect", lambda _root: seen.append(niceness()))
    monkeypatch.setattr(prepare, "prune", lambda _root: 0)
    before = niceness()
    prepare.prepare_static_files(prepare.Command(stdout=StringIO()))
    assert (seen, niceness()) == ([min(19, before + 10)], before)


def test_a_proxy_may_read_the_files_whatever_the_umask(site: Site) -> None:
    before = os.umask(0o077)
    try:
        name = site.release("a { color: red }")
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in (site.root / name, site.root / f"{name}.gz")} == {0o644}
    assert site.root.stat().st_mode & 0o777 == 0o755


def test_a_running_process_serves_the_files_of_the_next_release(site: Site) -> None:
    old = site.release("a { color: red }")
    process = StaticFilesMiddleware(nothing)
    assert ask(process, "a.123456789abc.css") == (404, "")
    new = site.release("a { color: blue }")
    assert (ask(process, old)[0], ask(process, new)[0]) == (200, 200)


def test_files_of_every_release_are_kept_by_browsers_for_ever(site: Site) -> None:
    old, new = site.release("a { color: red }"), site.release("a { color: blue }")
    process = StaticFilesMiddleware(nothing)
    assert ask(process, old) == ask(process, new) == (200, "max-age=315360000, public, immutable")
    assert ask(process, "a.css")[1] == "max-age=3600, public"


@pytest.mark.parametrize("name", ["", "../secret", "..%2fsecret", "%00", "a.css/b", "x" * 5000, "a.css.gz"])
def test_nothing_else_is_looked_for(site: Site, name: str) -> None:
    site.release("a { color: red }")
    (site.root.parent / "secret").write_text("secret")
    assert ask(StaticFilesMiddleware(nothing), name)[0] == 404
