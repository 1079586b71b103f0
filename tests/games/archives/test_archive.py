"""The archive of a person: complete, valid by its own schema, and without secrets or other people's words."""

import hashlib
import json
import re
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import jsonschema_rs
import pytest
from django.utils import timezone

from accounts.models import User
from games.actions.archives.ask_for_archive import ask_for_archive
from games.archives import layout
from games.archives.making import make_archive_file
from games.base.personal import HELD
from games.models import Archive, ArchivePart, Game, TalkMessage
from games.queries.archives.made import bytes_of
from games.queries.archives.mine import tables_given
from games.rules.records import read
from tests.games.archives.everything import ADDRESS, NAME, PASSKEY, SECRETS, WORDS, person_with_everything


@pytest.fixture
def person(bob: User, carol: User) -> User:
    user = person_with_everything(bob, carol)
    Archive.objects.all().delete()
    User.objects.filter(pk=user.pk).update(suspended_until=None)
    return User.objects.get(pk=user.pk)


def archive_of(user: User) -> ZipFile:
    """Have the archive of a person made, and return it as they fetch it."""
    assert make_archive_file(ask_for_archive(user, language="en").pk, 0, now=timezone.now())
    return ZipFile(BytesIO(b"".join(bytes_of(Archive.objects.get(user=user, made_at__isnull=False)))))


def data(zipped: ZipFile, name: str) -> Any:
    return json.loads(zipped.read(f"data/{name}.json"))


def test_it_has_a_row_of_each_kind_that_the_lists_name(person: User) -> None:
    zipped = archive_of(person)
    assert zipped.testzip() is None
    empty = [held.file for held in tables_given() if not data(zipped, held.file)]
    assert empty == []
    assert len(tables_given()) == len([held for held in HELD if held.given]) > 30


def test_its_files_are_as_its_schema_says(person: User) -> None:
    zipped = archive_of(person)
    schema = json.loads(zipped.read("schema.json"))
    assert {*schema["$defs"]} == {name for name in zipped.namelist() if name.startswith("data/")}
    for path, says in schema["$defs"].items():
        jsonschema_rs.validator_for({"$schema": schema["$schema"], **says}).validate(json.loads(zipped.read(path)))


def test_its_manifest_names_every_file_with_its_sum(person: User) -> None:
    zipped = archive_of(person)
    manifest = json.loads(zipped.read("manifest.json"))
    assert (manifest["format"], manifest["version"], manifest["person"]) == (layout.FORMAT, layout.VERSION, NAME)
    assert {*manifest["files"]} == {*zipped.namelist()} - {"manifest.json"}
    for path, about in manifest["files"].items():
        assert hashlib.sha256(zipped.read(path)).hexdigest() == about["sha256"]
    assert manifest["files"]["data/notes.json"]["rows"] == 1
    assert manifest["left_out"] == []


def test_what_the_person_wrote_is_in_it(person: User) -> None:
    zipped = archive_of(person)
    everything = "".join(zipped.read(name).decode() for name in zipped.namelist())
    assert [text for text in (NAME, ADDRESS, *WORDS) if text not in everything] == []


def test_secrets_and_other_peoples_words_are_not(person: User, bob: User) -> None:
    said = TalkMessage.objects.get(author=bob).text
    zipped = archive_of(person)
    everything = "".join(zipped.read(name).decode() for name in zipped.namelist())
    assert "Well done" in said
    tokens = Game.objects.values_list("invite_token", flat=True)
    for secret in (*SECRETS, "Well done", person.password, bob.email, "whsec_", *filter(None, tokens)):
        assert secret not in everything, secret
    assert not re.search(r"blockyou_[A-Za-z0-9_-]{32}", everything)


def test_games_and_studies_are_records_that_the_site_reads(person: User) -> None:
    zipped = archive_of(person)
    records = [name for name in zipped.namelist() if re.match(r"(games|studies)/", name)]
    assert {name.rpartition(".")[2] for name in records} == {"json", "blksgf"}
    assert all(read(zipped.read(name)).record.variant for name in records)
    played = Game.objects.filter(players__user=person, status__in=("running", "finished"))
    mine = {game.slug for game in played} | {game.slug for game in Game.objects.filter(creator=person, is_of_bots=True)}
    assert {name[len("games/") : -len(".json")] for name in records if re.match(r"games/.*\.json", name)} == mine


def test_choices_are_as_the_person_made_them(person: User) -> None:
    (account,) = data(archive_of(person), "account")
    assert (account["theme"], account["time_zone"], account["quiet_from"]) == ("dark", "Europe/Paris", "22:00:00")
    assert account["notice_choices"] == {"turn.email": False}
    assert (account["username"], account["email"]) == (NAME, ADDRESS)


def test_sessions_say_device_and_days_and_nothing_that_opens_them(person: User) -> None:
    zipped = archive_of(person)
    (session,) = data(zipped, "sessions")
    today = timezone.now().date().isoformat()
    assert {name: session[name] for name in ("device", "began_on", "seen_on")} == {
        "device": "Firefox|Linux",
        "began_on": today,
        "seen_on": today,
    }
    assert {*session} == {"expire_date", "device", "began_on", "seen_on"}
    keys = data(zipped, "keys")
    assert {(row["type"], row["name"]) for row in keys} == {("totp", None), ("webauthn", PASSKEY)}


def test_others_are_called_by_their_names(person: User) -> None:
    assert [row["other"] for row in data(archive_of(person), "followed")] == ["bob"]


def test_another_person_gets_nothing_of_it(person: User, carol: User) -> None:
    archive_of(person)
    zipped = archive_of(carol)
    assert data(zipped, "notes") == []
    everything = "".join(zipped.read(name).decode() for name in zipped.namelist())
    assert [text for text in (ADDRESS, *WORDS) if text in everything and "table" not in text] == []


def test_it_is_stored_in_parts_of_one_size(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.archives.parts.PART_SIZE", 1000)
    archive_of(person)
    sizes = [len(part.content) for part in ArchivePart.objects.order_by("number")]
    archive = Archive.objects.get()
    assert {*sizes[:-1]} == {1000}
    assert 0 < sizes[-1] <= 1000
    assert (sum(sizes), len(sizes)) == (archive.size, archive.parts)
    assert archive.made_at is not None
    assert archive.made_at <= timezone.now()
