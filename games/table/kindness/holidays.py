"""Holidays in games: what a person takes counts as a fact in each of their games, from which clocks follow."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import clock, events
from games.base import access, counters
from games.errors import BadRequest
from games.models import Game, Holiday, HolidayBook, Player, Status
from games.table import changes, lifecycle, moves

#: What is taken where a clock would run out.
SLICE = timedelta(days=1)


def read_day(text: str, field: str) -> date:
    """Return the day that a form or a program sends, as "2027-07-31".

    Raises:
        BadRequest: it is none; `field` is its name.

    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadRequest(_("Enter a first and a last day."), field=field) from None


def open_book(person: User, now: datetime) -> HolidayBook:
    """Return what a person, whose row is locked, has of their holidays now; not saved."""
    book = HolidayBook.objects.filter(user=person).first()
    if book is None:
        return HolidayBook(user=person, seconds=clock.earned_holidays(0, person.date_joined, now), counted_at=now)
    book.seconds, book.counted_at = clock.earned_holidays(book.seconds, book.counted_at, now), now
    return book


def running_games(person: User) -> Sequence[Game]:
    """Return the games that a person plays, locked in the order of their numbers until the transaction ends.

    Open tables too: one that starts meanwhile either waits for this, or is running once it is locked.
    """
    seated = Player.objects.filter(user=person, is_going=True, retired="").order_by().values("game")
    return access.games_to_close(Game.objects.filter(pk__in=seated, status__in=(Status.OPEN, Status.RUNNING)))


def take_days(
    person: User, book: HolidayBook, games: Sequence[Game], span: clock.Still, now: datetime, *, is_automatic: bool
) -> None:
    """Take a holiday of a person, out of their book, in these locked games of theirs, and tell it after commit.

    The person's row is locked. In the turn that a game waits for, it may have begun a little before `now`.
    """
    begins, ends = span
    book.seconds -= int((ends - begins).total_seconds())
    book.save()
    Holiday.objects.create(user=person, begins_at=begins, ends_at=ends, is_automatic=is_automatic)
    with counters.together():
        for game in games:
            _note(game, person, span, now)


def _note(game: Game, person: User, span: clock.Still, now: datetime) -> None:
    """Note a holiday in one locked game whose clocks can stand still."""
    player = next(player for player in game.players.all() if player.user_id == person.pk)
    if game.turn_since is None or not game.time_control.allows_rests:
        return
    # What a player has done before is not played again: a holiday counts from their present turn on.
    is_due = game.turn_seat == player.seat
    begins = max(span[0] if is_due else max(span[0], now), game.turn_since)
    if begins >= span[1]:
        return
    game.version += 1
    game.changed_at = now
    player.note_holiday(game.version, begins, span[1])
    if is_due:
        lifecycle.put_off(game, moves.load_moves(game), now, player)
    else:
        player.save(update_fields=["holidays"])
        game.save(update_fields=["version", "changed_at"])
    counters.touch(changes.lists_of(game))
    events.publish(events.HolidayTaken(**changes.about(game), seat=player.seat))
