"""C4 and C5: nothing that a person writes is run in another's browser, though no content policy stops it."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.marked_circle import MarkedCircle, marked
from tests.browser.marked_up import SCRIPTS, MarkedUp
from tests.browser.people import DESK, PATIENCE, log_in_as
from tests.browser.site import Site, new_site

#: What waits for a click, a key or a mouse: an attribute that is a script, or htmx's with an address of ours.
ALIVE = """() => [...document.querySelectorAll("*")].filter((element) => [...element.attributes].some(({name, value}) =>
    /^on|hx-on/.test(name) || /^(data-)?hx-/.test(name) && /^.ran/.test(value)
    || /^(href|src|action|formaction)$/.test(name) && /^javascript:/.test(value.replace(/\\s/g, ""))
)).map((element) => element.outerHTML.slice(0, 200))"""
#: Where a text could stand without having been escaped.
PLACES = [
    "<p>{}</p>",
    '<input value="{}">',
    "<input value='{}'>",
    "<title>{}</title>",
    "<textarea>{}</textarea>",
    "<template>{}</template>",
    "<script>const text = '{}';</script>",
]


#: What a page says, and what stands in its fields.
SHOWN = """() => [document.body, ...document.querySelectorAll("input, textarea")]
    .map((one) => one.value ?? one.textContent).join(" ")"""


class Reader:
    """A browser without a content policy that notes what is run of a person's text."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: list[str] = []
        page.add_init_script("window.ran = () => console.error('ran')")
        page.on("console", lambda message: self.hear(message.text == "ran", "run"))
        page.on("request", lambda request: self.hear(urlsplit(request.url).path.startswith("/ran"), request.url))

    def hear(self, is_ours: bool, what: str) -> None:
        if is_ours:
            self.found.append(what)

    def taken(self) -> list[str]:
        """Return what was found on the page that is shown, and forget it."""
        # Whatever is run as soon as the page stands, has been run after two frames.
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found, self.found = [*self.found, *self.page.evaluate(ALIVE)], []
        return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a site on SQLite, which asks for no length of a text."""
    folder: Path = tmp_path_factory.mktemp("scripts")
    running = new_site(folder, DATABASE_URL=f"sqlite:///{folder / 'db.sqlite3'}", BOTS_COMPILED="0")
    running.start()
    yield running
    running.stop()


@pytest.fixture
def reader(browser: Browser) -> Iterator[Reader]:
    with browser.new_context(**DESK, bypass_csp=True) as context:  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        yield Reader(context.new_page())


def test_each_of_the_scripts_is_run_where_it_is_not_escaped(reader: Reader, site: Site) -> None:
    dead = []
    for script in SCRIPTS:
        reader.page.goto(f"{site.url}/healthz")
        reader.taken()
        reader.page.set_content("".join(place.replace("{}", script) for place in PLACES), wait_until="load")
        if not reader.taken():
            dead.append(script)
    assert dead == []


def test_nothing_that_people_have_written_is_run_though_no_policy_stops_it(reader: Reader, site: Site) -> None:
    marked_up = MarkedUp.on(site)
    log_in_as(reader.page, site.url, marked_up.reader)
    run, failed = {}, {}
    walks = {"en": marked_up.paths, "fr tables": marked_up.tables, "fr notes": marked_up.notes}
    shown = {walk: set[str]() for walk in walks}
    for language, paths in walks.items():
        reader.page.context.set_extra_http_headers({"Accept-Language": language[:2]})
        for path in paths:
            answer = reader.page.goto(f"{site.url}{path}")
            assert answer
            if answer.status != 200 or reader.page.evaluate("() => document.documentElement.lang") != language[:2]:
                failed[path] = (answer.status, language)
            words = " ".join(reader.page.evaluate(SHOWN).split())
            shown[language] |= {script for script in SCRIPTS if " ".join(script.split()) in words}
            if found := reader.taken():
                run[path] = found
    for letter in marked_up.letters:
        reader.page.set_content(letter, wait_until="load")
        if found := reader.taken():
            run[letter[:2000]] = found
    assert run == {}
    assert failed == {}
    # They were all there to be seen, word for word: in French as names of tables, and as notes.
    assert {walk: {*SCRIPTS} - found for walk, found in shown.items()} == {walk: set() for walk in walks}
    assert len(marked_up.letters) >= len(SCRIPTS)


#: What stands on its pages as a name does.
NAMES = {"people", "muted", "members", "children", "allowed", "reactions", "players", "accused", "queue"}
#: What else stands on its pages.
BESIDE = {"case": "around", "appeals": "behind"}
#: Of what is on many pages half is read in one language, half in the other; the rest in both.
MANY = 20


def test_nothing_in_names_groups_decisions_and_branches_is_run_in_either_language(reader: Reader, site: Site) -> None:
    marked_up = MarkedCircle.on(site)
    reader.page.context.add_cookies([{"name": "sessionid", "value": marked_up.session, "url": site.url}])
    run, missing, failed = {}, {}, {}
    for kind, paths in marked_up.pages.items():
        words = ""
        for turn, language in enumerate(("en", "fr")):
            reader.page.context.set_extra_http_headers({"Accept-Language": language})
            for path in paths if len(paths) < MANY else paths[turn::2]:
                answer = reader.page.goto(f"{site.url}{path}", wait_until="domcontentloaded")
                assert answer
                if answer.status != 200 or reader.page.evaluate("() => document.documentElement.lang") != language:
                    failed[path] = (answer.status, language)
                words += " ".join(reader.page.evaluate(SHOWN).split()) + " "
                if found := reader.taken():
                    run[path] = found
        kinds = [kind, BESIDE[kind]] if kind in BESIDE else [kind]
        texts = marked_up.names if kind in NAMES else [marked(each, script) for each in kinds for script in SCRIPTS]
        if lacking := [text for text in texts if " ".join(text.split()) not in words]:
            missing[kind] = lacking
    for letter in marked_up.letters:
        reader.page.set_content(letter, wait_until="load")
        if found := reader.taken():
            run[letter[:2000]] = found
    for path, form in marked_up.outlets.items():
        asked = {"Authorization": f"Bearer {marked_up.token}"} if "/api/" in path else {}
        told = reader.page.context.request.get(f"{site.url}{path}", headers=asked)
        assert (path, told.status) == (path, 200)
        # No browser takes it for a page.
        assert told.headers["content-type"].startswith(form), path
        assert told.headers["x-content-type-options"] == "nosniff"
    assert run == {}
    assert failed == {}
    # They were all there to be seen, word for word, on the pages of each kind.
    assert missing == {}
    assert len(marked_up.letters) >= len(SCRIPTS)
