"""An archive of another site: its games become studies, its choices are set; a file that is none changes nothing."""

import io
import json
import random
import struct
from collections.abc import Callable
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from games.archives import layout, reading
from games.errors import BadRequest
from games.forms.archive import preferences_of
from games.models import HolidayBook, Player, Study
from games.rules import Position
from games.rules.record import Record
from games.rules.records import GameRecord, write_json
from games.table.studies.creating import MAX_STUDIES
from tests.games.archives.everything import NAME, STUDY
from tests.games.archives.test_archive import archive_of, person  # noqa: F401  (a fixture)
from tests.games.tables import NOON

PAGE = "/data/bring/"
MANIFEST = {"format": layout.FORMAT, "version": layout.VERSION}


def zipped(**files: bytes) -> bytes:
    """Return a zip of these files; in their names two underscores stand for a slash, and each ends in .json."""
    target = BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(f"{name.replace('__', '/')}.json", content)
    return target.getvalue()


def rezipped(archive: ZipFile, **changed: bytes) -> bytes:
    return zipped(
        **{
            name.removesuffix(".json").replace("/", "__"): archive.read(name)
            for name in archive.namelist()
            if name.endswith(".json")
        }
        | changed
    )


@pytest.fixture
def file(person: User) -> ZipFile:  # noqa: F811
    return archive_of(person)


@pytest.fixture
def newcomer(db: None, log_in: Callable[[User], Client]) -> tuple[User, Client]:
    user = User.objects.create_user("newcomer", password="x")
    return user, log_in(user)


def bring(client: Client, content: bytes, **chosen: str) -> Any:
    upload = SimpleUploadedFile("block-you.zip", content, "application/zip")
    return client.post(PAGE, {"file": upload, **(chosen or {"games": "on", "choices": "on"})}, follow=True)


def texts(file: ZipFile) -> set[str]:
    """Return the records of an archive."""
    found = [name for name in file.namelist() if name.startswith(("games/", "studies/")) and name.endswith(".json")]
    assert len(found) > 3
    return {file.read(name).decode() for name in found}


def state() -> tuple[Any, ...]:
    return tuple(User.objects.order_by("pk").values()), Study.objects.count(), HolidayBook.objects.count()


def test_a_file_that_says_it_begins_beyond_all_memory_is_damaged() -> None:
    whole = zipped(manifest=json.dumps(MANIFEST).encode())
    start = whole.index(b"PK\x01\x02")
    entry, end = bytearray(whole[start : whole.index(b"PK\x05\x06")]), bytearray(whole[whole.index(b"PK\x05\x06") :])
    further = struct.pack("<HHQ", 1, 8, 2**64 - 1)
    struct.pack_into("<H", entry, 30, len(further))
    struct.pack_into("<L", entry, 42, 0xFFFFFFFF)
    struct.pack_into("<L", end, 12, len(entry) + len(further))
    with pytest.raises(BadRequest) as refused:
        reading.read_archive_file(whole[:start] + entry + further + end)
    assert refused.value.code in ("damaged", "no-zip")


def test_games_and_studies_become_studies(file: ZipFile, newcomer: tuple[User, Client]) -> None:
    user, client = newcomer
    answer = bring(client, rezipped(file))
    assert f"{len(texts(file))} games are now among your studies." in answer.content.decode()
    kept = Study.objects.filter(owner=user)
    assert sorted(study.record for study in kept) == sorted(texts(file))
    assert f"{STUDY} {NAME}" in {study.title for study in kept}
    assert not kept.filter(is_shared=True).exists()
    assert not Player.objects.filter(user=user).exists()


def test_choices_are_set_as_they_were(file: ZipFile, newcomer: tuple[User, Client], person: User) -> None:  # noqa: F811
    user, client = newcomer
    bring(client, rezipped(file))
    user.refresh_from_db()
    names = (
        *("theme", "has_high_contrast", "colour_names", "invited_by", "written_by", "seen_by"),
        *("own_mark", "own_tint", "language", "time_zone"),
        *("quiet_from", "quiet_until", "placing", "wants_turn_emails", "digest_hour"),
    )
    was = User.objects.get(pk=person.pk)
    wanted = {name: getattr(was, name) for name in names} | {"wants_turn_emails": was.wants_turn_emails}
    assert {name: getattr(user, name) for name in names} == wanted
    assert (user.username, user.email, user.is_moderator) == ("newcomer", "", False)
    assert HolidayBook.objects.get(user=user).spends_itself


def test_what_was_not_wanted_stays(file: ZipFile, newcomer: tuple[User, Client]) -> None:
    user, client = newcomer
    bring(client, rezipped(file), choices="on")
    assert not Study.objects.filter(owner=user).exists()
    bring(client, rezipped(file), games="on")
    assert Study.objects.filter(owner=user).exists()


def test_the_same_file_again_brings_nothing_twice(file: ZipFile, newcomer: tuple[User, Client]) -> None:
    user, client = newcomer
    bring(client, rezipped(file))
    number = Study.objects.filter(owner=user).count()
    bring(client, rezipped(file))
    assert Study.objects.filter(owner=user).count() == number


def test_many_games_come_in_lots(file: ZipFile, newcomer: tuple[User, Client], monkeypatch: pytest.MonkeyPatch) -> None:
    user, client = newcomer
    monkeypatch.setattr(reading, "MOST_RECORDS", 2)
    answer = bring(client, rezipped(file))
    assert "Bring it along again" in answer.content.decode()
    numbers = [Study.objects.filter(owner=user).count()]
    while numbers[-1] not in numbers[:-1]:
        bring(client, rezipped(file))
        numbers.append(Study.objects.filter(owner=user).count())
    assert numbers[:2] == [2, 4]
    assert numbers[-1] == len(texts(file))


def test_no_more_studies_than_there_may_be(
    file: ZipFile, newcomer: tuple[User, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    user, client = newcomer
    monkeypatch.setattr("games.actions.archives.import_studies.MAX_STUDIES", 1)
    answer = bring(client, rezipped(file))
    assert "Delete some to bring more along." in answer.content.decode()
    assert Study.objects.filter(owner=user).count() == 1


def bomb() -> bytes:
    return zipped(manifest=json.dumps(MANIFEST).encode(), games__a=b"[" + b"0," * 2_000_000 + b"0]")


def lying_bomb() -> bytes:
    """Return one whose directory says that its file has a few bytes."""
    content = bytearray(bomb())
    at = content.rindex(b"PK\x01\x02")
    content[at + 24 : at + 28] = struct.pack("<I", 5)
    return bytes(content)


def many_files() -> bytes:
    target = io.BytesIO()
    with ZipFile(target, "w") as made:
        for number in range(reading.MOST_FILES + 1):
            made.writestr(str(number), b"")
    return target.getvalue()


def overlapping() -> bytes:
    """Return one of which many files of the directory are the same bytes, each a little less than may be."""
    one = b"[" + b"0," * (reading.MOST_IN_FILE // 2 - 9) + b"0]"
    content = zipped(manifest=json.dumps(MANIFEST).encode(), games__aa=one)
    at, end = content.rindex(b"PK\x01\x02"), content.rindex(b"PK\x05\x06")
    entry, many = content[at:end], 200
    names = [f"games/{number:02x}.json".encode() for number in range(256)][:many]
    start = entry.index(b"games/aa.json")
    copies = b"".join(entry[:start] + name + entry[start + len(name) :] for name in names)
    directory = content[content.index(b"PK\x01\x02") : at] + copies
    offset = content.index(b"PK\x01\x02")
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, many + 1, many + 1, len(directory), offset, 0)
    return content[:offset] + directory + tail


def cut() -> bytes:
    return zipped(manifest=json.dumps(MANIFEST).encode(), games__a=b"x" * 5000)[:-30]


def broken() -> bytes:
    content = bytearray(
        zipped(manifest=json.dumps(MANIFEST).encode() * 1, games__a=json.dumps([*range(3000)]).encode())
    )
    at = content.index(b"games/a.json") + 40
    content[at : at + 20] = b"\xff" * 20
    return bytes(content)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: b"", "This is no zip file."),
        (lambda: b"GIF89a", "This is no zip file."),
        (cut, "This is no zip file."),
        (lambda: zipped(something=b"{}"), "has no manifest.json"),
        (lambda: zipped(manifest=b"[]"), "has no manifest.json"),
        (lambda: zipped(manifest=b'{"format": "other", "version": 1}'), "has no manifest.json"),
        (lambda: zipped(manifest=b"{"), "This file is damaged."),
        (lambda: zipped(manifest=b"[" * 100_000), "This file is damaged."),
        (lambda: zipped(manifest=json.dumps({**MANIFEST, "version": 2}).encode()), "another version"),
        (lambda: zipped(manifest=json.dumps({**MANIFEST, "version": True}).encode()), "another version"),
        (bomb, "unpacks to far more"),
        (lying_bomb, "damaged"),
        (many_files, "unpacks to far more"),
        (overlapping, "damaged"),
        (lambda: zipped(inner=bomb()), "has no manifest.json"),
        (broken, "damaged"),
    ],
)
def test_a_zip_that_is_none_is_refused_with_what_to_do_and_changes_nothing(
    make: Callable[[], bytes], sentence: str, newcomer: tuple[User, Client]
) -> None:
    _user, client = newcomer
    before = state()
    answer = bring(client, make())
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert state() == before


def test_a_file_above_the_limit_is_refused_with_what_to_do(newcomer: tuple[User, Client]) -> None:
    answer = bring(newcomer[1], b"PK" + b"\0" * 2_600_000)
    assert answer.status_code == 422
    assert "larger than 2.4 MB" in answer.content.decode()
    assert "Choose a file." in newcomer[1].post(PAGE, {"games": "on"}).content.decode()


def test_records_and_choices_that_make_no_sense_leave_the_rest(file: ZipFile, newcomer: tuple[User, Client]) -> None:
    user, client = newcomer
    account = {
        "theme": "dark",
        "language": "xx",
        "own_mark": 7,
        "quiet_from": "late",
        "notice_choices": [1],
        "digest_hour": 77,
    }
    content = rezipped(file, games__bad=b"{}", data__account=json.dumps([account]).encode())
    answer = bring(client, content)
    assert answer.status_code == 200
    assert "1 game in the file cannot be read here." in answer.content.decode()
    user.refresh_from_db()
    assert (user.theme, user.language, user.own_mark, user.quiet_from, user.digest_hour) == ("dark", "", "", None, 8)


def test_rights_are_no_choices(file: ZipFile, newcomer: tuple[User, Client]) -> None:
    user, client = newcomer
    account = {"is_moderator": True, "is_staff": True, "is_superuser": True, "username": "boss", "email": "a@b.example"}
    bring(client, rezipped(file, data__account=json.dumps([account]).encode()))
    user.refresh_from_db()
    assert (user.is_moderator, user.is_staff, user.is_superuser, user.username) == (False, False, False, "newcomer")


def test_strangers_log_in_first(client: Client) -> None:
    assert client.get(PAGE).status_code == 302


@pytest.mark.parametrize(
    "changed",
    [
        {"data__studies": b'[{"slug": []}]'},
        {"data__account": b'[{"quiet_from": 5, "quiet_until": 7, "theme": []}]'},
    ],
)
def test_what_is_no_text_in_the_file_is_left_alone(
    file: ZipFile, newcomer: tuple[User, Client], changed: dict[str, bytes]
) -> None:
    assert bring(newcomer[1], rezipped(file, **changed)).status_code == 200


def test_one_game_written_in_many_ways_is_played_a_thousand_times(file: ZipFile) -> None:
    text = next(iter(sorted(texts(file))))
    same = {f"games__a{number}": text.encode() + b" " * number for number in range(1200)}
    manifest = {"manifest": json.dumps(MANIFEST).encode()}
    brought = reading.read_archive_file(zipped(**manifest, **same))
    assert (len(brought.records), brought.more) == (1, 1200 - reading.MOST_TRIED)


def test_no_more_bytes_of_records_are_played_than_a_usual_file_has(
    file: ZipFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = sorted(texts(file))
    monkeypatch.setattr(reading, "MOST_TRIED_BYTES", len(found[0].encode()))
    brought = reading.read_archive_file(rezipped(file))
    assert 0 < len(brought.records) < len(found)
    assert brought.more > 0


def ten_thousand_moves() -> dict[str, str]:
    """Return the records of games of 10,000 moves in all, by their places in a file, no two of them alike."""
    found, moves, seed = dict[str, str](), 0, 0
    while moves < 10_000:
        position, played, seed = Position.start("duo"), list[str](), seed + 1
        chance = random.Random(seed)
        while legal := position.legal_placements():
            placement = chance.choice(legal)
            position = position.play(placement)
            played.append(str(placement))
        for number in range(len(played) - 4, len(played) + 1):
            record = GameRecord(Record("duo", tuple(played[:number])), title=f"Game {len(found)}")
            found[f"games/g{len(found)}.json"] = write_json(record)
            moves += number
    return found


def test_an_archive_of_ten_thousand_moves_comes_back_at_once(newcomer: tuple[User, Client]) -> None:
    user, client = newcomer
    records = ten_thousand_moves()
    content = zipped(
        manifest=json.dumps(MANIFEST).encode(),
        **{name.removesuffix(".json").replace("/", "__"): text.encode() for name, text in records.items()},
    )
    assert 300 < len(records) < MAX_STUDIES
    answer = bring(client, content, games="on")
    assert f"{len(records)} games are now among your studies." in answer.content.decode()
    assert "more" not in answer.content.decode().partition("now among your studies")[2][:300]
    assert {*Study.objects.filter(owner=user).values_list("record", flat=True)} == {*records.values()}


def test_a_zip_within_the_zip_is_not_opened(file: ZipFile, newcomer: tuple[User, Client]) -> None:
    answer = bring(newcomer[1], rezipped(file, games__inner=bomb(), studies__inner=rezipped(file)))
    assert answer.status_code == 200
    assert "2 games in the file cannot be read here." in answer.content.decode()
    assert Study.objects.filter(owner=newcomer[0]).count() == len(texts(file))


def test_choices_that_take_long_to_read_undo_nothing_that_happened_meanwhile(newcomer: tuple[User, Client]) -> None:
    user, _client = newcomer
    stale = User.objects.get(pk=user.pk)
    User.objects.filter(pk=user.pk).update(suspended_until=NOON, unread_notices=7)
    preferences_of(stale, {"theme": "dark", "shows_ratings": True}).save()
    user.refresh_from_db()
    assert (user.theme, user.shows_ratings, user.suspended_until, user.unread_notices) == ("dark", True, NOON, 7)
    User.objects.filter(pk=user.pk).update(is_active=False, shows_ratings=False)
    preferences_of(stale, {"theme": "light"}).save()
    user.refresh_from_db()
    assert (user.is_active, user.theme, user.shows_ratings) == (False, "dark", False)
