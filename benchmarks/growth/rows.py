"""What is measured: the one list of pages, requests and jobs whose cost must not grow with the site.

Each is asked for twice, and the second time counts: what a process keeps in memory is then there. What can be done only
once is done by two people, or in two games.
"""

import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from datetime import timedelta
from functools import cache, partial
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.mail.restoring import restoring_link
from accounts.models import Scope, User
from accounts.presence.noting import keep_visits
from accounts.tokens import make_token
from benchmarks.growth.crowd import CAST, CHILD, CLUB, GUESTS, LEAVERS, NEWCOMER, PASSWORD, REGULAR, RIVAL, VETERAN
from benchmarks.growth.patterns import COMMON_BOT
from games.actions.analysis.extend_branch import extend_branch
from games.actions.groups.create_group import create_group
from games.actions.groups.open_standing_table import open_standing_table
from games.actions.groups.set_standing_table import set_standing_table
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.report_player import report_player
from games.actions.moves.play_placement import play_placement
from games.actions.plans.play_plan import play_plan
from games.actions.plans.set_plan import set_plan
from games.actions.seeks.seat_seeker import seat_seeker
from games.actions.studies.remove_editor import remove_editor
from games.actions.tables.cancel_game import cancel_game
from games.actions.takebacks.agree_to_takeback import agree_to_takeback
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.background import sweep
from games.background.upkeep import Upkeep
from games.base import positions
from games.base.apart import NOBODY
from games.base.plans import PlannedMove, PlannedTurn, TurnPlan
from games.base.setup import GameSetup, SeatSetup
from games.clock import PACES
from games.models import (
    Access,
    Analysis,
    Game,
    Group,
    GroupChannel,
    Mistake,
    Move,
    Player,
    PlayerReport,
    Seek,
    StandingTable,
    Status,
    Study,
    TalkMessage,
)
from games.pages.moderation.desk import CasePage, appeal_page, case_page, record_page
from games.pages.notices.notices import notices_page
from games.pages.site.lobby import lobby_page
from games.queries.moderation.cases import waiting_appeals, waiting_cases
from games.queries.site.versions import changed_after
from games.queries.tables.pairing import tables_to_join
from games.queries.tables.seeks import seeks_for_table
from games.queries.tables.turns import next_number
from games.realtime.consumers import GameSocket, LobbySocket, Question, Socket, UserSocket
from games.rules import Position

#: What is counted, ready to be called.
Ask = Callable[[], Any]

#: A number behind every last page, of which the last is shown.
BEYOND = 5000

SET_UP = {"board": "duo", "placed-purple": "X:e9,e10,d10,f10,e11", "to_play": "orange"}
TABLE = {"variant": "blockyou-2", "days": "3", "is_public": "yes", "passes": "automatic", "name": "", "seat-0": "me"}


#: Searches that no index serves, most of which find nothing or little: each goes through one's own games.
SEARCHES = {
    "a rare bot": "opponent=sage",
    "a common bot": "opponent=random",
    "many people": "opponent=player",
    "a name and days": "opponent=sage&since=2020-01-01",
    "resigned": "result=resigned",
    "out of time": "result=out-of-time",
    "others left": "result=others-left",
    "played out": "result=played-out",
    "a result and a place": "result=won&place=4",
    "an opening and a board": "opening=barasona&variant=duo",
    "an opening and a result": "opening=barasona&result=tied",
    "between bots, on a board": "who=bots&variant=blockyou-4",
    "between bots, an opening": "who=bots&opening=barasona",
}


@dataclass(frozen=True)
class Row:
    """One row of the table: `ready` takes 0 or 1, the first time or the second, and returns what is counted."""

    name: str
    ready: Callable[[int], Ask]
    #: Whether steps of SQLite are counted too. Not where any part of a name is looked for among one's own companions:
    #: the veteran has 2,284 in a large database, and each is a step in an index that has many on a page.
    is_counted_in_steps: bool = True
    #: Whether it has a bound of its own: it goes through so many of one's own games, of which the small one has few
    #: (`games.queries.lists.search.SEARCHED`), through a list of people until it has a page of them, or, as upkeep
    #: does, through a lot of rows of each kind (`games.background.upkeep.ROWS_AT_ONCE`).
    is_search: bool = False


def rows() -> list[Row]:
    """Return every row, in the order in which they are measured; accounts are closed last."""
    return [
        _page("a bot's page", f"/bots/{COMMON_BOT}/"),
        _page("an opening's page", "/openings/barasona/"),
        _page("lobby", "/lobby/"),
        Row("lobby, last page", lambda _time: _open("", lambda: f"/lobby/?page={_last_of_lobby()}")),
        _page("own games", "/games/", VETERAN),
        _page("own games, one section", "/games/?show=finished", VETERAN),
        Row("own games, its oldest", lambda _time: _open(VETERAN, lambda: f"/games/?show=finished&newer={_oldest()}")),
        _page("badge", "/games/waiting/", VETERAN),
        _page("new game", "/games/new/", VETERAN),
        _page("history", "/history/", VETERAN),
        Row("history, its oldest", lambda _time: _open(VETERAN, lambda: f"/history/?newer={_oldest()}")),
        _page("history, ties", "/history/?result=tied", VETERAN),
        _page("history, wins", "/history/?result=won", VETERAN),
        _page("history, one board", "/history/?variant=blockyou-2", VETERAN),
        _page("history, one opponent", f"/history/?opponent={RIVAL}", VETERAN, is_counted_in_steps=False),
        _page("history, part of a name", f"/history/?opponent={RIVAL[1:]}", VETERAN, is_counted_in_steps=False),
        _page("history, since a day", "/history/?since=2020-01-01", VETERAN),
        _page("history, any number of players", "/history/?variant=blockyou", VETERAN),
        _page("history, second places", "/history/?place=2", VETERAN),
        _page("history, first places on a board", "/history/?place=1&variant=blockyou-2", VETERAN),
        _page("history, one opening", "/history/?opening=barasona", VETERAN),
        *(_search(*each) for each in SEARCHES.items()),
        _page("history of ten games", "/history/", NEWCOMER),
        _page("lobby, for one who has blocked others", "/lobby/", RIVAL),
        _page("first page, for one who has blocked others", "/", RIVAL),
        _page("blocked people", "/blocked/", RIVAL),
        _page("muted people", "/muted/", RIVAL),
        _page("holidays", "/holidays/", VETERAN),
        _page("people", "/people/", RIVAL),
        _page("people, of one who has played much", "/people/", VETERAN),
        Row("blocking a person", lambda number: _post(RIVAL, f"/players/{_other(number)}/block/", {})),
        Row("muting a person", lambda number: _post(RIVAL, f"/players/{_other(number)}/mute/", {})),
        Row("following a person", lambda number: _post(VETERAN, f"/players/{_other(number)}/follow/", {})),
        # Before the veteran leaves a table, from when on a seek rests and asks for less.
        _page("standing seeks", "/seeks/", VETERAN),
        Row("same group again", _again),
        Row("taking a holiday", _take_holiday),
        _page("groups", "/groups/", VETERAN),
        _page("a group", f"/groups/{CLUB}/", VETERAN),
        _page("channel of a group", f"/groups/{CLUB}/channel/", VETERAN),
        Row("answering for a channel", _answer_channel),
        _page("members of a group", f"/groups/{CLUB}/members/", RIVAL),
        Row("live part of a group", lambda _time: _open(VETERAN, lambda: f"/groups/{CLUB}/", {"HX-Request": "true"})),
        Row("joining a group", _join_group),
        Row("way into a group", lambda _time: _open("", lambda: f"/groups/join/{_club().invite_token}/")),
        Row("next game of a group", _next_of_group),
        Row("table of a group", lambda _time: _post(VETERAN, f"/groups/{CLUB}/table/", {"players": "2"})),
        _page("one's children", "/children/", VETERAN),
        Row("a child, for its guardian", lambda _time: _open(VETERAN, lambda: f"/children/{_child().pk}/")),
        _page("first page, for a child", "/", CHILD),
        _page("own games, for a child", "/games/", CHILD),
        Row("game of a child", lambda _time: _open(CHILD, lambda: _shown(CHILD, _of_child()))),
        Row("child that asks for a person", lambda _time: _post(CHILD, "/children/ask/", {"username": NEWCOMER})),
        Row("child that may meet one more", _allow),
        _page("profile", f"/players/{VETERAN}/"),
        Row(
            "profile, its oldest",
            lambda _time: _open("", lambda: f"/players/{VETERAN}/?newer={_oldest(is_public=True)}"),
        ),
        _page("profile, for a companion", f"/players/{VETERAN}/", RIVAL),
        _page("ratings of a family", "/ratings/blockyou-2/", VETERAN),
        # It goes through those who are listed until a hundred of them have played this month: in the small database
        # through everyone, in a large one through as many as that takes.
        _page("ratings of a family, of this month", "/ratings/blockyou-2/?since=month", VETERAN, is_search=True),
        _page("ratings of a group", f"/groups/{CLUB}/ratings/blockyou-2/", VETERAN),
        _page("ratings of a group, of this month", f"/groups/{CLUB}/ratings/blockyou-2/?since=month", VETERAN),
        _page("yesterday's movers", "/ratings/blockyou-2/?since=yesterday", VETERAN),
        _page("yesterday's movers of a group", f"/groups/{CLUB}/ratings/blockyou-2/?since=yesterday", VETERAN),
        _page("course of a rating", f"/players/{REGULAR}/ratings/blockyou-2/", REGULAR),
        # Two hundred games of this board are looked for: in the small database the veteran has fewer.
        _page(
            "course of a rating, of one who plays all boards",
            f"/players/{VETERAN}/ratings/blockyou-2/",
            VETERAN,
            is_search=True,
        ),
        Row("yesterday's movers, for programs", lambda _time: _ask_program("ratings/blockyou-2/movers")),
        _page("puzzles, with how many days on end", "/puzzles/", VETERAN),
        Row("seat for a standing seek", lambda _time: lambda: seat_seeker(_seek())),
        Row("standing seeks that a table is for", lambda _time: lambda: seeks_for_table(_listed(), timezone.now())),
        Row("tables for who plays anyone", lambda _time: _look_for_tables),
        _page("first page", "/", VETERAN),
        _page("first page, for a visitor", "/"),
        _page("notices", "/notices/", VETERAN),
        Row("notices, last page", lambda _time: _open(VETERAN, lambda: f"/notices/?page={_last_of_notices()}")),
        _page("what to be notified of", "/notices/choices/", VETERAN),
        Row("link to a former address", lambda _time: _open("", lambda: urlsplit(_restoring()).path)),
        _page("account", "/accounts/", VETERAN),
        _page("studies", "/studies/", VETERAN),
        Row("game in which one is to move", lambda _time: _open(VETERAN, lambda: _shown(VETERAN, _due(0).slug))),
        Row("finished game", lambda _time: _open(VETERAN, lambda: f"/games/{_finished().slug}/")),
        Row("talk of a game", lambda _time: _open(VETERAN, lambda: f"/games/{_with_people()}/talk/")),
        Row("saying something", lambda _time: _post(VETERAN, f"/games/{_with_people()}/talk/", {"phrase": "hello"})),
        Row("reacting to a placement", _react),
        Row("reactions to a placement", lambda _time: _open(VETERAN, _reacted)),
        Row("talk of a game, for programs", lambda _time: _ask_own_program(f"games/{_with_people()}/messages")),
        Row("people, for programs", lambda _time: _ask_own_program("people")),
        Row("groups, for programs", lambda _time: _ask_own_program("groups")),
        Row("a group, for programs", lambda _time: _ask_own_program(f"groups/{CLUB}")),
        # The small group has no whole page of finished games.
        Row(
            "games of a group, for programs",
            lambda _time: _ask_own_program(f"groups/{CLUB}/games"),
            is_search=True,
        ),
        Row("talk of those who watch", lambda _time: _open(NEWCOMER, lambda: f"/games/{_watched()}/talk/watchers/")),
        Row("watcher who says something", _watch),
        Row("noting who is here", lambda _time: _note_visits),
        Row("analysis board", lambda _time: _open(VETERAN, lambda: f"/games/{_due(0).slug}/analysis/")),
        Row("analysis board of a finished game", lambda _time: _open(VETERAN, lambda: f"{_finished_board()}?move=0")),
        Row("move tried on the analysis board", _attempt),
        Row("branches of a game", lambda _time: _open(VETERAN, lambda: f"/games/{_due(0).slug}/analysis/branches/")),
        Row("branches side by side", lambda _time: _open(VETERAN, lambda: f"/games/{_due(0).slug}/analysis/compare/")),
        Row("change undone on the analysis board", _undo_attempt),
        Row("branch that gets a name", _name_attempt),
        Row("branch that is removed", _remove_attempt),
        Row("what happened while one was away", lambda _time: _open(VETERAN, lambda: f"/games/{_due(0).slug}/away/")),
        Row("position to play from", lambda _time: _open(VETERAN, lambda: f"/games/{_finished().slug}/from/?move=3")),
        Row("table at a position of a game", _play_from_game),
        _page("own mistakes", "/mistakes/", VETERAN),
        Row("mistake tried again", _retry),
        Row("study with comments", lambda _time: _open(VETERAN, lambda: f"/studies/{_study()}/")),
        Row("board of a study", lambda _time: _open(VETERAN, lambda: f"/studies/{_study()}/board/")),
        Row("person let write in a study", _let_in),
        Row("comment in a study", _comment),
        Row("variation in a study", _vary),
        Row("variations side by side", lambda _time: _open(VETERAN, lambda: f"/studies/{_study()}/compare/")),
        Row("variations to read", lambda _time: _open(VETERAN, lambda: f"/studies/{_study()}/board/branches/")),
        Row(
            "position of a study to play from",
            lambda _time: _open(VETERAN, lambda: f"/studies/{_study()}/from/?branch=1"),
        ),
        Row("change undone in a study", _undo_variation),
        _page("position to set up", "/studies/set-up/?board=duo", VETERAN),
        Row("position that was set up, kept", lambda _time: _post(VETERAN, "/studies/set-up/", SET_UP)),
        Row("asking for a move back", _ask_back),
        Row("plan of a game", lambda _time: _open(VETERAN, lambda: f"/games/{_theirs(0).slug}/plan/")),
        Row("planning a turn", lambda time: partial(_plan, _theirs(2 + time))),
        Row("planned turn", _planned),
        Row("planned turn after which another player has planned theirs", _planned_in_chain),
        # Then the veteran is to move there, and waits for one person less.
        Row("agreeing that moves are taken back", _agree_to_takeback),
        Row("moderators' queue", lambda _time: lambda: waiting_cases(_moderator())),
        Row("case of a person, with what was said around a line", _case),
        Row("deciding a case", _decide),
        Row("appeals that wait", lambda _time: lambda: waiting_appeals(_moderator())),
        Row("appeal, for a moderator", _appeal),
        Row("record of decisions", lambda _time: lambda: record_page(1)),
        Row("record of decisions, its last page", lambda _time: lambda: record_page(BEYOND)),
        Row("reporting a player", lambda _time: _post(NEWCOMER, f"/players/{RIVAL}/report/", {"reason": "spam"})),
        Row("reporting a message", _report_message),
        Row("house rules, after the first of an hour", _conduct),
        Row("decisions and reports of one's own", lambda _time: _open(VETERAN, lambda: "/decisions/")),
        Row("replay", lambda _time: _open(VETERAN, lambda: f"/games/{_finished().slug}/replay/")),
        Row("socket of one's lists: ping", lambda _time: _ping(UserSocket())),
        Row("socket of the lobby: ping", lambda _time: _ping(LobbySocket())),
        Row("socket of a game: ping", lambda _time: _ping(GameSocket(), _due(0).slug)),
        Row("move", _move),
        Row("new table", _new_table),
        Row("new table, refused", lambda _time: _post(VETERAN, "/games/new/", {**TABLE, "seat-1": "named"}, 422)),
        Row("joining a table", _join),
        Row("log-in by name", lambda _time: _log_in(NEWCOMER)),
        Row("log-in by address", lambda _time: _log_in(f"{NEWCOMER}@example.org")),
        Row("log-in, refused", lambda _time: _log_in("no-such-player", 200)),
        Row("asking for a new password", lambda _time: _post("", reverse("account_reset_password"), _address())),
        Row("sign-up", _sign_up),
        Row("sweep", lambda _time: lambda: sweep.sweep(timezone.now())),
        Row("sweep, of a turn that is late", _late),
        Row("sweep, of a deadline that is near", _near),
        Row("watcher of the database", lambda _time: lambda: changed_after(timezone.now() - timedelta(seconds=30))),
        Row("round of upkeep", lambda _time: lambda: Upkeep().tidy(timezone.now()), is_search=True),
        Row("closing an account", _close),
    ]


def _search(name: str, query: str) -> Row:
    return Row(f"search, {name}", lambda _time: _open(VETERAN, lambda: f"/history/?{query}"), is_search=True)


def _client(name: str) -> Client:
    """Return the browser of a person who has just logged in, by a password."""
    client = Client()
    if name:
        person = User.objects.get(username=name)
        client.force_login(person)
        session = client.session
        session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "reauthenticated": True}]
        session["account_authentication_methods_user"] = str(person.pk)
        session.save()
    return client


def _child() -> User:
    return User.objects.get(username=CHILD)


def _of_child() -> str:
    """Return the slug of a game that the child plays."""
    going = Player.objects.filter(user=_child(), game__status=Status.RUNNING).order_by("pk")
    return going.values_list("game__slug", flat=True)[0]


def _allow(number: int) -> Ask:
    form = {"username": GUESTS[number]}
    return _post(VETERAN, f"/children/{_child().pk}/people/", form)


def _react(number: int) -> Ask:
    """Return a request of the veteran to give a mark to a placement of another player."""
    going = Move.objects.filter(kind="place", game__players__user__username=VETERAN, game__status=Status.RUNNING)
    of_people = going.filter(game__slug=_with_people())
    seat = Player.objects.get(user__username=VETERAN, game__slug=_with_people()).seat
    placed = of_people.exclude(seat=seat).order_by("number")[0].number
    form = {"reaction": ("clever", "wow")[number]}
    return _post(VETERAN, f"/games/{_with_people()}/moves/{placed}/reaction/", form)


def _reacted() -> str:
    """Return the address of a placement in a game of the veteran's with another person."""
    placed = Move.objects.filter(kind="place", game__slug=_with_people()).order_by("number")[0]
    return f"/games/{placed.game.slug}/moves/{placed.number}/reaction/"


def _watched() -> str:
    """Return the slug of a public game that goes on, without anyone of the cast, of which those who watch talk."""
    going = Game.objects.filter(status=Status.RUNNING, is_public=True, messages__audience="watchers")
    strangers = going.exclude(players__user__username__in=CAST).order_by("-pk")
    return strangers.values_list("slug", flat=True)[0]


def _watch(number: int) -> Ask:
    return _post(NEWCOMER, f"/games/{_watched()}/talk/watchers/", {"phrase": ("hello", "good-game")[number]})


def _other(number: int) -> str:
    """Return the name of a person of the crowd, another one each time."""
    crowd = User.objects.filter(is_guest=False, guardian=None, is_kept_apart=True).exclude(username__in=CAST)
    return crowd.order_by("-pk").values_list("username", flat=True)[10 + number]


def _again(_number: int) -> Ask:
    _cancel_tables_of(VETERAN)
    return _post(VETERAN, f"/players/{RIVAL}/again/", {})


def _take_holiday(number: int) -> Ask:
    first = timezone.localdate() + timedelta(days=20 + 5 * number)
    return _post(VETERAN, "/holidays/", {"first": str(first), "last": str(first + timedelta(days=1))})


def _answer_channel(number: int) -> Ask:
    form = {"channel": str(GroupChannel.objects.get().pk), "agrees": ("yes", "no")[number]}
    return _post(RIVAL, f"/groups/{CLUB}/channel/answer/", form)


def _decide(number: int) -> Ask:
    """Return a request of a moderator to warn a person whom somebody has just reported."""
    moderator, newcomer = _moderator(), User.objects.get(username=NEWCOMER)
    report = report_player(newcomer, _other(5 + number), reason="insult")
    return lambda: decide_case(moderator, report.person_id, measure="warn", reason="insult", last=report.pk)


def _note_visits() -> int:
    """Note that twenty people are here, as heartbeats do for all at once."""
    people = User.objects.filter(is_guest=False, guardian=None).order_by("-pk").values_list("pk", flat=True)
    return keep_visits([*people[:20]], timezone.now())


def _moderator() -> User:
    moderator = User.objects.get(username=RIVAL)
    moderator.is_moderator = moderator.is_staff = True
    return moderator


def _case(_number: int) -> Ask:
    """Read all about the veteran, who was reported and warned more often than a page shows, of late for messages."""
    moderator, veteran = _moderator(), User.objects.get(username=VETERAN)
    waiting = PlayerReport.objects.filter(person=veteran, closed_at=None)
    said = veteran.messages.order_by("-pk")[: waiting.count()]
    for report, message in zip(waiting, said, strict=True):
        PlayerReport.objects.filter(pk=report.pk).update(message=message, game=message.game_id)
    return lambda: _shows_around(case_page(moderator, veteran.pk, (1, 7, 30)))


def _shows_around(case: CasePage) -> None:
    if not any(report.around for report in case.reports):
        raise RuntimeError("Nothing was said around what is reported.")


def _appeal(_number: int) -> Ask:
    moderator = _moderator()
    key = waiting_appeals(moderator)[0].pk
    return lambda: appeal_page(moderator, key)


def _report_message(number: int) -> Ask:
    """Return a request of the veteran to report what another person has said at their table."""
    slug = _with_people()
    said = TalkMessage.objects.filter(game__slug=slug, audience="players").exclude(author__username=VETERAN)
    return _post(VETERAN, f"/games/{slug}/talk/{said.order_by('pk')[number].pk}/report/", {"reason": "insult"})


def _join_group(number: int) -> Ask:
    group = create_group(User.objects.get(username=RIVAL), f"Door {number}")
    return _post(GUESTS[number], f"/groups/join/{group.invite_token}/", {})


def _ask_program(path: str) -> Ask:
    """Ask as a program of nobody's."""
    client = Client()
    return lambda: _check(client.get(f"/api/v1/{path}"), 200)


@cache
def _token() -> str:
    return make_token(User.objects.get(username=VETERAN), "growth", [*Scope], timezone.now())


def _ask_own_program(path: str) -> Ask:
    """Ask as a program of the veteran's."""
    client = Client(headers={"Authorization": f"Bearer {_token()}"})
    return lambda: _check(client.get(f"/api/v1/{path}"), 200)


def _seek() -> int:
    return Seek.objects.get(person__username=VETERAN).pk


def _listed() -> int:
    """Return the key of a table in the lobby of which seeks may hear."""
    game = Game.objects.filter(is_listed=True, declares_passes=False).order_by("-pk")[0]
    initial, increment, cap, rests = astuple(PACES["normal"])
    times = {"time_initial": initial, "time_increment": increment, "time_cap": cap, "rests_weekends": rests}
    Game.objects.filter(pk=game.pk).update(variant="blockyou-2", is_rated=True, **times)
    return game.pk


def _look_for_tables() -> tuple[str, ...]:
    return tables_to_join(User.objects.get(username=VETERAN), {"blockyou-2"}, timezone.now())


def _page(name: str, path: str, person: str = "", *, is_counted_in_steps: bool = True, is_search: bool = False) -> Row:
    return Row(name, lambda _time: _open(person, lambda: path), is_counted_in_steps, is_search)


def _open(person: str, path: Callable[[], str], headers: dict[str, str] | None = None) -> Ask:
    client, address = _client(person), path()
    # The first request of a login's day writes to its session.
    client.get("/rules/")
    return lambda: _check(client.get(address, headers=headers), 200)


def _shown(person: str, slug: str) -> str:
    """Return the address of a game; what is shown before its board after days, once, its player has seen."""
    game = Game.objects.get(slug=slug)
    Player.objects.filter(game=game, user__username=person).update(caught_up=game.move_count)
    return f"/games/{slug}/"


def _club() -> Group:
    return Group.objects.get(slug=CLUB)


def _conduct(_number: int) -> Ask:
    """Open the rules of the house once, which counts what was decided in a year: so much as happens in one."""
    ask = _open("", lambda: "/conduct/")
    ask()
    return ask


def _next_of_group(_number: int) -> Ask:
    """Make the next game of the group's standing table due."""
    seats = (SeatSetup(kind="open"), SeatSetup(kind="open"))
    owner = User.objects.get(username=VETERAN)
    game = set_standing_table(owner, CLUB, GameSetup(variant="blockyou-2", seats=seats))
    cancel_game(owner, game.slug)
    StandingTable.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    standing = StandingTable.objects.get().pk
    return lambda: _done(open_standing_table(standing))


def _done(game: Game | None) -> None:
    if game is None:
        raise RuntimeError("Nothing was due.")


def _post(person: str, path: str, form: dict[str, Any], status: int = 302) -> Ask:
    client = _client(person)
    client.get("/rules/")
    return lambda: _check(client.post(path, form), status)


def _last_of_lobby() -> int:
    return lobby_page(AnonymousUser(), NOBODY, BEYOND).number


def _last_of_notices() -> int:
    return notices_page(User.objects.get(username=VETERAN), BEYOND).number


def _check(answer: Any, status: int) -> None:
    if answer.status_code != status:
        raise RuntimeError(f"{answer.request['PATH_INFO']}: {answer.status_code} instead of {status}")


def _due(number: int) -> Game:
    """Return one of the games in which the veteran is to move."""
    user = User.objects.get(username=VETERAN)
    games = Game.objects.filter(status=Status.RUNNING, players__user=user, creator=user, turn_seat=0, is_paused=False)
    return games.order_by("-pk")[number]


def _oldest(**narrower: Any) -> str:
    """Return the slug of the veteran's oldest finished game; the page beside it is a whole one, the last may not be."""
    seats = Player.objects.filter(user__username=VETERAN, ended_at__isnull=False, **narrower)
    return seats.order_by("ended_at", "game_id").values_list("game__slug", flat=True)[0]


def _with_people() -> str:
    """Return the slug of a running game in which the veteran plays with another person."""
    seats = Player.objects.filter(
        user__isnull=False, game__status=Status.RUNNING, game__players__user__username=VETERAN
    )
    others = seats.exclude(user__username=VETERAN).order_by("-game_id")
    return others.values_list("game__slug", flat=True)[0]


def _finished() -> Game:
    user = User.objects.get(username=VETERAN)
    return Game.objects.filter(status=Status.FINISHED, players__user=user, variant="blockyou-2").order_by("pk")[0]


def _move(time: int) -> Ask:
    game = _due(time)
    placement = str(positions.position_of(game).legal_placements()[0])
    form = {"placement": placement, "number": str(next_number(game)), "key": f"growth-{time}"}
    return _post(VETERAN, f"/games/{game.slug}/place/", form)


def _finished_board() -> str:
    return f"/games/{_finished().slug}/analysis/"


def _attempt(number: int) -> Ask:
    """Return a request of the veteran to try a move that nobody has tried yet."""
    game = _due(0)
    placement = str(positions.position_of(game).legal_placements()[number])
    return _post(VETERAN, f"/games/{game.slug}/analysis/try/", {"placement": placement})


def _study() -> str:
    return Study.objects.filter(owner__username=VETERAN).order_by("pk").values_list("slug", flat=True)[1]


def _comment(number: int) -> Ask:
    study = Study.objects.get(slug=_study())
    form = {"text": f"And here another, {number}.", "move": "0", "edition": str(study.edition)}
    return _post(VETERAN, f"/studies/{study.slug}/comments/", form)


def _vary(number: int) -> Ask:
    study = Study.objects.get(slug=_study())
    placement = str(Position.start("duo").legal_placements()[number + 1])
    form = {"placement": placement, "move": "0", "edition": str(study.edition)}
    return _post(VETERAN, f"/studies/{study.slug}/board/try/", form)


def _undo_attempt(_number: int) -> Ask:
    """Return a request to undo what the veteran has tried last, on the board of the game of `_attempt`."""
    game = _due(0)
    edition = Analysis.objects.get(game=game, user__username=VETERAN).edition
    return _post(VETERAN, f"/games/{game.slug}/analysis/undo/", {"what": "undo", "edition": str(edition)})


def _name_attempt(number: int) -> Ask:
    """Return a request to name what everyone has tried in their games."""
    game = _due(0)
    edition = Analysis.objects.get(game=game, user__username=VETERAN).edition
    form = {"node": "1", "name": f"Way {number}", "edition": str(edition)}
    return _post(VETERAN, f"/games/{game.slug}/analysis/name/", form)


def _remove_attempt(number: int) -> Ask:
    """Try a move more, and return a request to remove it again."""
    game, veteran = _due(0), User.objects.get(username=VETERAN)
    tried = str(positions.position_of(game).legal_placements()[2 + number])
    node = extend_branch(veteran, game.slug, move=tried).node
    edition = Analysis.objects.get(game=game, user=veteran).edition
    return _post(VETERAN, f"/games/{game.slug}/analysis/remove/", {"node": str(node), "edition": str(edition)})


def _retry(number: int) -> Ask:
    """Return a request to try another move in place of a mistake of the veteran's."""
    mistakes = Mistake.objects.filter(user__username=VETERAN, number=1, due_at__isnull=False)
    game = mistakes.order_by("pk")[number].game
    placement = str(Position.start(game.variant).legal_placements()[5])
    return _post(VETERAN, f"/games/{game.slug}/analysis/try/", {"placement": placement, "move": "0"})


def _play_from_game(_number: int) -> Ask:
    _cancel_tables_of(VETERAN)
    form = {"move": "3", "seat": "0", "others": "friends", "time": "normal"}
    return _post(VETERAN, f"/games/{_finished().slug}/from/", form)


def _let_in(number: int) -> Ask:
    """Return a request to let the rival write in a study, who does not at that time."""
    if number:
        remove_editor(User.objects.get(username=VETERAN), _study(), RIVAL)
    return _post(VETERAN, f"/studies/{_study()}/editors/", {"name": RIVAL})


def _ask_back(number: int) -> Ask:
    """Return a request of the veteran for the last placement, at a table that allows it."""
    game = _theirs(number)
    Game.objects.filter(pk=game.pk).update(allows_takebacks=True)
    return _post(VETERAN, f"/games/{game.slug}/takeback/ask/", {"number": str(next_number(game))})


def _undo_variation(_number: int) -> Ask:
    study = Study.objects.get(slug=_study())
    return _post(VETERAN, f"/studies/{study.slug}/board/undo/", {"what": "undo", "edition": str(study.edition)})


def _theirs(number: int) -> Game:
    """Return one of the games between two in which the veteran waits for another person."""
    user = User.objects.get(username=VETERAN)
    games = Game.objects.filter(status=Status.RUNNING, variant="blockyou-2", players__user=user, is_paused=False)
    return games.exclude(turn_user=user).exclude(turn_user=None).order_by("-pk")[number]


def _plan(game: Game, *answers: str) -> None:
    """Plan the veteran's next turn: these moves, in order."""
    user, position = User.objects.get(username=VETERAN), positions.position_of(game)
    mine = Player.objects.get(game=game, user=user)
    colour = next(each for each in position.seats[mine.seat] if position.has_legal(each))
    moves = answers or (str(position.legal_placements(colour)[0]),)
    turn = PlannedTurn("" if answers else colour, tuple(map(PlannedMove, moves)))
    set_plan(user, game.slug, [turn], number=next_number(game), edition=TurnPlan.from_data(mine.plan).edition)


def _planned(number: int, *, in_chain: bool = False) -> Ask:
    """Make a turn due that the veteran has planned; in a chain the other player has planned the turn after it."""
    game = _theirs(number)
    mover = game.turn_user
    if mover is None:
        raise LookupError("The game is over.")
    position, due = positions.position_of(game), next_number(game)
    placed = position.legal_placements()[0]
    answered = position.play(placed)
    answer = answered.legal_placements()[0]
    _plan(game, str(answer))
    if in_chain:
        then = answered.play(answer)
        turn = PlannedTurn(then.colour or "", (PlannedMove(str(then.legal_placements()[0])),))
        edition = TurnPlan.from_data(Player.objects.get(game=game, user=mover).plan).edition
        set_plan(mover, game.slug, [turn], number=due, edition=edition)
    play_placement(mover, game.slug, placement=str(placed), number=due, key=f"growth-before-{due}")
    return lambda: play_plan(game.slug, number=due + 1)


def _planned_in_chain(number: int) -> Ask:
    return _planned(number, in_chain=True)


def _agree_to_takeback(_number: int) -> Ask:
    """Return what agrees that the veteran takes their last placement back, where the other player is to move."""
    game = _theirs(2)
    Game.objects.filter(pk=game.pk).update(allows_takebacks=True)
    asked = ask_for_takeback(User.objects.get(username=VETERAN), game.slug, number=next_number(game)).asked_takeback
    if asked is None or game.turn_user is None:
        raise LookupError("Nobody is to be asked.")
    return partial(agree_to_takeback, game.turn_user, game.slug, request=asked.version)


def _late(time: int) -> Ask:
    return _sweep_of(time, deadline=timezone.now() - timedelta(seconds=1))


def _near(time: int) -> Ask:
    return _sweep_of(time, remind_at=timezone.now() - timedelta(seconds=1))


def _sweep_of(number: int, **changes: Any) -> Ask:
    """Make a game of the veteran due for the sweep."""
    games = Game.objects.filter(status=Status.RUNNING, deadline__isnull=False, players__user__username=VETERAN)
    Game.objects.filter(pk=games.order_by("-pk")[number].pk).update(**changes)
    return lambda: sweep.sweep(timezone.now())


def _restoring() -> str:
    return restoring_link(User.objects.get(username=NEWCOMER), f"{NEWCOMER}@example.org")


def _cancel_tables_of(name: str) -> None:
    """Cancel the tables of a person that wait in the lobby or for those they have invited."""
    person = User.objects.get(username=name)
    for game in Game.objects.filter(creator=person, status=Status.OPEN):
        cancel_game(person, game.slug)


def _new_table(_time: int) -> Ask:
    # The lobby lists only a few tables of one person at a time.
    _cancel_tables_of(VETERAN)
    return _post(VETERAN, "/games/new/", {**TABLE, "seat-1": "open"})


def _join(time: int) -> Ask:
    seats = Player.objects.filter(game__status=Status.OPEN, game__is_public=True, access=Access.OPEN, user=None, bot="")
    game = seats.order_by("-pk")[time].game
    return _post(GUESTS[time], f"/games/{game.slug}/join/", {})


def _log_in(login: str, status: int = 302) -> Ask:
    return _post("", reverse("account_login"), {"login": login, "password": PASSWORD}, status)


def _address() -> dict[str, str]:
    return {"email": f"{NEWCOMER}@example.org"}


def _sign_up(time: int) -> Ask:
    form = {"username": f"stranger{time}", "email": f"stranger{time}@example.org", "password1": PASSWORD}
    return _post("", reverse("account_signup"), form)


def _close(time: int) -> Ask:
    return _post(LEAVERS[time], reverse("account-delete"), {"password": PASSWORD})


def _ping(socket: Socket, slug: str = "") -> Ask:
    """Return what a socket asks the database for when its page's heartbeat is answered."""
    viewer = User.objects.get(username=VETERAN)
    socket.scope = {"user": viewer, "query_string": b"", "url_route": {"kwargs": {"slug": slug}}}
    return lambda: socket.frames([Question(socket, True)])
