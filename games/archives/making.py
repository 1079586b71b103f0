"""Making an archive: rows, records and studies of a person, written into a zip as they are read."""

import hashlib
import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import IO, Any, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from accounts.adapter import Adapter
from accounts.mail.addresses import has_confirmed_address
from accounts.mail.outbox import WrittenMail
from accounts.models import User
from games.actions.archives.keep_archive import MOST_TRIES, ArchiveLostError, discard_attempt, keep_archive, keep_part
from games.actions.takebacks.mark_shown import mark_shown
from games.archives import layout
from games.archives.parts import PartWriter
from games.base.archives import ARCHIVE_OUTBOX, drop_parts
from games.queries.archives.made import archive_to_make
from games.queries.archives.mine import columns_given, games_of, own_records, rows_given, tables_given
from games.rules.errors import RulesError, UnwritableRecord
from games.rules.records import GameRecord, read, write_blksgf, write_json
from games.table.records import record_of

logger = logging.getLogger(__name__)

#: A line of a file of rows is one row.
_SEPARATOR = b",\n"


@dataclass
class ArchiveWriter:
    """A zip that is being written: what is in it so far, and what could not be."""

    zipped: ZipFile
    at: datetime
    files: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def add(self, path: str, content: bytes) -> None:
        """Write a whole file."""
        with self._file(path) as write:
            write(content)

    def add_rows(self, path: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Write rows as a list, one by one."""
        number = 0
        with self._file(path) as write:
            write(b"[")
            for row in rows:
                write((_SEPARATOR if number else b"\n") + _json(dict(zip(columns, row, strict=True))))
                number += 1
            write(b"\n]\n")
        self.files[path] = {**self.files[path], "rows": number}

    @contextmanager
    def _file(self, path: str) -> Iterator[Any]:
        about = ZipInfo(path, timezone.localtime(self.at).timetuple()[:6])
        about.compress_type = ZIP_DEFLATED
        digest = hashlib.sha256()
        with self.zipped.open(about, "w", force_zip64=True) as file:

            def write(content: bytes) -> None:
                digest.update(content)
                file.write(content)

            yield write
        self.files[path] = {"sha256": digest.hexdigest()}


def make_archive_file(archive_id: int, tries: int, *, now: datetime) -> bool:
    """Make an archive of which that many tries have begun; return whether it was made now.

    Safe to repeat and to run twice at once: the worker that counts the try makes it, and only whole it is there. What
    a try has stored that was killed goes with the next one.
    """
    archive = archive_to_make(archive_id)
    if archive is None or not ARCHIVE_OUTBOX.claim(archive_id, tries, now):
        return False
    if tries >= MOST_TRIES:
        discard_attempt(archive_id, tries + 1, now=now)
        return False
    attempt = tries + 1
    try:
        drop_parts(archive_id, tries)
        with translation.override(archive.language):
            parts = PartWriter(partial(_keep, archive_id, attempt))
            write_archive(archive.user, parts, now)
            mail = _mail(archive.user)
        keep_archive(archive, attempt, parts=parts.number, size=parts.size, mail=mail, now=timezone.now())
    except ArchiveLostError:
        drop_parts(archive_id, attempt)
        return False
    except Exception:
        discard_attempt(archive_id, attempt, now=timezone.now())
        raise
    return True


def _keep(archive_id: int, attempt: int, number: int, content: bytes) -> None:
    keep_part(archive_id, attempt, number, content, now=timezone.now())


def write_archive(user: User, parts: PartWriter, now: datetime) -> None:
    """Write all that is the person's. The manifest comes last: it says what was written."""
    with ZipFile(cast(IO[bytes], parts), "w", ZIP_DEFLATED) as zipped:
        writer = ArchiveWriter(zipped, now)
        writer.add(layout.README, _readme(user).encode())
        writer.add(layout.SCHEMA, _json(layout.schema(), indent=1))
        for held in tables_given():
            columns = [column.name for column in columns_given(held)]
            writer.add_rows(layout.path_of(held), columns, rows_given(held, user.pk))
        _add_games(writer, user)
        _add_studies(writer, user)
        writer.add(layout.MANIFEST, _json(_manifest(writer, user), indent=1))
    parts.close()


def _add_games(writer: ArchiveWriter, user: User) -> None:
    for game in games_of(user.pk):
        # The moves are read after it: one that has been taken back meanwhile is not among them.
        mark_shown(user.pk, [game], now=timezone.now())
        try:
            record = record_of(game)
            writer.add(f"games/{game.slug}.json", write_json(record).encode())
        except RulesError:
            # One game that cannot be written, by an error of ours, keeps nobody from the rest.
            logger.exception("Game %s cannot be written into an archive.", game.slug)
            writer.left_out.append(f"games/{game.slug}.json")
        else:
            _add_blksgf(writer, f"games/{game.slug}.blksgf", record)


def _add_studies(writer: ArchiveWriter, user: User) -> None:
    for study in own_records(user.pk):
        # As it is kept: what is wrong with it is the person's too. Comments have a file of their own.
        writer.add(f"studies/{study.slug}.json", study.record.encode())
        with suppress(RulesError):
            _add_blksgf(writer, f"studies/{study.slug}.blksgf", read(study.record))


def _add_blksgf(writer: ArchiveWriter, path: str, record: GameRecord) -> None:
    """Write a record as Pentobi reads it, where that knows the board."""
    with suppress(UnwritableRecord):
        writer.add(path, write_blksgf(record).encode())


def _manifest(writer: ArchiveWriter, user: User) -> Mapping[str, Any]:
    return {
        "format": layout.FORMAT,
        "version": layout.VERSION,
        "site": settings.PUBLIC_URL,
        "release": settings.RELEASE,
        "made_at": writer.at,
        "person": user.username,
        "files": writer.files,
        "left_out": writer.left_out,
    }


def _readme(user: User) -> str:
    lines = (
        gettext("This is what %(site)s keeps about %(name)s.") % {"site": settings.PUBLIC_URL, "name": user.username},
        gettext("games/: every game that you have played or opened, as .json, and as .blksgf where Pentobi reads it."),
        gettext("studies/: the records that you keep to study."),
        gettext("data/: everything else, table by table. What the files look like is said in schema.json."),
        gettext("What others have written is not here, nor any password, token or secret address."),
    )
    return "\n\n".join(lines) + "\n"


def _mail(user: User) -> WrittenMail | None:
    """Return the e-mail that says that the file is there, None for who has confirmed no address."""
    if not (settings.EMAIL_IS_SET and user.email and has_confirmed_address(user)):
        return None
    adapter = cast(Adapter, get_adapter())
    context = {"user": user, "archive_url": f"{settings.PUBLIC_URL}{reverse('own-data')}"}
    return adapter.write_mail("account/email/archive_made", user.email, context)


def _json(value: object, indent: int | None = None) -> bytes:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=indent).encode()
