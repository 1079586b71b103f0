"""`manage.py messages`: new texts come in empty, those that are gone go, translations stay; then all is compiled."""

import gettext
from io import StringIO
from pathlib import Path

from django.core.management import call_command
from pytest_django import Settings

KEPT = """msgid ""
msgstr ""
"Language: fr\\n"
"Content-Type: text/plain; charset=utf-8\\n"

msgid "Your turn"
msgstr "À vous"

msgid "A text that no page has"
msgstr "Rien"
"""


def test_the_texts_of_a_language_are_brought_up_to_date_and_compiled(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "fr" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(KEPT)
    settings.LOCALE_PATHS = [tmp_path]
    said = StringIO()
    call_command("messages", stdout=said)
    text, first = path.read_text(), path.read_bytes()
    assert 'msgid "Your turn"\nmsgstr "À vous"' in text
    assert 'msgid "Rematch"\nmsgstr ""' in text
    assert "no page has" not in text
    with path.with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Your turn") == "À vous"
    total = text.count("\nmsgid ") - 1  # the heading
    assert f"fr: {total} texts, {total - 1} to translate" in said.getvalue()
    call_command("messages", stdout=said)
    assert path.read_bytes() == first
