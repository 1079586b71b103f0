"""Templates compile, carry no code, and say nothing that cannot be translated."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.template import Engine

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "templates"
TEMPLATES = sorted(path for path in FOLDER.rglob("*") if path.suffix in {".html", ".txt"})
PAGES = [path for path in TEMPLATES if path.suffix == ".html"]
ENTRIES = sorted(str(path.relative_to(ROOT / "static")) for path in (ROOT / "static").rglob("page.js"))
TAG = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}", re.DOTALL)
# Names of things that are the same in every language.
UNTRANSLATED = {"Block-You", "HTML", "CSS", "SVG"}
# Elements whose text is no language, or nobody's.
SILENT = {"script", "style", "code", "kbd", "samp"}
# Blocks that fill attributes: what they hold are names, not words.
NAMES = {block for path in PAGES for block in re.findall(r'="[^"<>]*{% block (\w+)', path.read_text())}


def name(path: Path) -> str:
    """Return the template's name as views use it."""
    return str(path.relative_to(FOLDER))


class Elements(HTMLParser):
    """Collects the elements of a template and the text between them, as a browser would see them without data."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.silent = 0
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.silent += tag in SILENT

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in SILENT

    def handle_data(self, data: str) -> None:
        if not self.silent and data.strip():
            self.texts.append(data.strip())


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_every_template_compiles(path: Path) -> None:
    assert Engine.get_default().get_template(name(path)).origin.name == str(path)


#: A mail comes without a site: many programs that show it read no stylesheet.
MAILS = {"accounts/mail.html", "games/notifications/email.html", "mail.html"}


@pytest.mark.parametrize("path", [path for path in PAGES if name(path) not in MAILS], ids=name)
def test_no_template_carries_style_script_or_handlers(path: Path) -> None:
    for tag, attributes in Elements(TAG.sub("", path.read_text())).elements:
        handlers = {key for key in attributes if key.startswith(("on", "hx-on")) or key == "style"}
        assert not handlers, f"<{tag}> has {handlers}"
        assert tag != "style"
        assert tag != "script" or "src" in attributes or attributes.get("type") == "application/json"
        assert not any(
            (value or "").strip().lower().startswith(("javascript:", "js:")) for value in attributes.values()
        )


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_no_template_asks_another_site_for_anything(path: Path) -> None:
    for tag, attributes in Elements(TAG.sub("", path.read_text())).elements:
        fetched = [attributes.get("src") or "", (attributes.get("href") or "") if tag in {"link", "use"} else ""]
        assert not any(address.startswith(("http:", "https:", "//")) for address in fetched)


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_a_template_loads_htmx_and_one_entry_at_most(path: Path) -> None:
    scripts = re.findall(r"{% static '([^']+\.js)' %}", path.read_text())
    assert [script for script in scripts if not script.startswith("django_htmx/")] in (
        [],
        *([entry] for entry in ENTRIES),
    )


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_every_word_a_template_says_can_be_translated(path: Path) -> None:
    source = re.sub(r"{% blocktrans.*?{% endblocktrans(late)? %}", "", path.read_text(), flags=re.DOTALL)
    source = re.sub(r"{% comment.*?{% endcomment %}", "", source, flags=re.DOTALL)
    source = re.sub(rf"{{% block (?:{'|'.join(NAMES)}) %}}.*?{{% endblock", "{% endblock", source, flags=re.DOTALL)
    source = TAG.sub("", source).strip()
    if re.match(r'[\w:-]+="', source):
        # The template is the inside of a tag.
        source = f"<div {source}>"
    found = Elements(source)
    spoken = [value or "" for _, each in found.elements for key, value in each.items() if key in SPOKEN]
    words = [text for text in (*found.texts, *spoken) if re.search(r"[^\W\d_]{2,}", text)]
    assert [text for text in words if text not in UNTRANSLATED] == []


SPOKEN = {"alt", "aria-label", "placeholder", "title"}
