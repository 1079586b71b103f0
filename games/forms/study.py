"""Records that people hand in: as a file, or as text in a field.

A record is read once, here. What is wrong with it becomes an error of its field, with the place in the record, and
nothing is kept: no study, no guest. A study keeps the JSON that `games.rules.records` writes of it, so it leaves as it
came.
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.base.text import MAX_TITLE, plain
from games.rules.errors import RulesError
from games.rules.records import GameRecord, read
from games.table.records import unreadable_text

#: The longest record that is read, in bytes.
MAX_RECORD = 1024 * 1024

TOO_LARGE = _("The record is larger than 1 MiB. A game from this site takes a few kilobytes.")


class StudyForm(forms.Form):
    """A record to be kept: a file or a text, and a title of one's own. `read` is the record once the form is valid."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("A .blksgf file saved here or in Pentobi, or a .json file saved here. At most 1 MiB."),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".blksgf,.sgf,.json"}),
    )
    text = forms.CharField(
        label=_("Or paste its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "autocapitalize": "none", "class": "input"}),
    )
    title = forms.CharField(
        label=_("Title"),
        max_length=MAX_TITLE,
        required=False,
        help_text=_("If left empty, the study is named after its players."),
    )
    use_required_attribute = False

    def __init__(self, request: HttpRequest | None = None) -> None:
        """Take what was sent, or nothing yet."""
        self.read: GameRecord | None = None
        self._size = request_length(request) if request else 0
        if request is None:
            super().__init__(label_suffix="")
        else:
            super().__init__(request.POST, request.FILES, label_suffix="")

    def clean_title(self) -> str:
        """Return the title without what cannot be seen."""
        return plain(self.cleaned_data["title"])

    def clean(self) -> dict[str, Any]:
        """Read the record. What is wrong with it becomes an error of the field that it came in."""
        data = super().clean() or {}
        upload, text = data.get("file"), data.get("text") or ""
        if isinstance(upload, UploadedFile):
            self._read("file", upload.size or 0, upload.read)
        elif text.strip():
            self._read("text", len(text.encode("utf-8", "replace")), lambda: text)
        elif not self.errors:
            self.add_error("file", TOO_LARGE if self._size > MAX_RECORD else _("Choose a file or paste its text."))
        return data

    def _read(self, field: str, size: int, content: Callable[[], bytes | str]) -> None:
        if size > MAX_RECORD:
            self.add_error(field, TOO_LARGE)
            return
        try:
            self.read = read(content())
        except RulesError as error:
            self.add_error(field, unreadable_text(error))


def request_length(request: HttpRequest) -> int:
    """Return how long the request says that it is; 0 for what is no number."""
    text = request.META.get("CONTENT_LENGTH") or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0
