"""Records as a browser fetches them, and hands them in."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.models import Game, Study

FORMS = ("blksgf", "json")


def fetched(client: Client, game: Game | Study, form: str) -> str:
    """Return the record of a game or a study."""
    room = "games" if isinstance(game, Game) else "studies"
    answer = client.get(f"/{room}/{game.slug}/record.{form}")
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def hand_in(client: Client, content: str | bytes, name: str = "game.blksgf", **fields: str) -> Any:
    """Send a file to be opened."""
    data = content.encode() if isinstance(content, str) else content
    return client.post("/studies/", {"file": SimpleUploadedFile(name, data), **fields})


def opened(client: Client, content: str | bytes, **fields: str) -> Study:
    """Open a record and return the study that it has become."""
    answer = hand_in(client, content, **fields)
    assert answer.status_code == 302, answer.content.decode()
    return Study.objects.get(slug=answer["Location"].split("/")[-2])
