"""Choose whether holidays are taken by themselves."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import HolidayBook
from games.table import moves, seats
from games.table.kindness import holidays


@transaction.atomic
def choose_holidays(user: User, *, spends_itself: bool, now: datetime | None = None) -> HolidayBook:
    """Keep whether a day of the person's holidays is taken when their time would run out.

    Raises:
        NotSeated: the account is closed.

    """
    person = seats.lock_person(user)
    book = holidays.open_book(person, moves.moment(now))
    book.spends_itself = spends_itself
    book.save()
    return book
