"""The only doors from a person to a game or a study.

A private game can be seen by its players, its invitees, its creator, by anyone with the token of its link, and by the
members of its group, if it is of one. A sheltered one, with a child, has neither link nor group; the guardians of its
children see it too (`games.base.children`). For everybody else it does not exist: the answer is the same as for no game
at all.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.db.models import BigIntegerField, CharField, Prefetch, QuerySet
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from accounts.database.prepared import Prepared, PreparedForSeveral
from accounts.models import User
from games.base import children
from games.errors import NotFound, NotSeated, WrongStatus
from games.models import Game, Membership, Player, Status, Study, StudyEditor

Viewer: TypeAlias = User | AnonymousUser

#: What a game may be called in an address; nothing else is looked up.
SLUG = re.compile(r"[a-z0-9]{1,12}")


@dataclass(frozen=True)
class BotSeat:
    """The actor when a bot plays: its seat in one game, and the game's pause when the bot began to think.

    The seat is its own, or that of an absent player whose turn it takes.
    """

    game_id: int
    seat: int
    pause_version: int = 0


Actor: TypeAlias = Viewer | BotSeat


def may_view(user: Viewer, game: Game, token: str = "") -> bool:
    """Whether this person may look at the game. Reads the game's players (no query where they are prefetched).

    One query more for a person who neither sits at the table of a group nor has opened it, or at a sheltered one.
    """
    return _is_at_table(user, game, token) or is_of_its_group(user, game) or _guards(user, game)


def _guards(user: Viewer, game: Game) -> bool:
    """Whether the person is the guardian of a child at a sheltered table. One query, none for other tables."""
    return game.is_sheltered and isinstance(user, User) and bool(children.children_at([game], [user]))


def _is_at_table(user: Viewer, game: Game, token: str) -> bool:
    is_child = isinstance(user, User) and user.is_child
    if not is_child and (game.is_public or holds_token(game, token)):
        return True
    if not isinstance(user, User):
        return False
    return game.creator_id == user.pk or any(
        user.pk in (player.user_id, player.invitee_id) for player in game.players.all()
    )


def is_of_its_group(user: Viewer, game: Game) -> bool:
    """Whether the game is a group's, and the person a member. One query, none for a game that is of no group."""
    if game.group_id is None or user.pk is None:
        return False
    return Membership.objects.filter(group=game.group_id, person=user.pk).exists()


def opens_seats(user: Viewer, game: Game, token: str) -> bool:
    """Whether the seats that are kept for no one are this person's to take, at a table that is not public.

    They are for who holds the token of its link, and for the members of its group. As many queries as above.
    """
    return holds_token(game, token) or is_of_its_group(user, game)


def holds_token(game: Game, token: str) -> bool:
    """Whether this is the secret of the game's invitation link; a sheltered game has none."""
    return bool(token) and not game.is_sheltered and token.isascii() and constant_time_compare(token, game.invite_token)


def game_to_view(user: Viewer, slug: str, token: str = "") -> Game:
    """Return the game with its players (and the names of their users) prefetched. Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.

    """
    return _open(_CALLED, _SEATS_WITH_NAMES, user, slug, token)


def game_of_everybody(slug: str) -> Game | None:
    """Return a game that has started if everybody may look at it, without a login or a link; else None. One query.

    Its players are not fetched.
    """
    return _called(_CALLED_BY_EVERYBODY, slug)


def games_to_view(asked: Sequence[tuple[Viewer, str, str]]) -> list[Game | None]:
    """Return for each viewer, slug and token the game, None where there is none that this person may see. Two queries.

    For what is asked of many games at once: of a game no more is read than who may see it, who plays and its version.
    One query more where some of the games are of groups, and where some are sheltered.
    """
    slugs = {slug for _user, slug, _token in asked if SLUG.fullmatch(slug)}
    columns = (
        "slug",
        "version",
        "is_public",
        "is_sheltered",
        "is_on_one_device",
        "turn_seat",
        "invite_token",
        "creator",
        "group",
    )
    games = Game.objects.filter(slug__in=slugs).only(*columns)
    seats = Prefetch("players", Player.objects.only("game", "seat", "user", "invitee", "bot", "retired", "seen_at"))
    found = {game.slug: game for game in games.prefetch_related(seats)}
    members = _members(found.values(), {user.pk for user, _slug, _token in asked})
    sheltered = [game for game in found.values() if game.is_sheltered]
    guarded = children.children_at(sheltered, [user for user, _slug, _token in asked if isinstance(user, User)])

    def sees(user: Viewer, game: Game, token: str) -> bool:
        is_member = (game.group_id, user.pk) in members
        return _is_at_table(user, game, token) or is_member or (game.pk, user.pk) in guarded

    return [game if (game := found.get(slug)) and sees(user, game, token) else None for user, slug, token in asked]


def _members(games: Iterable[Game], people: Iterable[int | None]) -> set[tuple[int, int]]:
    """Return who of these people is in whose group, by group and person. One query, none for games of no group."""
    groups, known = {game.group_id for game in games} - {None}, {*people} - {None}
    if not groups or not known:
        return set()
    return set(Membership.objects.filter(group__in=groups, person__in=known).values_list("group", "person"))


#: What pages read of a person: the name, and the face beside it.
_NAME = (
    "username",
    "is_active",
    "is_guest",
    "operator",
    "guardian",
    "own_mark",
    "own_tint",
    "written_by",
    "seen_by",
)
_CALLED_SO = PreparedForSeveral(
    lambda keys: User.objects.filter(pk__in=keys).only(*_NAME),
    BigIntegerField(),
)


def load_names(game: Game) -> None:
    """Fetch the names of the people at a table whose players are fetched without them. One query."""
    players = list(game.players.all())
    keys = {pk for player in players for pk in (player.user_id, player.invitee_id) if pk is not None}
    people = {user.pk: user for user in _CALLED_SO.ask(keys)}
    for player in players:
        player.user = people[player.user_id] if player.user_id else None
        player.invitee = people[player.invitee_id] if player.invitee_id else None


def started_game_to_view(user: Viewer, slug: str, token: str = "") -> Game:
    """Return the game as `game_to_view` does, for pages that are about its moves. Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.
        WrongStatus: it has not started.

    """
    game = game_to_view(user, slug, token)
    if game.status in (Status.OPEN, Status.CANCELLED):
        raise WrongStatus(_("The game has not started yet."), code="not-started")
    return game


def game_to_analyse(user: Viewer, slug: str, token: str = "") -> Game:
    """Return a game for a person who may try moves from its positions: a running one for those who sit there alone.

    Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.
        WrongStatus: it has not started.
        NotSeated: it is running, and the person only looks (`only-players-analyse`), or it is on one device, where
            what one player tries is not for the next (`one-device`).

    """
    game = started_game_to_view(user, slug, token)
    if game.status != Status.FINISHED and game.is_on_one_device:
        raise NotSeated(_("On one device the analysis board opens when the game is over."), code="one-device")
    if game.status != Status.FINISHED and seat_of(game, user) is None:
        sentence = _("Until this game is over, only its players can try moves on the analysis board.")
        raise NotSeated(sentence, code="only-players-analyse")
    return game


def game_to_change(user: Viewer, slug: str, token: str = "") -> Game:
    """Return the game, locked until the transaction ends, for a person who may see it. Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.

    """
    return _open(_CALLED_TO_CHANGE, _SEATS_WITH_PEOPLE, user, slug, token)


def seat_to_choose(user: Viewer, slug: str) -> tuple[Game, Player]:
    """Return a game whose players choose their seats, locked until the transaction ends, and the person's seat in it.

    Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: the person only looks.
        WrongStatus: the seats are set, or were drawn (`seats-set`).

    """
    game = game_to_change(user, slug)
    player = own_seat(game, user)
    check_choice(game)
    return game, player


def check_choice(game: Game) -> None:
    """Refuse unless the players of the table choose their seats.

    Raises:
        WrongStatus: the seats are set, or were drawn.

    """
    if not game.lets_choose:
        sentence = _("The seats of this table are set. The player who opened it can exchange them.")
        raise WrongStatus(sentence, code="seats-set")


def game_to_play(actor: Actor, slug: str) -> Game:
    """Return the game, locked until the transaction ends, for a person or bot that sits in it. Two queries.

    Its players are prefetched without their users: a move needs their numbers only.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: the person may look, and does not sit.

    """
    game = (
        _find(_CALLED_TO_CHANGE, _SEATS, slug)
        if isinstance(actor, BotSeat)
        else _open(_CALLED_TO_CHANGE, _SEATS, actor, slug, "")
    )
    own_seat(game, actor)
    return game


def game_to_close(slug: str) -> Game:
    """Return the game, locked until the transaction ends, for the site itself. Two queries.

    Raises:
        NotFound: there is none.

    """
    return _find(_CALLED_TO_CHANGE, _SEATS_WITH_PEOPLE, slug)


def games_to_close(games: QuerySet[Game]) -> Sequence[Game]:
    """Return these games, locked in the order of their numbers until the transaction ends, for the site itself.

    So are the finished games that they are rematches of, always the older of two first. Three queries; five for two
    games, which are asked for one by one: those queries are prepared in every process.
    """
    rows = list(games.order_by().values_list("pk", "slug", "rematch_of", "rematch_of__slug"))
    found = {pk: slug for pk, slug, _older, _slug in rows}
    wanted = found | {pk: slug for _pk, _slug, pk, slug in rows if pk is not None}
    if len(wanted) > ONE_BY_ONE:
        locked = _with_players(_locked()).filter(pk__in=wanted).order_by("pk")
        return [game for game in locked if game.pk in found]
    called = [_called(_CALLED_TO_CHANGE, slug) for _pk, slug in sorted(wanted.items())]
    chosen = [game for game in called if game is not None and game.pk in found]
    for game in chosen:
        _seat(game, _SEATS_WITH_PEOPLE.ask(game=game.pk))
    return chosen


def own_seat(game: Game, actor: Actor) -> Player:
    """Return the seat that the actor holds in a game that they may see.

    Raises:
        NotFound: a bot has no other game than its own.
        NotSeated: the person only looks.

    """
    player = seat_of(game, actor)
    if player is None:
        raise NotFound(NO_GAME) if isinstance(actor, BotSeat) else NotSeated(_("You are not playing in this game."))
    return player


def is_member(user: Viewer, game: Game) -> bool:
    """Whether the person sits at the table or has opened it (no query where the players are prefetched)."""
    return user.pk is not None and (game.creator_id == user.pk or seat_of(game, user) is not None)


def check_at_device(user: Viewer, slug: str) -> None:
    """Refuse anyone but the person at whose device all players of the game sit. Two queries.

    Raises:
        NotFound: there is no such game, or none that this person may see.
        NotSeated: it is another's, or its players sit elsewhere.

    """
    game = game_to_view(user, slug)
    if not game.is_on_one_device or game.creator_id != user.pk:
        raise NotSeated(_("You are not playing in this game."))


def check_member(user: Viewer, game: Game) -> None:
    """Refuse anyone who neither sits at the table nor has opened it.

    Raises:
        NotSeated: the person only looks.

    """
    if not is_member(user, game):
        raise NotSeated(_("Only the players at this table can do that."))


def table_to_post(user: Viewer, slug: str) -> Game:
    """Return the game, locked until the transaction ends, for those at its table, who decide where it is posted. Two
    queries.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: the person neither sits at this table nor has opened it.

    """
    game = game_to_change(user, slug)
    check_member(user, game)
    return game


def check_creator(game: Game, user: Viewer) -> None:
    """Refuse anyone but the person who opened the table.

    Raises:
        NotSeated: another person did.

    """
    if game.creator_id != user.pk:
        raise NotSeated(_("Only the player who opened this table can do that."), code="not-creator")


def table_to_edit(user: Viewer, slug: str) -> Game:
    """Return the open table, for the person who opened it, to show what may be changed. Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: another person opened it.
        WrongStatus: it has started, or is closed.

    """
    game = game_to_view(user, slug)
    check_creator(game, user)
    if game.status != Status.OPEN:
        raise WrongStatus(_("Only a table that is waiting for players can be changed."), code="not-open")
    return game


def game_to_advise(user: Viewer, slug: str) -> tuple[Game, Player]:
    """Return a running game in which engines advise its players, and the person's seat in it. Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: the person only looks (`not-seated`), or there is no advice at this table (`no-hints`).
        WrongStatus: it is not running.

    """
    game = game_to_view(user, slug)
    player = own_seat(game, user)
    if game.status != Status.RUNNING:
        raise WrongStatus(_("No piece can be placed in this game right now."), code="not-running")
    check_advised(game)
    return game, player


def check_advised(game: Game) -> None:
    """Refuse advice at a table where engines give none.

    Raises:
        NotSeated: its terms do not allow it.

    """
    if not game.is_advised:
        raise NotSeated(_("No engine suggests moves at this table."), code="no-hints")


def check_reviewable(game: Game) -> None:
    """Refuse to review a game that may still go on.

    Raises:
        WrongStatus: it is not over.

    """
    if game.status != Status.FINISHED:
        raise WrongStatus(_("Only finished games can be reviewed."), code="not-over")


def can_control(user: Viewer, game: Game) -> bool:
    """Whether this person may pause, resume and step the game: they opened it, and only bots play."""
    return user.pk is not None and game.creator_id == user.pk and not _people_sit(game)


def _people_sit(game: Game) -> bool:
    return any(not player.bot for player in game.players.all())


def game_to_conduct(user: Viewer, slug: str) -> Game:
    """Return the game, locked until the transaction ends, for the person who opened it for bots alone. Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: another person has opened it.
        WrongStatus: people sit at it, or are awaited.

    """
    game = game_to_change(user, slug)
    check_creator(game, user)
    if _people_sit(game):
        raise WrongStatus(_("Only games between bots can be paused."), code="people-play")
    return game


def game_to_pause(user: Viewer, slug: str) -> tuple[Game, Player]:
    """Return the game, locked until the transaction ends, and the seat in which the person still plays. Two queries.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: the person only looks, or does not play any more.

    """
    game = game_to_play(user, slug)
    player = own_seat(game, user)
    if player.retired:
        raise NotSeated(_("You are no longer playing in this game."), code="retired")
    return game, player


def seat_of(game: Game, actor: Actor) -> Player | None:
    """Return the seat that the actor holds in the game, retired or not; None for a spectator.

    Whoever opened a table on one device holds, while the game runs, the seat of the person there who plays next.
    """
    if game.is_on_one_device and not isinstance(actor, BotSeat) and actor.pk == game.creator_id:
        next_one = seat_at_device(game)
        if next_one is not None:
            return next_one
    for player in game.players.all():
        if isinstance(actor, BotSeat):
            if (actor.game_id, actor.seat) == (game.pk, player.seat) and (player.bot or game.absent_bot):
                return player
        elif actor.pk is not None and player.user_id == actor.pk:
            return player
    return None


def seat_at_device(game: Game) -> Player | None:
    """Return the seat of the person who plays next of those at one device; None where no game of theirs runs."""
    if not game.is_on_one_device or game.turn_seat is None:
        return None
    people = [player for player in game.players.all() if not (player.bot or player.retired)]
    seats, first = len(game.players.all()), game.turn_seat
    return min(people, key=lambda player: (player.seat - first) % seats, default=None)


def study_to_view(user: Viewer, slug: str) -> Study:
    """Return the study, for its owner and those who write in it and, if it is shared, for anyone who knows its address.

    One query, and one more where others write in it, for an account that is not the owner's.

    Raises:
        NotFound: there is none, or none that this person may see.

    """
    return _open_study(Study.objects.all(), user, slug)


def study_to_change(user: Viewer, slug: str) -> Study:
    """Return the study, locked until the transaction ends, for its owner. One query, two for others.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: it is shared with them, and another's.

    """
    return _of_owner(user, _open_study(Study.objects.select_for_update(no_key=True), user, slug))


def study_of_owner(user: Viewer, slug: str) -> Study:
    """Return the study for its owner alone. One query, two for others.

    Raises: NotFound and NotSeated, as `study_to_change`.
    """
    return _of_owner(user, _open_study(Study.objects.all(), user, slug))


def _of_owner(user: Viewer, study: Study) -> Study:
    if not owns(user, study):
        raise NotSeated(_("This study belongs to someone else."), code="not-owner")
    return study


def study_to_edit(user: Viewer, slug: str) -> Study:
    """Return the study, locked until the transaction ends, for its owner and those whom the owner lets write in it.

    One query, two or three for others.

    Raises:
        NotFound: there is none, or none that this person may see.
        NotSeated: it is shared with them, and they only look (`not-editor`).

    """
    study = _open_study(Study.objects.select_for_update(no_key=True), user, slug)
    check_editor(user, study)
    return study


def check_editor(user: Viewer, study: Study) -> None:
    """Refuse who does not write in this study. As many queries as `edits`.

    Raises: NotSeated (`not-editor`).
    """
    if not edits(user, study):
        raise NotSeated(_("Only its owner, and people the owner has chosen, write in this study."), code="not-editor")


def edits(user: Viewer, study: Study) -> bool:
    """Whether the person may write in this study. One query where others do, for an account that is not its owner's."""
    if owns(user, study) or user.pk is None or not study.has_editors:
        return owns(user, study)
    return StudyEditor.objects.filter(study=study, person=user.pk).exists()


def owns(user: Viewer, study: Study) -> bool:
    """Whether the study is this person's."""
    return user.pk is not None and study.owner_id == user.pk


_NAMES = tuple(f"{seat}__{field}" for seat in ("user", "invitee") for field in _NAME)

NO_GAME = _("This game does not exist, or only its players can see it. The link may be old or mistyped.")
NO_STUDY = _("This study does not exist. It may have been deleted, or its owner no longer shares it.")


def _locked() -> QuerySet[Game]:
    # No key of the row is ever changed, so rows that point at it may be written meanwhile.
    return Game.objects.select_for_update(no_key=True)


def _with_players(games: QuerySet[Game]) -> QuerySet[Game]:
    return games.prefetch_related(Prefetch("players", Player.objects.select_related("user", "invitee")))


#: So many games are asked for sooner one by one than in a query that is made for them.
ONE_BY_ONE = 2


def _games(make: Callable[[], QuerySet[Game]]) -> Prepared[Game]:
    return Prepared(lambda slug: make().filter(slug=slug), slug=CharField())


def _seats(make: Callable[[QuerySet[Player]], QuerySet[Player]]) -> Prepared[Player]:
    return Prepared(lambda game: make(Player.objects.filter(game=game)), game=BigIntegerField())


def _named(players: QuerySet[Player]) -> QuerySet[Player]:
    # Pages need what people are called and nothing else of them: whole rows would cost as much as the rest of the page.
    fields = (*(field.name for field in Player._meta.concrete_fields), *_NAMES)
    return players.select_related("user", "invitee").only(*fields)


_CALLED, _CALLED_TO_CHANGE = _games(Game.objects.all), _games(_locked)
_CALLED_BY_EVERYBODY = _games(
    lambda: Game.objects.filter(is_public=True).exclude(status__in=(Status.OPEN, Status.CANCELLED))
)
_SEATS, _SEATS_WITH_NAMES = _seats(lambda players: players), _seats(_named)
_SEATS_WITH_PEOPLE = _seats(lambda players: players.select_related("user", "invitee"))


def _called(games: Prepared[Game], slug: str) -> Game | None:
    return games.first(slug=slug) if SLUG.fullmatch(slug) else None


def _find(games: Prepared[Game], seats: Prepared[Player], slug: str) -> Game:
    game = _called(games, slug)
    if game is None:
        raise NotFound(NO_GAME)
    _seat(game, seats.ask(game=game.pk))
    return game


def _open(games: Prepared[Game], seats: Prepared[Player], user: Viewer, slug: str, token: str) -> Game:
    game = _called(games, slug)
    # As many queries where there is no game, so that the time of the answer does not tell this from a private one.
    players = seats.ask(game=0 if game is None else game.pk)
    if game is None:
        raise NotFound(NO_GAME)
    _seat(game, players)
    if not may_view(user, game, token):
        raise NotFound(NO_GAME)
    return game


def _seat(game: Game, players: list[Player]) -> None:
    """Give the game its players, as Django's `prefetch_related` does."""
    for player in players:
        player.game = game
    seats: Any = game.players.all()
    seats._result_cache, seats._prefetch_done = players, True
    vars(game)["_prefetched_objects_cache"] = {"players": seats}


def _open_study(studies: QuerySet[Study], user: Viewer, slug: str) -> Study:
    study = studies.filter(slug=slug).first() if SLUG.fullmatch(slug) else None
    if study is None or not (study.is_shared or edits(user, study)):
        raise NotFound(NO_STUDY)
    return study
