"""The file of an archive that a person imports from another site."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.forms.own import PreferencesForm
from accounts.models import Placing, User
from games.archives.reading import MOST_BYTES, TOO_LARGE, ArchiveContent, read_archive_file
from games.errors import BadRequest
from games.forms.study import request_length

#: The choices of an account that the form of preferences takes as they are.
_SAME = (
    "theme",
    "colour_names",
    "invited_by",
    "written_by",
    "seen_by",
    "own_mark",
    "own_tint",
    "language",
    "time_zone",
)


class ArchiveForm(forms.Form):
    """A file and what of it is wanted. `content` is what it has once the form is valid."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("The zip that you have downloaded on another Block-You site. At most 2.4 MB."),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )
    games = forms.BooleanField(label=_("Keep its games and studies as studies"), required=False, initial=True)
    choices = forms.BooleanField(label=_("Set my choices as they were there"), required=False, initial=True)
    use_required_attribute = False

    def __init__(self, request: HttpRequest | None = None, known: frozenset[bytes] = frozenset()) -> None:
        """Take what was sent, or nothing yet; records whose digests are known are left out."""
        self.content: ArchiveContent | None = None
        self._known, self._size = known, request_length(request) if request else 0
        if request is None:
            super().__init__(label_suffix="")
        else:
            super().__init__(request.POST, request.FILES, label_suffix="")

    def clean(self) -> dict[str, Any]:
        """Read the file. What is wrong with it becomes an error of its field."""
        data = super().clean() or {}
        upload = data.get("file")
        if not isinstance(upload, UploadedFile):
            # A file above the limit of a request does not arrive.
            self.add_error("file", TOO_LARGE if self._size > MOST_BYTES else _("Choose a file."))
        elif (upload.size or 0) > MOST_BYTES:
            self.add_error("file", TOO_LARGE)
        else:
            try:
                self.content = read_archive_file(upload.read(), self._known)
            except BadRequest as refusal:
                self.add_error("file", str(refusal))
        return data


def preferences_of(person: User, account: Mapping[str, Any]) -> PreferencesForm:
    """Return the form of preferences as it would be sent with the choices of an account of another site.

    What this site does not offer stays as it is.
    """
    data: dict[str, Any] = {name: account.get(name) for name in _SAME}
    data["has_high_contrast"] = "on" if account.get("has_high_contrast") is True else ""
    shows_ratings = account.get("shows_ratings")
    data["shows_ratings"] = "on" if (shows_ratings if isinstance(shows_ratings, bool) else person.shows_ratings) else ""
    for name in ("quiet_from", "quiet_until"):
        data[name] = written if isinstance(written := account.get(name), str) else ""
    was = User(
        confirms_placement=account.get("confirms_placement") is not False,
        can_undo_placement=account.get("can_undo_placement") is True,
    )
    data["placing"] = Placing(was.placing)
    # A form writes into its person what it has read, wrong values beside right ones.
    wrong = {*PreferencesForm(data, instance=copy(person)).errors}
    both = {"quiet_from", "quiet_until"}
    own = PreferencesForm(instance=person).initial
    kept = {name: own.get(name) for name in wrong | (both if wrong & both else set())}
    form = PreferencesForm(data | kept, instance=person)
    form.full_clean()
    return form
