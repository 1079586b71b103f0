"""Change what was agreed at a table before the start."""

from dataclasses import astuple
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base import access, counters
from games.base.setup import FILL_AFTER, TableTerms, check_bot, check_terms
from games.errors import BadRequest
from games.models import Access, Change, Game, ListVersion
from games.rules.variants import get_variant
from games.table import changes, moves, seats


@transaction.atomic
def edit_table(user: User, slug: str, terms: TableTerms, *, now: datetime | None = None) -> Game:
    """Give the user's open table these terms, and store what changed; where nothing does, nothing happens.

    Raises:
        BadRequest: the terms make no sense; `field` names what.
        TooMany: the table would be one too many in the lobby.
        NotFound, NotSeated, WrongStatus: nothing has changed.

    """
    _check(terms)
    person = seats.lock_person(user)
    game = access.game_to_change(person, slug)
    access.check_creator(game, person)
    seats.check_open(game)
    if terms.is_public and not game.is_public and _is_for_anyone(game):
        seats.check_listed(person)
    at = moves.moment(now)
    changed = _changed(game, terms)
    if not changed:
        return game
    before = changes.lists_of(game)
    _write(game, terms, at)
    for change, values in changed.items():
        seats.note_change(game, change, at, values)
    with counters.together():
        changes.grow(game, at, before & {ListVersion.LOBBY})
    events.publish(events.TermsChanged(**changes.about(game)))
    return game


def _check(terms: TableTerms) -> None:
    check_terms(terms.name, terms.time, terms.stand_in)
    if terms.fill_after is not None and terms.fill_after not in FILL_AFTER:
        raise BadRequest(_("Choose a time from the list."), field="fill_after")
    if terms.fill_after:
        check_bot(terms.fill_bot, "fill_bot")


def _is_for_anyone(game: Game) -> bool:
    free = [player for player in game.players.all() if player.user_id is None and not player.bot]
    return any(player.access == Access.OPEN for player in free)


def _changed(game: Game, terms: TableTerms) -> dict[Change, dict[str, object]]:
    """Return what differs from what was agreed, with what is stored of it."""
    changes: dict[Change, dict[str, object]] = {}
    if terms.name.strip() != game.name:
        changes[Change.NAME] = {}
    if terms.time != game.time_control:
        changes[Change.TIME] = {"time": list(astuple(terms.time))}
    if terms.stand_in != game.stand_in and get_variant(game.variant).seats > 2:
        changes[Change.STAND_IN] = {"bot": terms.stand_in}
    if terms.is_public != game.is_public:
        changes[Change.PRIVACY] = {"is_public": terms.is_public}
    if terms.fill_after or (terms.fill_after == 0 and game.fill_at):
        changes[Change.BOTS_LATER] = {"hours": terms.fill_after, "bot": terms.fill_bot}
    if terms.lets_choose is not None and terms.lets_choose != game.lets_choose:
        changes[Change.CHOOSING] = {"lets_choose": terms.lets_choose}
    return changes


def _write(game: Game, terms: TableTerms, now: datetime) -> None:
    game.name, game.is_public, game.stand_in = terms.name.strip(), terms.is_public, terms.stand_in
    game.time_initial, game.time_increment = terms.time.initial, terms.time.increment
    game.time_cap, game.rests_weekends = terms.time.cap, terms.time.rests_weekends
    if terms.fill_after is not None:
        game.fill_at = now + timedelta(hours=terms.fill_after) if terms.fill_after else None
        game.fill_bot = terms.fill_bot if terms.fill_after else ""
    if terms.lets_choose is not None and terms.lets_choose != game.lets_choose:
        # Where players have chosen or may, the seats are not random.
        game.lets_choose, game.is_shuffled = terms.lets_choose, False
    game.save()
