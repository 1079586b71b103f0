"""Reading an archive of another site: its records and choices. Nothing else in it is trusted."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import error as unpacking_error

from django.utils.translation import gettext_lazy as _

from games.archives import layout
from games.base.text import plain
from games.errors import BadRequest
from games.rules.errors import RulesError
from games.rules.records import GameRecord, read, write_json

#: The largest file that is taken, and the most that one file in it may be once it is unpacked; all that is read of it.
MOST_BYTES, MOST_IN_FILE, MOST_UNPACKED = 2_400_000, 1024 * 1024, 48 * 1024 * 1024
#: How many files it may have, and how many records are kept at once and at most tried, and how long those may be
#: together: each is played by the rules, a usual one in a millisecond.
MOST_FILES, MOST_RECORDS, MOST_TRIED, MOST_TRIED_BYTES = 20_000, 500, 1000, 8 * 1024 * 1024

NO_ZIP = _("This is no zip file. Choose the file that you downloaded on the other site, as it is.")
TOO_LARGE = _(
    "This file is larger than 2.4 MB. Unpack it, and bring a zip of manifest.json and some of its games along."
)
NO_ARCHIVE = _("This zip is no file of your data from a Block-You site: it has no manifest.json that says so.")
OTHER_VERSION = _("This file was made by a site of another version. Make a new one there, or have this site updated.")
DAMAGED = _("This file is damaged. Download it from the other site again.")
BOMB = _("This file unpacks to far more than any file of your data. Download it from the other site again.")

#: What a zip raises that says of itself what cannot be: a place beyond all memory is an overflow.
_BROKEN = (BadZipFile, ValueError, OverflowError, NotImplementedError, OSError, EOFError)

_RECORD = re.compile(r"(games|studies)/([a-z0-9]{1,12})\.json")


@dataclass(frozen=True)
class ArchivedRecord:
    """A game or study that is to become a study: its record, the text that is kept, and its title."""

    record: GameRecord
    text: str
    title: str


@dataclass(frozen=True)
class ArchiveContent:
    """What an archive holds: records in their order, and the choices of its person as they were written.

    `unreadable` are the files of records that this site cannot read; `more` says how many were left for another time.
    """

    records: tuple[ArchivedRecord, ...]
    account: Mapping[str, Any]
    holidays: Mapping[str, Any]
    unreadable: tuple[str, ...]
    more: int


class _Unpacking:
    """A zip of which no more is unpacked than may be."""

    def __init__(self, content: bytes) -> None:
        try:
            self._zipped = ZipFile(BytesIO(content))
        except _BROKEN:
            raise BadRequest(NO_ZIP, code="no-zip", field="file") from None
        self._left = MOST_UNPACKED
        self.files = {info.filename: info for info in self._zipped.infolist()}
        if len(self._zipped.infolist()) > MOST_FILES:
            raise BadRequest(BOMB, code="too-much-unpacked", field="file")

    def read(self, path: str) -> bytes:
        """Return what is in a file of the zip.

        Raises: BadRequest where it is damaged, or unpacks to more than it may.
        """
        info = self.files[path]
        if info.flag_bits & 1 or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise BadRequest(DAMAGED, code="damaged", field="file")
        # What the zip says of its sizes is not believed.
        content = self._read(info, min(MOST_IN_FILE, self._left) + 1)
        self._left -= len(content)
        if len(content) > MOST_IN_FILE or self._left < 0:
            raise BadRequest(BOMB, code="too-much-unpacked", field="file")
        return content

    def _read(self, info: ZipInfo, most: int) -> bytes:
        try:
            with self._zipped.open(info) as file:
                return file.read(most)
        except (*_BROKEN, unpacking_error, RuntimeError):
            raise BadRequest(DAMAGED, code="damaged", field="file") from None

    def rows(self, path: str) -> list[Any]:
        """Return the rows of a file, none where there is no such file."""
        found = _parsed(self.read(path)) if path in self.files else []
        return found if isinstance(found, list) else []


def digest_of(text: bytes) -> bytes:
    """Return what stands for the text of a record, which may be long, where it is only asked whether it is known."""
    return hashlib.sha256(text).digest()


def read_archive_file(content: bytes, known: frozenset[bytes] = frozenset()) -> ArchiveContent:
    """Return what an archive holds, each record once, but none whose digest is `known`: the same file may hold more.

    Raises: BadRequest, with what to do, where it is no archive, or none of this version.
    """
    if len(content) > MOST_BYTES:
        raise BadRequest(TOO_LARGE, code="too-large", field="file")
    zipped = _Unpacking(content)
    _check_manifest(zipped)
    rows = [row for row in zipped.rows("data/studies.json") if isinstance(row, dict)]
    titles = {row["slug"]: row.get("title") for row in rows if isinstance(row.get("slug"), str)}
    found = _Records(set(known))
    for path, slug in _record_paths(zipped):
        found.read(path, zipped.read(path), titles.get(slug) if path.startswith("studies/") else "")
    account, holidays = (_first(zipped.rows(f"data/{name}.json")) for name in ("account", "holiday-account"))
    return ArchiveContent(tuple(found.records), account, holidays, tuple(found.unreadable), found.more)


@dataclass
class _Records:
    """The records read so far, as many as one import takes. `seen` are the digests of those that are not read again."""

    seen: set[bytes]
    records: list[ArchivedRecord] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    more: int = 0
    tried: int = 0
    read_bytes: int = 0

    @property
    def _is_full(self) -> bool:
        return len(self.records) >= MOST_RECORDS or self.tried >= MOST_TRIED or self.read_bytes > MOST_TRIED_BYTES

    def read(self, path: str, content: bytes, title: object) -> None:
        """Read the file of a record, unless it was seen; where no more are taken it is only counted."""
        if digest_of(content) in self.seen:
            return
        if self._is_full:
            self.more += 1
            return
        self.tried, self.read_bytes = self.tried + 1, self.read_bytes + len(content)
        self.seen.add(digest_of(content))
        try:
            found = _archived_record(content, title)
        except RulesError:
            self.unreadable.append(path)
            return
        text = found.text.encode()
        if digest_of(text) not in self.seen or text == content:
            self.records.append(found)
            self.seen.add(digest_of(text))


def _check_manifest(zipped: _Unpacking) -> None:
    found = _parsed(zipped.read(layout.MANIFEST)) if layout.MANIFEST in zipped.files else None
    if not isinstance(found, dict) or found.get("format") != layout.FORMAT:
        raise BadRequest(NO_ARCHIVE, code="no-archive", field="file")
    if type(found.get("version")) is not int or found["version"] != layout.VERSION:
        raise BadRequest(OTHER_VERSION, code="other-version", field="file")


def _record_paths(zipped: _Unpacking) -> Iterator[tuple[str, str]]:
    """Yield the files that are records, and what their games and studies were called there.

    Studies come first: a study of a game of one's own has the same record, and a title beside it.
    """
    for path in sorted(zipped.files, key=lambda path: not path.startswith("studies/")):
        if found := _RECORD.fullmatch(path):
            yield path, found[2]


def _archived_record(content: bytes, title: object) -> ArchivedRecord:
    record = read(content)
    named = plain(title) if isinstance(title, str) else ""
    return ArchivedRecord(record, write_json(record), named or record.title)


def _parsed(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise BadRequest(DAMAGED, code="damaged", field="file") from None


def _first(rows: list[Any]) -> Mapping[str, Any]:
    return rows[0] if rows and isinstance(rows[0], dict) else {}
