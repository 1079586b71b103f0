"""Change what was agreed at a table before the start."""

from collections.abc import Mapping
from dataclasses import astuple, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base import access, counters
from games.base.setup import check_bot
from games.base.talk import check_may_write
from games.base.terms import EDITABLE, FILL_AFTER, TableTerms, check_terms, columns_of, terms_of
from games.errors import BadRequest
from games.models import Access, Change, Game, Group, ListVersion, Status
from games.rules.variants import get_variant
from games.table import changes, moves, seats

STAYS_SHELTERED = _("A table with a child stays private, and has no name of its own.")


STAYS_PRIVATE = _("This table begins with moves of a private game or a study, so it stays private.")


@transaction.atomic
def edit_table(user: User, slug: str, terms: TableTerms, *, now: datetime | None = None) -> Game:
    """Give the user's open table these terms, and store what changed; where nothing does, nothing happens.

    Raises:
        BadRequest: the terms make no sense; `field` names what.
        TooMany: the table would be one too many in the lobby.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    terms = replace(terms, name=terms.name.strip())
    _check(terms)
    person = seats.lock_person(user)
    game = access.game_to_change(person, slug)
    access.check_creator(game, person)
    seats.check_open(game)
    if seats.bot_to_choose(game):
        # No seat is empty, and the moment says when the game begins.
        terms = replace(terms, fill_after=None)
    if game.is_sheltered and (terms.is_public or terms.name):
        raise BadRequest(STAYS_SHELTERED, field="is_public" if terms.is_public else "name", code="child-table")
    if terms.is_public and not game.is_public and not _may_be_shown(game):
        raise BadRequest(STAYS_PRIVATE, field="is_public", code="given-private")
    if terms.is_public:
        _leave_group(game)
    if terms.is_public and not game.is_public and _is_for_anyone(game):
        seats.check_listed(person)
    at = moves.moment(now)
    edited = _edited(game, terms)
    check_may_write(person, edited.get("name", ""), at)
    told = _told(game, terms, edited)
    if not told:
        return game
    before = changes.lists_of(game)
    _write(game, terms, edited, at)
    for change, values in told.items():
        seats.note_change(game, change, at, values)
    with counters.together():
        changes.grow(game, at, before & {ListVersion.LOBBY})
    events.publish(events.TermsChanged(**changes.about(game)))
    return game


def _leave_group(game: Game) -> None:
    """Take a table that is to be public out of its group, which has to have ended. A query for a group's table."""
    if game.group_id is not None and Group.objects.filter(pk=game.group_id, owner__isnull=False).exists():
        sentence = _("A table of a group is for its members. Open another table for everyone.")
        raise BadRequest(sentence, field="is_public")
    game.group = None


def _may_be_shown(game: Game) -> bool:
    """Return whether everybody may see the moves that a table was given, if any. A query where it was."""
    if not game.given_moves:
        return True
    return Game.objects.filter(slug=game.begun_from, is_public=True, status=Status.FINISHED).exists()


def _check(terms: TableTerms) -> None:
    check_terms(terms)
    if terms.fill_after is not None and terms.fill_after not in FILL_AFTER:
        raise BadRequest(_("Choose a time from the list."), field="fill_after")
    if terms.fill_after:
        check_bot(terms.fill_bot, "fill_bot")


def _is_for_anyone(game: Game) -> bool:
    free = [player for player in game.players.all() if player.user_id is None and not player.bot]
    return any(player.access == Access.OPEN for player in free)


def _edited(game: Game, terms: TableTerms) -> dict[str, Any]:
    """Return the terms that are to be others than were agreed, by their names.

    Only more than two can stand in, and where one names the opening pieces the other always chooses. At a given
    position no one does: its pieces have their colours.
    """
    agreed = terms_of(game)
    fixed = {"stand_in"} if get_variant(game.variant).seats == 2 else set()
    fixed |= {"lets_choose"} if game.offers_sides or game.given_moves else set()
    names = [name for name in EDITABLE if name not in fixed]
    return {name: getattr(terms, name) for name in names if getattr(terms, name) != agreed[name]}


def _told(game: Game, terms: TableTerms, edited: Mapping[str, Any]) -> dict[Change, dict[str, object]]:
    """Return what the players are told of, with what is stored of it (`TableChange.values`)."""
    told = {EDITABLE[name]: _values(name, value) for name, value in edited.items()}
    if terms.fill_after or (terms.fill_after == 0 and game.fill_at):
        told[Change.BOTS_LATER] = {"hours": terms.fill_after, "bot": terms.fill_bot}
    return told


def _values(name: str, value: Any) -> dict[str, object]:
    if name == "name":
        return {}
    if name == "time":
        return {"time": list(astuple(value))}
    return {{"stand_in": "bot"}.get(name, name): value}


def _write(game: Game, terms: TableTerms, edited: Mapping[str, Any], now: datetime) -> None:
    for column, value in columns_of(terms, edited).items():
        setattr(game, column, value)
    if terms.fill_after is not None:
        game.fill_at = now + timedelta(hours=terms.fill_after) if terms.fill_after else None
        game.fill_bot = terms.fill_bot if terms.fill_after else ""
    if "lets_choose" in edited:
        # Where players have chosen or may, the seats are not random.
        game.is_shuffled = False
    game.save()
