"""A person's archive: how far it is, and its bytes."""

from collections.abc import Iterator

from games.models import Archive, ArchivePart


def archive_of(person: int) -> Archive | None:
    """Return the archive of a person, being made, made or failed; None if there is none. One query."""
    return Archive.objects.filter(user=person).first()


def archive_to_make(archive_id: int) -> Archive | None:
    """Return an archive with its person, None if it is gone. One query."""
    return Archive.objects.select_related("user").filter(pk=archive_id).first()


def bytes_of(archive: Archive) -> Iterator[bytes]:
    """Yield the bytes of a made archive, part by part: one query each, and no more than one part in memory.

    Raises: ArchivePart.DoesNotExist where it goes meanwhile, with its account or after its day.
    """
    parts = ArchivePart.objects.filter(archive=archive, attempt=archive.tries).values_list("content", flat=True)
    for number in range(archive.parts):
        yield bytes(parts.get(number=number))
