"""Moves of a game."""

import hashlib

from django.http import HttpRequest

from accounts.doors import person
from games.actions.moves.come_back import come_back as _come_back
from games.actions.moves.pass_turn import pass_turn as _pass_turn
from games.actions.moves.play_placement import play_placement as _play_placement
from games.actions.moves.resign import resign as _resign
from games.actions.moves.try_placement import try_placement as _try_placement
from games.api import schemas
from games.api.door import PLAYING, READING
from games.api.endpoints.answers import responses, router
from games.table.lifecycle import Outcome


@router.post(
    "games/{slug}/place",
    auth=PLAYING,
    response=responses(schemas.PlayedOut, 404, 409, 422),
    url_name="api-place",
    tags=["moves"],
)
def play_placement(request: HttpRequest, slug: str, move: schemas.PlacingIn) -> schemas.PlayedOut:
    """Place a piece for the colour to play, by its text or by its id."""
    key = _key(request, move, move.placement if move.id is None else f"id {move.id}")
    return _played(_play_placement(person(request), slug, placement=move.asked, number=move.number, key=key))


@router.post(
    "games/{slug}/try",
    auth=READING,
    response=responses(schemas.TriedOut, 404, 409, 422),
    url_name="api-try",
    tags=["moves"],
)
def try_placement(request: HttpRequest, slug: str, move: schemas.PlacingIn) -> schemas.TriedOut:
    """Find out whether you could place that now; nothing changes. Also as people type it: `F at c7 r90 flip`."""
    found = _try_placement(person(request), slug, placement=move.asked, number=move.number)
    # A placement that may be made is on the board.
    return schemas.TriedOut(placement=str(found), id=found.id or 0)


@router.post(
    "games/{slug}/pass",
    auth=PLAYING,
    response=responses(schemas.PlayedOut, 404, 409, 422),
    url_name="api-pass",
    tags=["moves"],
)
def pass_turn(request: HttpRequest, slug: str, move: schemas.Due) -> schemas.PlayedOut:
    """Pass for a colour that has no legal placement, at a table that declares passes."""
    return _played(_pass_turn(person(request), slug, number=move.number, key=_key(request, move, "pass")))


@router.post(
    "games/{slug}/resign",
    auth=PLAYING,
    response=responses(schemas.PlayedOut, 404, 409),
    url_name="api-resign",
    tags=["moves"],
)
def resign(request: HttpRequest, slug: str, move: schemas.Resigning) -> schemas.PlayedOut:
    """Give the game up, on any turn; once is enough."""
    return _played(_resign(person(request), slug, number=move.number, key=move.key))


@router.post(
    "games/{slug}/back",
    auth=PLAYING,
    response=responses(schemas.PlayedOut, 404, 409),
    url_name="api-back",
    tags=["moves"],
)
def come_back(request: HttpRequest, slug: str) -> schemas.PlayedOut:
    """Take your turns again after a bot has taken them for you."""
    return _played(_come_back(person(request), slug))


def _key(request: HttpRequest, move: schemas.Due, what: str) -> str:
    """Return the key of a request, made of what it asks for where it has none: sent twice it is one move."""
    made = f"{person(request).pk} {move.number} {what}".encode("utf-8", "replace")
    return move.key or hashlib.blake2s(made, digest_size=16).hexdigest()


def _played(outcome: Outcome) -> schemas.PlayedOut:
    return schemas.PlayedOut(number=outcome.number, version=outcome.version, repeated=outcome.is_repeat)
