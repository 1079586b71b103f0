"""The steps of a standing seek: who may have one, whether it wants more, what its table is like, and when it rests."""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import User, Welcome
from games.base import access, children, welcome
from games.base.setup import WAITS, GameSetup, SeatSetup, as_usual
from games.base.terms import FILL_SOON, USUAL_STAND_IN
from games.errors import BadRequest, NotFound, NotSeated
from games.models import Game, Player, Seek, Status
from games.queries.tables.seeks import (
    MOST_SOUGHT,
    SOUGHT,
    SOUGHT_TIMES,
    count_games,
    is_alone_at,
    is_sought_rated,
    rests_of,
)
from games.rules.variants import drawn_again, get_variant
from games.rules.variants.codingame import SEEDS
from games.table import seats

#: How many standing seeks one person has at most.
MOST_SEEKS = 5
#: A seek that waits for people is looked at again after this time; one that wants nothing, or rests, after the second.
LOOKS_EACH, LOOKS_SELDOM = timedelta(minutes=5), timedelta(hours=1)
#: How long it rests when its person has left a table.
RESTS = timedelta(days=1)

NO_GUESTS = _("Save your games with a name and a password first. Then the site can find games for you.")
NO_BOTS = _("Bot accounts have no standing seeks. A bot's program joins the tables in the lobby that it wants.")
NO_ONE_INVITES = _(
    "You let no one invite you, so there is no one with whom the site could seat you. Change that in your preferences "
    "first."
)
NO_SEEK = _("There is no such standing seek any more. Look at the list again.")


def check_seeker(person: User) -> None:
    """Refuse a standing seek to a child, a bot account, a guest, and to whoever lets no one invite them.

    Raises:
        NotSeated: `child`, `bot-seek`, `guest-seek` or `invites-no-one`.

    """
    children.check_grown_up(person)
    if person.is_bot:
        raise NotSeated(NO_BOTS, code="bot-seek")
    if person.is_guest:
        raise NotSeated(NO_GUESTS, code="guest-seek")
    if person.invited_by == Welcome.NO_ONE:
        raise NotSeated(NO_ONE_INVITES, code="invites-no-one")


def check_seek(variant: str, pace: str, number: int, wait: int) -> None:
    """Refuse a kind of game that cannot be sought.

    Raises:
        BadRequest: `field` is variant, pace, number or wait.

    """
    if variant not in SOUGHT:
        raise BadRequest(_("The site cannot find games on this board. Choose one from the list."), field="variant")
    if pace not in SOUGHT_TIMES:
        raise BadRequest(_("Choose a pace from the list."), field="pace")
    if not 1 <= number <= MOST_SOUGHT:
        raise BadRequest(_("The site can keep one to five games of a kind going for you."), field="number")
    if wait not in WAITS:
        raise BadRequest(_("Choose from the list after which time bots take the empty seats."), field="wait")


def own_seek(person: User, pk: int) -> Seek:
    """Return a seek of a person, who is locked. One query.

    Raises: NotFound.
    """
    found = Seek.objects.filter(pk=pk, person=person).first()
    if found is None:
        raise NotFound(NO_SEEK)
    found.person = person
    return found


def same_seek(seeks: QuerySet[Seek], sought: Seek) -> Seek | None:
    """Return which of a person's seeks is of the same kind as this one; where a site has no ratings, no game is rated.

    One query.
    """
    same = seeks.filter(variant=sought.variant, pace=sought.pace)
    return (same.filter(is_rated=sought.is_rated) if settings.RATINGS else same.order_by("pk")).first()


def wants_more(seek: Seek, now: datetime, own: Game | None = None) -> bool:
    """Return whether one more game is to be found for a person, who is locked; their `own` table does not count.

    Four queries at most.
    """
    running, waiting = count_games(seek)
    is_short = running + waiting - (own is not None) < seek.number
    return is_short and not rests_of(seek.person, [seek], now)


def setup_of_seek(seek: Seek) -> GameSetup:
    """Return the table that the site opens for a seek: public, with the terms of any such table, and pieces drawn."""
    free = (SeatSetup(kind="open"),) * (get_variant(seek.variant).seats - 1)
    return as_usual(
        GameSetup(
            variant=drawn_again(seek.variant, secrets.choice(SEEDS)),
            seats=(SeatSetup(kind="me"), *free),
            is_rated=is_sought_rated(seek),
            fill_soon=seek.wait if seek.wait in FILL_SOON else 0,
            fill_after=0 if seek.wait in FILL_SOON else seek.wait // 60,
            fill_bot=USUAL_STAND_IN if seek.wait else "",
            time=SOUGHT_TIMES[seek.pace],
        )
    )


def check_welcome(game: Game, person: User) -> None:
    """Refuse a table where somebody sits by whom the person does not want to be invited, or whom they may not invite.

    Nobody chooses the others at a table that the site finds; so it asks of both sides what an invitation would. Two
    queries at most (needs the players fetched with their people).

    Raises:
        NotSeated: `not-welcome`.

    """
    others = [player.user for player in game.players.all() if player.user is not None]
    if not welcome.may_be_seated_together(person, others):
        raise NotSeated(_("This table is not for you at the moment."), code="not-welcome")


def look_again(seek: Seek, at: datetime) -> None:
    """Keep when a seek is looked at next. One query."""
    Seek.objects.filter(pk=seek.pk).update(due_at=at)


def table_to_give_up(table: int) -> Game | None:
    """Return a table that the site opened for a seek, locked until the transaction ends; None if it is there no more.

    Three queries.
    """
    return next(iter(access.games_to_close(Game.objects.filter(pk=table))), None)


def give_table_up(seek: Seek, now: datetime, game: Game) -> None:
    """Cancel the table that the site opened for a seek, locked here, if its person still waits there alone."""
    if is_alone_at(game, seek):
        seats.cancel_table(game, now)


def rest_seeks(person: int, game: Game, now: datetime) -> None:
    """Suspend the seeks of a person who leaves a table on their board, or cancels it. Two queries, after the game's.

    Else the site would seat them there again a few minutes later. The rows are locked in the order of their numbers: of
    two tables that are left at one instant neither waits for the other.
    """
    seeks = Seek.objects.filter(person=person, variant=game.variant.partition(":")[0])
    locked = seeks.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True)
    if keys := list(locked):
        Seek.objects.filter(pk__in=keys).update(rests_until=now + RESTS)


def note_idle(game: Game) -> None:
    """Suspend a seek whose table nobody has joined in all the time that one waits, until its person resumes it.

    Else the site would open one after the other for somebody who does not come back. One query, after the game's.
    """
    Seek.objects.filter(table=game).update(is_idle=True)


def is_its_table(seek: Seek) -> bool:
    """Return whether the table that the site has opened for a seek last still waits. One query at most."""
    return seek.table_id is not None and Game.objects.filter(pk=seek.table_id, status=Status.OPEN).exists()


def seats_of_seek(seek: Seek) -> list[Player]:
    """Return the seats of a table for a seek: its person's and those that are open to anyone."""
    return [Player(user=seek.person), *(Player() for _seat in range(get_variant(seek.variant).seats - 1))]
