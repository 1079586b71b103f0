"""What scripts keep in a browser: choices, what has not been sent yet, pages to read without a network; no secret."""

import re
from pathlib import Path

STATIC = Path(__file__).resolve().parents[2] / "static"
#: What each script keeps, by the name under which it does, and in which store.
KEPT = {
    "board/likes.js": ("localStorage", {"play": "how the board is shown and what is heard"}),
    "replay/likes.js": ("localStorage", {"replay": "how a game is shown again"}),
    "play/pending.js": ("localStorage", {"held:": "a placement that has not been sent yet"}),
    "play/kept_draft.js": ("sessionStorage", {"draft:": "where a piece lies that is not placed yet"}),
    "site/dismiss.js": ("sessionStorage", {"dismissed:": "a line that was put away"}),
    "offline/moves.js": ("indexedDB", {"block-you": "a move that was made without a network"}),
    "offline/worker.js": ("caches", {"pages-1-": "pages of one login", "files-1": "scripts, styles and pictures"}),
    "offline/latest.js": ("caches", {"pages-1-": "pages of one login"}),
    "offline/start.js": ("caches", {"pages-1-": "pages of one login"}),
    "offline/list.js": ("caches", {"pages-1-": "pages of one login"}),
}
STORES = re.compile(r"\b(localStorage|sessionStorage|indexedDB|caches)\b(?=[.,)])")
COOKIE = re.compile(r"document\.cookie|cookieStore")
SECRETS = re.compile(r"password|credential|csrf|sessionid|secret|recovery", re.IGNORECASE)


def scripts() -> dict[str, str]:
    return {str(path.relative_to(STATIC)): _plain(path.read_text()) for path in sorted(STATIC.rglob("*.js"))}


def _plain(source: str) -> str:
    """Return a script without what it says of itself."""
    return re.sub(r"/\*.*?\*/|^\s*//.*?$", "", source, flags=re.DOTALL | re.MULTILINE)


def test_only_these_scripts_keep_something_and_each_in_one_store() -> None:
    found = {name: {*STORES.findall(source)} for name, source in scripts().items() if STORES.search(source)}
    assert found == {name: {store} for name, (store, _kept) in KEPT.items()}


def test_they_keep_it_under_the_names_that_are_told_and_no_secret() -> None:
    sources = scripts()
    names = "".join(sources[each] for each in ("offline/names.js",))
    for name, (_store, kept) in KEPT.items():
        source = sources[name] + (names if name.startswith("offline/") else "")
        assert all(f'"{each}' in source or f"`{each}" in source for each in kept), name
        assert not SECRETS.search(source), name


def test_no_script_reads_or_writes_a_cookie() -> None:
    assert [name for name, source in scripts().items() if COOKIE.search(source)] == []
