"""Take a day of a player's holidays where their time has run out."""

from datetime import UTC, datetime, timedelta

from django.db import transaction

from accounts.models import User
from games import clock
from games.errors import NotSeated
from games.models import Game, Holiday, Occasion
from games.queries.tables.turns import next_number
from games.table import changes, moves, seats
from games.table.kindness import holidays

#: So much is left on the clock when a day has been taken that its player did not take themselves.
_LEFT = timedelta(minutes=1)


@transaction.atomic
def spend_holiday(slug: str, *, number: int, now: datetime | None = None) -> bool:
    """Take days of holidays of the player who has not made the move of that number in time; return whether any were.

    The site does so, for people who want it. A day counts in all games of the person, as one that they take themselves.
    What leads to a holiday that is taken already ends where that begins: no hour is paid twice.
    A move that commits before wins, however late it was made; and where what is left would not help, nothing is taken.
    """
    user = User.objects.filter(holiday_book__spends_itself=True, pk__in=_to_play(slug)).first()
    if user is None:
        return False
    try:
        person = seats.lock_person(user)
    except NotSeated:
        return False
    games = holidays.running_games(person)
    game = next((game for game in games if game.slug == slug and game.turn_user_id == person.pk), None)
    at = moves.moment(now)
    if game is None or next_number(game) != number or not _is_late(game, at) or not game.time_control.allows_rests:
        return False
    book = holidays.open_book(person, at)
    begins = max((game.deadline or at) - _LEFT, game.turn_since or at)
    days = (at - begins) // holidays.SLICE + 1
    ends = min(begins + days * holidays.SLICE, _next_holiday(person, begins, at))
    if not book.spends_itself or book.seconds < (ends - begins).total_seconds():
        return False
    holidays.take_days(person, book, games, (begins, ends), at, is_automatic=True)
    changes.record(game, Occasion.HOLIDAY, [person.pk], at, event=game.version)
    return True


def _to_play(slug: str) -> list[int]:
    found = Game.objects.filter(slug=slug, turn_user__isnull=False).values_list("turn_user", flat=True)
    return [pk for pk in found if pk is not None]


def _next_holiday(person: User, begins: datetime, now: datetime) -> datetime:
    """Return when the next holiday begins that the person has taken and that is not over by now; never without one."""
    taken = Holiday.objects.filter(user=person, begins_at__gt=begins, ends_at__gt=now).order_by("begins_at")
    return taken.values_list("begins_at", flat=True).first() or datetime.max.replace(tzinfo=UTC)


def _is_late(game: Game, now: datetime) -> bool:
    return not game.is_paused and clock.is_past(game.deadline, now)
