"""Every page is HTML as the standard has it: what browsers repair without a word, readers and search engines do not."""

import json
import re
import subprocess
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache

from tests.language.pages import page, visits
from tests.proof import proof
from tests.reliability.matrix import names
from tests.reliability.world import World, is_about_a_game

pytestmark = pytest.mark.django_db
#: A moment to the second with its zone, a day, or a span of time.
MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?|PT\d+S")
ROOT = Path(__file__).resolve().parents[2]
VALIDATOR = ROOT / "node_modules" / ".bin" / "html-validate"


@pytest.mark.parametrize("visited", [2, *proof(None)])
@pytest.mark.slow
@pytest.mark.skipif(not VALIDATOR.exists(), reason="needs `npm ci`: the validator is a program for Node")
def test_every_page_is_valid_html(visited: int | None, tmp_path: Path) -> None:
    world, pages = World(), dict[str, str]()
    for name in names():
        for number, (role, path) in enumerate(islice(visits(world, name), visited)):
            modes: list[dict[str, str]] = [{}, {settings.SPOKEN_COOKIE_NAME: "yes"}] if is_about_a_game(name) else [{}]
            for mode in modes:
                cache.clear()
                if text := page(world, role, path, "en", cookies=mode):
                    file = tmp_path / f"{name}-{number}{'-spoken' if mode else ''}.html"
                    file.write_text(text)
                    pages[str(file)] = f"{path} as {role}"
    assert len(pages) > 80
    found = {pages[file]: Attributes(Path(file).read_text()).faults for file in pages}
    assert {place: wrong for place, wrong in found.items() if wrong} == {}
    assert [f"{pages[file]}: {fault}" for file, fault in faults(tmp_path)] == []


class Attributes(HTMLParser):
    """Finds values of attributes that the standard has no room for, which the validator lets pass."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self._in_template = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        # What a script fills in is no part of the page yet.
        self._in_template |= tag == "template"
        if tag == "time" and not self._in_template and not MOMENT.fullmatch(given.get("datetime") or ""):
            self.faults.append(f"<time> with datetime={given.get('datetime')!r}")
        if tag == "data" and "value" not in given:
            self.faults.append("<data> without a value")
        if tag in ("div", "span") and {"aria-label", "aria-labelledby"} & given.keys() and not given.get("role"):
            self.faults.append(f"<{tag}> with a name and no role: {given}")

    def handle_endtag(self, tag: str) -> None:
        self._in_template &= tag != "template"


def faults(folder: Path) -> list[tuple[str, str]]:
    """Return each file with a fault, and the fault."""
    command = [str(VALIDATOR), "--config", str(ROOT / "htmlvalidate.json"), "--formatter", "json", f"{folder}/*.html"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode in (0, 1), ran.stderr
    return [
        (found["filePath"], f"{message['line']}:{message['column']} {message['ruleId']}: {message['message']}")
        for found in json.loads(ran.stdout)
        for message in found["messages"]
    ]
