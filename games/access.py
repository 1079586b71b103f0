"""The only doors from a person to a game or a study.

A private game is seen by its players, its invitees, its creator and whoever holds its link's token. For everybody else
it does not exist: the answer is the same as for no game at all.
"""

import re
from dataclasses import dataclass
from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.errors import NotFound, NotSeated, WrongStatus
from games.models import Game, Player, Status, Study

Viewer: TypeAlias = User | AnonymousUser

#: What a game may be called in an address; nothing else is looked up.
SLUG = re.compile(r"[a-z0-9]{1,12}")


@dataclass(frozen=True)
class BotSeat:
    """The actor when a bot plays: the seat it holds in one game."""

    game_id: int
    seat: int


Actor: TypeAlias = Viewer | BotSeat


def may_view(user: Viewer, game: Game, token: str = "") -> bool:
    """Whether this person may look at the game. Reads the game's players (no query where they are prefetched)."""
    if game.is_public or holds_token(game, token):
        return True
    if not isinstance(user, User):
        return False
    return game.creator_id == user.pk or any(
        user.pk in (player.user_id, player.invitee_id) for player in game.players.all()
    )


def holds_token(game: Game, token: str) -> bool:
    """Whether this is the secret of the game's invitation link."""
    return bool(token) and token.isascii() and constant_time_compare(token, game.invite_token)


def game_to_view(user: Viewer, slug: str, token: str = "") -> Game:
    """Return the game with its players (and the names of their users) prefetched. Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.

    """
    return _open(_with_names(Game.objects.all()), user, slug, token)


def started_game_to_view(user: Viewer, slug: str, token: str = "") -> Game:
    """Return the game as `game_to_view` does, for what is told of moves only. Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.
        WrongStatus: it has not started.

    """
    game = game_to_view(user, slug, token)
    if game.status in (Status.OPEN, Status.CANCELLED):
        raise WrongStatus(_("The game has not started yet."), code="not-started")
    return game


def game_to_change(user: Viewer, slug: str, token: str = "") -> Game:
    """Return the game, locked until the transaction ends, for whoever may look at it. Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.

    """
    return _open(_with_players(_locked()), user, slug, token)


def game_to_play(actor: Actor, slug: str) -> Game:
    """Return the game, locked until the transaction ends, for whoever sits in it. Two queries.

    Its players are prefetched without their users: a move needs their numbers only.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: the person may look, and does not sit.

    """
    games = _locked().prefetch_related("players")
    game = _find(games, slug) if isinstance(actor, BotSeat) else _open(games, actor, slug, "")
    own_seat(game, actor)
    return game


def own_seat(game: Game, actor: Actor) -> Player:
    """Return the seat that the actor holds in a game that they may see.

    Raises:
        NotFound: a bot has no other game than its own.
        NotSeated: the person only looks.

    """
    player = seat_of(game, actor)
    if player is None:
        raise NotFound(NO_GAME) if isinstance(actor, BotSeat) else NotSeated(_("You do not play in this game."))
    return player


def check_creator(game: Game, user: Viewer) -> None:
    """Refuse whoever did not open the table.

    Raises:
        NotSeated: somebody else did.

    """
    if game.creator_id != user.pk:
        raise NotSeated(_("Only the player who opened this table can do that."), code="not-creator")


def check_reviewable(game: Game) -> None:
    """Refuse to review a game that may still go on.

    Raises:
        WrongStatus: it is not over.

    """
    if game.status != Status.FINISHED:
        raise WrongStatus(_("Only a game that is over can be reviewed."), code="not-over")


def conducts(user: Viewer, game: Game) -> bool:
    """Whether this person lets the bots wait and go on: whoever opened a table at which only bots sit."""
    return user.pk is not None and game.creator_id == user.pk and not _people_sit(game)


def _people_sit(game: Game) -> bool:
    return any(not player.bot for player in game.players.all())


def game_to_conduct(user: Viewer, slug: str) -> Game:
    """Return the game, locked until the transaction ends, for whoever opened it for bots alone. Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: somebody else has opened it.
        WrongStatus: people sit at it, or are awaited.

    """
    game = game_to_change(user, slug)
    check_creator(game, user)
    if _people_sit(game):
        raise WrongStatus(_("People play here too. Only a game of bots can be paused."), code="people-play")
    return game


def seat_of(game: Game, actor: Actor) -> Player | None:
    """Return the seat that the actor holds in the game, retired or not; None for whoever only looks."""
    for player in game.players.all():
        if isinstance(actor, BotSeat):
            if (actor.game_id, actor.seat) == (game.pk, player.seat) and player.bot:
                return player
        elif actor.pk is not None and player.user_id == actor.pk:
            return player
    return None


def study_to_view(user: Viewer, slug: str) -> Study:
    """Return the study, for its owner and, where it is shared, for whoever knows its address. One query.

    Raises:
        NotFound: there is none, or none that this person may see.

    """
    return _open_study(Study.objects.all(), user, slug)


def study_to_change(user: Viewer, slug: str) -> Study:
    """Return the study, locked until the transaction ends, for its owner. One query.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: it is shared with them, and another's.

    """
    study = _open_study(Study.objects.select_for_update(no_key=True), user, slug)
    if not owns(user, study):
        raise NotSeated(_("This study is somebody else's."), code="not-owner")
    return study


def owns(user: Viewer, study: Study) -> bool:
    """Whether the study is this person's."""
    return user.pk is not None and study.owner_id == user.pk


_NAMES = ("user__username", "user__is_active", "user__is_guest", "invitee__username", "invitee__is_active")

NO_GAME = _("There is no such game. The link may be old or mistyped.")
NO_STUDY = _("There is no such study. It may have been deleted, or its owner no longer shares it.")


def _locked() -> QuerySet[Game]:
    # No key of the row is ever changed, so rows that point at it may be written meanwhile.
    return Game.objects.select_for_update(no_key=True)


def _with_players(games: QuerySet[Game]) -> QuerySet[Game]:
    return games.prefetch_related(Prefetch("players", Player.objects.select_related("user", "invitee")))


def _with_names(games: QuerySet[Game]) -> QuerySet[Game]:
    # Pages need what people are called and nothing else of them: whole rows would cost as much as the rest of the page.
    fields = (*(field.name for field in Player._meta.concrete_fields), *_NAMES)
    return games.prefetch_related(Prefetch("players", Player.objects.select_related("user", "invitee").only(*fields)))


def _find(games: QuerySet[Game], slug: str) -> Game:
    game = games.filter(slug=slug).first() if SLUG.fullmatch(slug) else None
    if game is None:
        raise NotFound(NO_GAME)
    return game


def _open(games: QuerySet[Game], user: Viewer, slug: str, token: str) -> Game:
    game = _find(games, slug)
    if not may_view(user, game, token):
        raise NotFound(NO_GAME)
    return game


def _open_study(studies: QuerySet[Study], user: Viewer, slug: str) -> Study:
    study = studies.filter(slug=slug).first() if SLUG.fullmatch(slug) else None
    if study is None or not (study.is_shared or owns(user, study)):
        raise NotFound(NO_STUDY)
    return study
