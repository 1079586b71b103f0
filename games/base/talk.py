"""Who may say what at a table: a ready phrase, or a text of their own."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access, children
from games.base.welcome import are_written_by
from games.errors import NotSeated, WrongStatus
from games.models import FollowedPerson, Game, Status

#: What the host of the site allows (`settings.TALK`).
OFF, PRIVATE, EVERY = "off", "private", "every"

SWITCHED_OFF = _("Talk is switched off on this site.")
ALONE = _("Only bots sit at this table with you. They do not read.")
PLAYING = _("You play in this game. You can read what watchers say once it is over.")
ONLY_WATCHERS = _("Only those who watch write here.")
NOT_STARTED = _("This game has not started, so no one watches it yet.")
CANCELLED = _("This table was cancelled.")
OVER = _("This game ended long ago, so its talk is closed.")
NO_LINE = _("This message does not exist any more, or you cannot see it.")
SILENCED = _("A moderator has decided that you write nothing of your own for a time.")
UNWANTED = _(
    "Someone at this table reads texts only from people they know better, or from no one. Choose a ready phrase."
)
NO_PHRASES = _("Your guardian has switched the phrases off.")
NO_WATCHERS = _("No one watches a game with a child.")
PHRASES_ALONE = _("At this table you can choose from the ready phrases only.")


@dataclass(frozen=True)
class TalkRights:
    """What a person may do at a table now: say something at all, and in words of their own. `why` not, if not.

    `silenced_until` is there while a moderator has taken away the words of their own. `is_unwanted` says that the table
    has texts, and someone there reads none from this person.
    """

    can_send: bool
    can_write: bool
    why: WrongStatus | NotSeated | None = None
    silenced_until: datetime | None = None
    is_unwanted: bool = False


def is_switched_on() -> bool:
    """Return whether people on this site talk at all."""
    return str(settings.TALK) != OFF


def has_talk(game: Game, user: access.Viewer) -> bool:
    """Return whether there is a way to talk in this game for this person: they sit there with others.

    No query where the players are fetched.
    """
    return is_switched_on() and access.seat_of(game, user) is not None and not _is_alone(game)


def unread_by(game: Game, user: access.Viewer) -> int | None:
    """Return how many lines this person has not read, None where they have no talk in this game.

    No query where the players are fetched.
    """
    player = access.seat_of(game, user) if has_talk(game, user) else None
    return None if player is None else player.unread_messages or 0


def talk_rights(game: Game, user: User, now: datetime) -> TalkRights:
    """Return what a person who sits at a table may say there (needs the players fetched, with their users).

    As many queries as `may_write_freely` and `are_written_by`.

    Raises:
        NotSeated: the person only looks (`not-seated`), or nobody talks on this site (`talk-off`).

    """
    check_reader(game, user)
    why = _why_not(game, now) or _not_with_child(game, user)
    until = silenced_until(user, now)
    if why is not None or until is not None or not may_write_freely(game, user):
        return TalkRights(why is None, can_write=False, why=why, silenced_until=until)
    readers = [person for player in game.players.all() if (person := player.user or player.invitee) is not None]
    is_wanted = are_written_by(user, readers)
    return TalkRights(can_send=True, can_write=is_wanted, is_unwanted=not is_wanted)


def _not_with_child(game: Game, user: User) -> NotSeated | None:
    """Return why nothing is said at a sheltered table: by this child, or since its people may not all meet any more.

    Two queries there, none at others.
    """
    if user.is_child and not user.says_phrases:
        return NotSeated(NO_PHRASES, code="phrases-off")
    if game.is_sheltered and not children.may_meet(children.everyone_at(game)):
        return NotSeated(children.COMPANY, code="child-company")
    return None


def check_may_react(game: Game, user: User, now: datetime) -> None:
    """Refuse whoever may not react to what is placed in a game now; there is no text in that, so nothing else is asked.

    Needs the players fetched. Two queries at a sheltered table, else none.

    Raises:
        NotSeated: the person only looks (`not-seated`), nobody talks on this site (`talk-off`), this is a child whose
            guardian has switched the phrases off (`phrases-off`), or a child there may not meet all (`child-company`).
        WrongStatus: the table was cancelled (`cancelled`), the game ended long ago (`talk-over`), or no other person
            sits there (`only-bots`).

    """
    check_reader(game, user)
    if (why := _why_not(game, now) or _not_with_child(game, user)) is not None:
        raise why


def may_react(game: Game, user: access.Viewer, now: datetime) -> bool:
    """Return whether this person may react to what is placed in a game now.

    Two queries at a sheltered table, else none where the players are fetched.
    """
    if not isinstance(user, User) or not has_talk(game, user):
        return False
    return (_why_not(game, now) or _not_with_child(game, user)) is None


def silenced_until(user: User, now: datetime) -> datetime | None:
    """Return until when this person may write nothing of their own, None if they may. A query for a bot's operator."""
    until = (user.operator or user).silenced_until
    return until if until is not None and until > now else None


def check_may_write(user: User, text: str, now: datetime) -> None:
    """Refuse a text that others will read of a person whom a moderator has silenced. As many queries as above.

    Raises: NotSeated (`silenced`).
    """
    if text and silenced_until(user, now) is not None:
        raise NotSeated(SILENCED, code="silenced")


def watchers_rights(game: Game, user: User, now: datetime) -> TalkRights:
    """Return what a person may say among those who watch a game; its players only read that, once it is over.

    Watchers are strangers to each other: they choose from ready phrases unless the host of the site lets everybody
    write.

    Raises:
        NotSeated: the person plays in the game, which goes on (`playing`), or nobody talks on this site (`talk-off`).
        WrongStatus: it has not started, or was cancelled.

    """
    check_watcher(game, user)
    is_player = _plays(game, user)
    why = NotSeated(ONLY_WATCHERS, code="players-only") if is_player else _closed(game, now)
    until = silenced_until(user, now)
    may_write = why is None and until is None and game.allows_texts and str(settings.TALK) == EVERY
    return TalkRights(why is None, may_write, why, until)


def check_watcher(game: Game, user: access.Viewer) -> None:
    """Refuse whoever may not read what is said among those who watch a game. Raises as `watchers_rights`."""
    if not is_switched_on():
        raise NotSeated(SWITCHED_OFF, code="talk-off")
    if game.is_sheltered:
        raise NotSeated(NO_WATCHERS, code="no-watchers")
    if game.status not in (Status.RUNNING, Status.FINISHED):
        raise WrongStatus(NOT_STARTED, code="not-started")
    if game.status == Status.RUNNING and _plays(game, user):
        raise NotSeated(PLAYING, code="playing")


def _plays(game: Game, user: access.Viewer) -> bool:
    """Return whether the person sits there, or a bot of theirs, or the person who answers for this bot."""
    own = {user.pk, getattr(user, "operator_id", None)} - {None}
    seated = [player.user for player in game.players.all() if player.user is not None]
    return any(own & {each.pk, each.operator_id} for each in seated)


def has_watchers_talk(game: Game, user: access.Viewer) -> bool:
    """Return whether there are people who watch, and this person may read what they say (needs the players fetched)."""
    try:
        check_watcher(game, user)
    except (NotSeated, WrongStatus):
        return False
    return game.is_public and user.is_authenticated


def check_reader(game: Game, user: User) -> None:
    """Refuse whoever may not read what the players of a game say: everybody but the players.

    Raises:
        NotSeated: the person only looks (`not-seated`), or nobody talks on this site (`talk-off`).

    """
    if not is_switched_on():
        raise NotSeated(SWITCHED_OFF, code="talk-off")
    access.own_seat(game, user)


def may_write_freely(game: Game, user: User) -> bool:
    """Return whether people write texts of their own at this table, and this one to those who sit there.

    Not where the table has ready phrases alone. Strangers choose from them everywhere. A private table is entered by an
    invitation or a link alone; at a public one everybody else is to be a friend. One query there, once the game has
    begun.
    """
    if not game.allows_texts:
        return False
    if str(settings.TALK) == PRIVATE and game.is_public:
        return _sits_among_friends(game, user)
    return str(settings.TALK) in (PRIVATE, EVERY)


def _sits_among_friends(game: Game, user: User) -> bool:
    """Return whether all other people at the table follow this person, and are followed.

    Not before the start: whoever sits down later reads what was said.
    """
    if game.status == Status.OPEN:
        return False
    others = {player.user_id for player in game.players.all() if player.user_id is not None} - {user.pk}
    followed = Q(person=user, other__in=others) | Q(person__in=others, other=user)
    return FollowedPerson.objects.filter(followed).count() == 2 * len(others)


def last_day(game: Game) -> datetime | None:
    """Return until when a finished game's talk is kept and open, None while the game is not over."""
    return None if game.finished_at is None else game.finished_at + timedelta(days=int(settings.TALK_DAYS))


def _why_not(game: Game, now: datetime) -> WrongStatus | None:
    if game.status == Status.CANCELLED:
        return WrongStatus(CANCELLED, code="cancelled")
    if (closed := _closed(game, now)) is not None:
        return closed
    return WrongStatus(ALONE, code="only-bots") if _is_alone(game) else None


def _closed(game: Game, now: datetime) -> WrongStatus | None:
    if (ends := last_day(game)) is not None and ends <= now:
        return WrongStatus(OVER, code="talk-over")
    return None


def _is_alone(game: Game) -> bool:
    """Return whether all other seats are bots', or people at the same device."""
    return game.is_on_one_device or sum(not player.bot for player in game.players.all()) < 2
