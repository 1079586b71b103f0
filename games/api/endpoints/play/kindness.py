"""Time that players give each other, and take for themselves."""

from django.http import HttpRequest
from django.utils import timezone

from accounts.doors import person
from games.actions.kindness.choose_holidays import choose_holidays as _choose_holidays
from games.actions.kindness.give_day import give_day as _give_day
from games.actions.kindness.take_holiday import take_holiday as _take_holiday
from games.api import schemas
from games.api.door import PLAYING, READING
from games.api.endpoints.answers import game_now, responses, router
from games.queries.people.holidays import holidays_of
from games.table.counting import count_gift, count_holiday
from games.table.kindness.holidays import read_day


@router.post(
    "games/{slug}/give-day",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-give-day",
    tags=["pauses"],
)
def give_day(request: HttpRequest, slug: str, gift: schemas.GivingDay) -> schemas.GameOut:
    """Give the player whose turn it is one more day, as each other player may once in a game."""
    count_gift(person(request))
    _give_day(person(request), slug, number=gift.number)
    return game_now(request, slug)


@router.get("holidays", auth=READING, response=responses(schemas.HolidaysOut), url_name="api-holidays", tags=["you"])
def show_holidays(request: HttpRequest) -> schemas.HolidaysOut:
    """Show what you have left of your holidays, and what you have taken."""
    return _holidays(request)


@router.post(
    "holidays", auth=PLAYING, response=responses(schemas.HolidaysOut, 409), url_name="api-holidays", tags=["you"]
)
def take_holiday(request: HttpRequest, wish: schemas.HolidayRequest) -> schemas.HolidaysOut:
    """Take a holiday: your clocks stand still in these days, in all games whose clocks can hold a day."""
    count_holiday(person(request))
    _take_holiday(person(request), read_day(wish.first, "first"), read_day(wish.last, "last"))
    return _holidays(request)


@router.post(
    "holidays/choose",
    auth=PLAYING,
    response=responses(schemas.HolidaysOut),
    url_name="api-holidays-choose",
    tags=["you"],
)
def choose_holidays(request: HttpRequest, choice: schemas.HolidayChoice) -> schemas.HolidaysOut:
    """Choose whether a day of your holidays is taken when your time would run out."""
    count_holiday(person(request))
    _choose_holidays(person(request), spends_itself=choice.automatic)
    return _holidays(request)


def _holidays(request: HttpRequest) -> schemas.HolidaysOut:
    state = holidays_of(person(request), timezone.now())
    taken = [
        schemas.OwnHolidayOut(begins=each.begins_at, ends=each.ends_at, automatic=each.is_automatic)
        for each in state.taken
    ]
    return schemas.HolidaysOut(seconds=state.seconds, automatic=state.spends_itself, taken=taken)
