"""The games and people of a large site, in bulk and honestly spread.

The games are copies of a few that were really played (`benchmarks.growth.patterns`), so that every column which the
site's actions fill is filled. They have seven moves on average and three years of age at most. Most are finished, one
in eight is running, one in thirty waits for players, some are cancelled. Half of them have bots, one in four is
private. There is a person for every five games, and so many in a small database that a group may be full; most have
played a few, and one in three is a guest.

The people of `CAST` are in every database, however small, and only in their games has anything happened in the last six
hours: what a site's jobs cost is what happens, and that is the same in a small database and in a large one.

So that a page is full in every database, each has a few rated games of yesterday and tables for two that wait besides,
and one of the cast has more rated games than the course of a rating shows.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from heapq import merge
from importlib import import_module
from itertools import chain, islice
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from accounts import names
from accounts.models import Session, User
from benchmarks.growth.bulk import Stencil, Writer
from benchmarks.growth.patterns import Pattern, record_patterns
from benchmarks.growth.thoughts import think
from games.background.upkeep import gather_statistics
from games.base.groups import MAX_MEMBERS
from games.base.rated import month_of
from games.bots.puzzles.shipped import shipped_puzzles
from games.models import (
    AllowedPerson,
    BlockedPerson,
    BotRecord,
    Companion,
    DailyPuzzle,
    FollowedPerson,
    Game,
    Group,
    GroupChannel,
    HeadToHead,
    Holiday,
    Membership,
    Move,
    MutedPerson,
    Notice,
    Player,
    PuzzleTry,
    RatedFamily,
)
from games.ratings.families import FAMILIES

#: The heaviest player of every database, and four more of a large one. A seventh of all games are the veteran's.
VETERAN, MORE_VETERANS, LARGE_FROM = "veteran", ("old-hand1", "old-hand2", "old-hand3", "old-hand4"), 50_000

#: How many finished games they have: enough for a whole page of a list, and a long history in a large database.
FEWEST_OWN, MOST_OWN = 60, 4000
#: In so many games between two a veteran waits for the other person.
WAITED_FOR = 4

#: They have ten finished games; five of the veteran's; a few games of every kind, to be given up with the account.
NEWCOMER, RIVAL, LEAVERS = "newcomer", "rival", ("leaver1", "leaver2")

#: They have no games, and sit down at tables.
GUESTS = ("visitor1", "visitor2")
#: Plays rated games of one family alone: as many as the veteran plays of all kinds, and more than a course shows.
REGULAR, FEWEST_RATED = "regular", 210
#: So many rated games ended yesterday, and so many tables for two wait: more than are looked at for who plays anyone.
YESTERDAYS, TABLES = 15, 45
#: The least number of games that a database has: those of the cast, these, and some of the crowd.
FEWEST = 450
#: Of whom the veteran takes care, with ten games against the rival and as many people whom it may meet.
CHILD, MAY_MEET = "veterans-child", 40
CAST = (VETERAN, *MORE_VETERANS, NEWCOMER, RIVAL, *LEAVERS, *GUESTS, CHILD, REGULAR)
#: The slug of the veteran's group.
CLUB = "thebigclub"
#: Where its channel posts to. Nothing is sent: no worker runs.
CHANNEL = "https://discord.com/api/webhooks/1/a-secret"
PASSWORD = "corner to corner, always"

#: Everyone has a notice of every game: more than a site keeps, which deletes them after a month.
NOTICES = """
    INSERT INTO games_notification (user_id, game_id, occasion, event, created_at, is_due, is_listed, read_at)
    SELECT seat.user_id, seat.game_id, 'over', 0, game.changed_at, FALSE, TRUE, game.changed_at
    FROM games_player seat JOIN games_game game ON game.id = seat.game_id
    WHERE seat.user_id IS NOT NULL ORDER BY seat.id
"""

#: In every game each person has said two things, and in one of five that go on or have just ended they are unread.
TALK = """
    INSERT INTO games_talkmessage (game_id, author_id, audience, phrase, day, text, created_at)
    SELECT seat.game_id, seat.user_id, 'players', line.phrase, NULL, '', game.changed_at
    FROM games_player seat JOIN games_game game ON game.id = seat.game_id
    CROSS JOIN (SELECT 'hello' AS phrase UNION ALL SELECT 'good-game') line
    WHERE seat.user_id IS NOT NULL ORDER BY seat.id
"""
#: In one public game of five that goes on or is over those who watch have said two things too.
WATCHERS_TALK = """
    INSERT INTO games_talkmessage (game_id, author_id, audience, phrase, day, text, created_at)
    SELECT game.id, game.creator_id, 'watchers', line.phrase, NULL, '', game.changed_at
    FROM games_game game CROSS JOIN (SELECT 'hello' AS phrase UNION ALL SELECT 'good-game') line
    WHERE game.is_public AND game.status IN ('running', 'finished') AND game.id % 5 = 0 ORDER BY game.id
"""
UNREAD = """
    UPDATE games_player SET unread_messages = 2 WHERE user_id IS NOT NULL AND is_going AND game_id % 5 = 0
"""

#: Whoever plays with another person has said something of each fifth placement of theirs by a mark.
REACTIONS = """
    INSERT INTO games_reaction (move_id, author_id, word, given_at)
    SELECT move.id, seat.user_id, 'nice', move.played_at
    FROM games_move move JOIN games_player seat ON seat.game_id = move.game_id
    WHERE move.kind = 'place' AND move.number % 5 = 0 AND seat.user_id IS NOT NULL AND seat.seat <> move.seat
    ORDER BY move.id, seat.id
"""
WITH_REACTIONS = """
    UPDATE games_game SET has_reactions = TRUE
    WHERE id IN (SELECT move.game_id FROM games_move move JOIN games_reaction given ON given.move_id = move.id)
"""

#: Of everyone with an account it is kept when they were last here.
PRESENCE = """
    INSERT INTO accounts_presence (person_id, seen_at)
    SELECT id, date_joined FROM accounts_user WHERE NOT is_guest AND guardian_id IS NULL ORDER BY id
"""

#: In one game of ten each other person has reported the one who opened it, and moderators have looked at nearly all.
REPORTS = """
    INSERT INTO games_playerreport
        (reporter_id, person_id, kind, thing, game_id, reason, words, shown, gravity, trust, made_at, closed_at,
         is_upheld)
    SELECT seat.user_id, game.creator_id, 'table', 'table', game.id, 'insult', '', game.name, 1, 20, game.changed_at,
        game.changed_at, seat.id % 2 = 0
    FROM games_player seat JOIN games_game game ON game.id = seat.game_id
    WHERE seat.user_id IS NOT NULL AND seat.user_id <> game.creator_id AND game.id % 10 = 0 ORDER BY seat.id
"""
OPEN_REPORTS = """
    UPDATE games_playerreport SET closed_at = NULL, is_upheld = NULL, thing = 'table-' || id
    WHERE id IN (
        SELECT report.id FROM games_playerreport report JOIN accounts_user one ON one.id = report.reporter_id
        WHERE one.username <> 'rival' ORDER BY report.id LIMIT 10
    )
"""

#: As often as a page shows, in every database: the veteran was reported by the newcomer, and has reported the newcomer,
#: without anything in it, and a few reports about the veteran are open.
OFTEN_REPORTED = """
    INSERT INTO games_playerreport
        (reporter_id, person_id, kind, thing, reason, words, shown, gravity, trust, made_at, closed_at, is_upheld)
    SELECT one.id, other.id, 'line', 'line-' || game.id, 'insult', '', '', 1, 20, game.changed_at,
        CASE WHEN game.place > 3 THEN game.changed_at END, CASE WHEN game.place > 3 THEN FALSE END
    FROM (SELECT id, changed_at, ROW_NUMBER() OVER (ORDER BY id) AS place FROM games_game ORDER BY id LIMIT 150) game
    JOIN accounts_user one ON one.username IN ('veteran', 'newcomer')
    JOIN accounts_user other ON other.username IN ('veteran', 'newcomer') AND other.id <> one.id
    ORDER BY game.id, one.id
"""

#: What was upheld was decided by the rival, who moderates, and in every database three hundred times something about
#: the veteran; one decision of ten was appealed against, and five of the veteran's appeals wait.
DECISIONS = """
    INSERT INTO games_decision (person_id, moderator_id, measure, reason, words, shown, made_at)
    SELECT report.person_id, judge.id, 'warn', report.reason, 'No.', report.shown, report.closed_at
    FROM games_playerreport report JOIN accounts_user judge ON judge.username = 'rival'
    WHERE report.is_upheld AND report.person_id <> judge.id ORDER BY report.id
"""
OFTEN_DECIDED = """
    INSERT INTO games_decision (person_id, moderator_id, measure, reason, words, shown, made_at)
    SELECT person.id, judge.id, 'warn', 'spam', 'No.', '', game.changed_at
    FROM (SELECT changed_at FROM games_game ORDER BY id LIMIT 150) game CROSS JOIN (SELECT 1 UNION ALL SELECT 2) twice
    JOIN accounts_user judge ON judge.username = 'rival' JOIN accounts_user person ON person.username = 'veteran'
"""
APPEALS = """
    INSERT INTO games_appeal (decision_id, words, made_at, closed_at, is_granted, moderator_id, answer)
    SELECT id, 'A joke.', made_at, made_at, FALSE, moderator_id, 'No.' FROM games_decision WHERE id % 10 = 0 ORDER BY id
"""
OPEN_APPEALS = """
    INSERT INTO games_appeal (decision_id, words, made_at, answer)
    SELECT id, 'A joke.', made_at, '' FROM games_decision WHERE id % 10 = 1 AND reason = 'spam' ORDER BY id DESC LIMIT 5
"""

#: Everyone with an account who has finished a game is rated and listed, in every database so many in all families that
#: a list is whole, and each rated game has left its traces.
RATINGS = """
    INSERT INTO games_playerrating (user_id, family, points, deviation, games, is_listed)
    SELECT seat.user_id, seat.variant, 1200 + seat.user_id % 700, 80, COUNT(*), TRUE
    FROM games_player seat JOIN accounts_user person ON person.id = seat.user_id
    WHERE seat.ended_at IS NOT NULL AND NOT person.is_guest AND person.guardian_id IS NULL
        AND (seat.variant LIKE 'blockyou-%' OR seat.variant LIKE 'classic-%' OR seat.variant IN ('duo', 'junior'))
    GROUP BY seat.user_id, seat.variant ORDER BY seat.user_id, seat.variant
"""
WHOLE_LISTS = """
    INSERT INTO games_playerrating (user_id, family, points, deviation, games, is_listed)
    SELECT person.id, family.name, 1200 + person.id % 700, 80, 1, TRUE
    FROM (SELECT id FROM accounts_user WHERE NOT is_guest AND guardian_id IS NULL ORDER BY id LIMIT 130) person
    CROSS JOIN ({families}) family
    WHERE NOT EXISTS
        (SELECT 1 FROM games_playerrating one WHERE one.user_id = person.id AND one.family = family.name)
    ORDER BY person.id, family.name
"""
RATED = """
    INSERT INTO games_ratedseat (player_id, family, place, others, expected,
        points_before, deviation_before, points_after, deviation_after, is_new)
    SELECT seat.id, seat.variant, seat.place, 1, 1.5, 1500, 80, 1510, 79, FALSE
    FROM games_player seat JOIN games_game game ON game.id = seat.game_id
    WHERE game.is_rated AND seat.ended_at IS NOT NULL AND seat.user_id IS NOT NULL ORDER BY seat.id
"""

#: Everyone with an account always wants two games of two players; the cast wants to be looked at first.
SEEKS = """
    INSERT INTO games_seek (person_id, variant, pace, is_rated, number, wait, set_at, due_at)
    SELECT id, 'blockyou-2', 'normal', TRUE, 2, 0, date_joined, %s FROM accounts_user
    WHERE NOT is_guest AND guardian_id IS NULL AND is_active ORDER BY id
"""

#: So many days have a puzzle of their own, and everyone has solved the last of them on their days and at first.
PUZZLE_DAYS, SOLVED_DAYS = 60, 3

#: One person of so many is a child; a multiple of three, by which guests are told.
CHILDREN = 30

#: How often each pattern of a finished game is copied.
WEIGHTS = (6, 5, 3, 2, 1, 2, 2, 2, 1)

#: What has become of the games of the past, and how many of a hundred.
PAST = {"finished": 91, "long": 2, "watched": 1, "cancelled": 6}
YEARS, SOME_MONTHS, WEEKS = timedelta(days=1100), timedelta(days=300), timedelta(days=13)
HOUR, NOON = timedelta(hours=1), time(12)


class Plan(NamedTuple):
    """One game to write: when it is dated, which pattern it is a copy of, and its people."""

    at: datetime
    kind: str
    number: int
    people: tuple[int, ...]


def fill(games: int) -> dict[str, int]:
    """Write that many games, at least `FEWEST`, and their people; return the rows of each table.

    Raises:
        ValueError: they are fewer.

    """
    if games < FEWEST:
        raise ValueError(f"A database has {FEWEST} games at least.")
    now, rng = timezone.now(), random.Random(19)
    patterns = record_patterns()
    writer = Writer(User, EmailAddress, Session, Game, Player, Move, Notice)
    people = _people(writer, len(CAST) + max(MAX_MEMBERS, games // 5), now)
    plans = list(_cast_plans(games, patterns, people, now, rng))
    stencils = {kind: [Stencil(pattern, writer) for pattern in found] for kind, found in patterns.items()}
    # A batch of moves may be written before their games.
    with connection.constraint_checks_disabled():
        for plan in merge(sorted(plans), *_crowd_plans(games - len(plans), patterns, people, now, rng)):
            stencil = stencils[plan.kind][plan.number]
            stencil.copy(plan.people, plan.at - stencil.pattern.moment)
        writer.finish()
    _relations(people, now)
    _children(people, now)
    settle()
    return {model._meta.db_table: model._base_manager.count() for model in writer.tables}


def settle() -> None:
    """Bring up to date what is kept beside the rows, as it is on a site that has run for long.

    Columns of the copied rows need nothing: they are those that the actions have filled. What is counted in tables of
    its own is counted as an update counts it. PostgreSQL's own statistics come by autovacuum, within a minute; here
    they must not be waited for.
    """
    facts, counters, openings, companions, scores = (
        import_module(f"games.migrations.{name}")
        for name in (
            *("0011_fill_seat_facts", "0013_fill_counters", "0032_fill_openings", "0042_fill_companion_names"),
            "0062_fill_head_to_head",
        )
    )
    BotRecord.objects.all().delete()
    Companion.objects.all().delete()
    HeadToHead.objects.all().delete()
    with connection.cursor() as cursor:
        for statement in (
            *facts.TALLIES,
            counters.RECORDS,
            counters.COMPANIONS,
            *openings.RECORDS,
            NOTICES,
            TALK,
            WATCHERS_TALK,
            UNREAD,
            REACTIONS,
            WITH_REACTIONS,
            PRESENCE,
            REPORTS,
            OPEN_REPORTS,
            OFTEN_REPORTED,
            DECISIONS,
            OFTEN_DECIDED,
            APPEALS,
            OPEN_APPEALS,
            RATINGS,
            WHOLE_LISTS.format(families=" UNION ALL ".join(f"SELECT '{family}' AS name" for family in FAMILIES)),
            RATED,
        ):
            cursor.execute(statement)
        cursor.execute(SEEKS, [timezone.now() + timedelta(days=30)])
        cursor.execute(companions.KEYS, [0, 2**62])
        cursor.execute(scores.SCORES, [0, 2**62])
    think(VETERAN)
    now = timezone.now()
    _puzzles(now)
    RatedFamily.objects.bulk_create(
        (RatedFamily(family=family, month=month_of(now), fitted_at=now) for family in FAMILIES), ignore_conflicts=True
    )
    gather_statistics()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


def _puzzles(now: datetime) -> None:
    """Give each of the last days a puzzle, which everyone has solved lately."""
    found = list(islice(shipped_puzzles(), PUZZLE_DAYS))
    today = now.date()
    DailyPuzzle.objects.bulk_create(
        DailyPuzzle(
            day=today - timedelta(days=days),
            key=f"growth-{days}",
            source="bots:1",
            number=days,
            kind=each.puzzle.kind,
            variant=each.puzzle.variant,
            moves=list(each.puzzle.moves),
            solutions=[list(line) for line in each.puzzle.solutions],
            proof=dict(each.puzzle.proof),
        )
        for days, each in enumerate(found)
    )
    latest = DailyPuzzle.objects.order_by("-day")[:SOLVED_DAYS]
    solved = [(each, datetime.combine(each.day, NOON, UTC)) for each in latest]
    people = User.objects.order_by("pk").values_list("pk", flat=True)
    PuzzleTry.objects.bulk_create(
        (
            PuzzleTry(user_id=pk, puzzle=each, day=each.day, tries=1, solved_at=at)
            for pk in people
            for each, at in solved
        ),
        batch_size=10_000,
    )


def _people(writer: Writer, number: int, now: datetime) -> range:
    """Write that many people, each with a session and an address or as a guest; return their keys, the cast's first."""
    users, addresses, sessions = (writer.tables[model] for model in (User, EmailAddress, Session))
    person, cast = (users.prepared(_pattern_person(password, now - YEARS)) for password in (None, PASSWORD))
    first = users.next_key
    for place in range(number):
        name = CAST[place] if place < len(CAST) else f"player{place}"
        is_guest, email = place >= len(CAST) and place % 3 == 0, f"{name}@example.org"
        row = cast if place < len(CAST) else person
        shape, shape_of_six = names.shapes(name)
        alike = {"name_key": names.key(name), "shape": shape, "shape_of_six": shape_of_six}
        changes = {"id": users.take_key(), "username": name, "is_guest": is_guest, **alike}
        users.add(users.changed(row, **changes, email="" if is_guest else email))
        if not is_guest:
            address = addresses.prepared(EmailAddress(user_id=1, email=email, verified=True, primary=True))
            addresses.add(addresses.changed(address, id=addresses.take_key(), user_id=first + place))
        session = Session(session_key=f"{place:032}", expire_date=now + YEARS, user_id=first + place)
        sessions.add(sessions.prepared(session))
    return range(first, first + number)


def _relations(people: range, now: datetime) -> None:
    """Create a few follows, mutes, blocks and holidays of everybody, many of the rival, many holidays of the veteran:
    as many in every database. The rival moderates.
    """
    crowd, rival = people[len(CAST) :], people[CAST.index(RIVAL)]
    pairs = [(one, crowd[(place + step) % len(crowd)]) for place, one in enumerate(crowd) for step in (1, 2)]
    kept_apart, known = pairs + [(rival, one) for one in crowd[:20]], pairs + [(rival, one) for one in crowd[20:40]]
    BlockedPerson.objects.bulk_create(
        (BlockedPerson(person_id=one, other_id=other, made_at=now) for one, other in kept_apart), batch_size=10_000
    )
    FollowedPerson.objects.bulk_create(
        (FollowedPerson(person_id=one, other_id=other, made_at=now) for one, other in known), batch_size=10_000
    )
    MutedPerson.objects.bulk_create(
        (MutedPerson(person_id=one, other_id=other, made_at=now) for one, other in known), batch_size=10_000
    )
    away = now + timedelta(days=7), now + timedelta(days=9)
    Holiday.objects.bulk_create(
        (Holiday(user_id=one, begins_at=away[0], ends_at=away[1]) for one in people), batch_size=10_000
    )
    past = ((one, away[0] - number * timedelta(days=30)) for one in people for number in range(1, 3))
    often = ((people[CAST.index(VETERAN)], away[0] - number * timedelta(days=10)) for number in range(7, 50))
    Holiday.objects.bulk_create(
        (Holiday(user_id=one, begins_at=at, ends_at=at + timedelta(days=1)) for one, at in chain(past, often)),
        batch_size=10_000,
    )
    # By their range: SQLite as it is usually built takes 32,766 values in a statement.
    User.objects.filter(Q(pk=rival) | Q(pk__gte=crowd[0], pk__lte=crowd[-1])).update(is_kept_apart=True)
    User.objects.filter(pk=rival).update(is_moderator=True, is_staff=True)
    _group(people, now)


def _children(people: range, now: datetime) -> None:
    """Give the veteran a child, and make every thirtieth of the others one of the next, who may meet a few people."""
    crowd = people[len(CAST) :]
    families = {
        child: child + 1 for place, child in enumerate(crowd[:-1], len(CAST)) if place % CHILDREN == 1
    }  # Neither is a guest.
    friends = dict.fromkeys(families, crowd[:5])
    own = people[CAST.index(CHILD)]
    families[own], friends[own] = people[CAST.index(VETERAN)], crowd[:MAY_MEET]
    for child, guardian in families.items():
        User.objects.filter(pk=child).update(guardian=guardian)
    AllowedPerson.objects.bulk_create(
        (
            AllowedPerson(child_id=child, other_id=other, asked_at=now, allowed_at=now if other % 4 else None)
            for child, others in friends.items()
            for other in others
            if other != child
        ),
        batch_size=10_000,
    )


def _group(people: range, now: datetime) -> None:
    """Create the veteran's group of two hundred, as large as one may be, to which all their private games belong, with
    a channel to which most members have agreed.
    """
    owner = people[CAST.index(VETERAN)]
    club = Group.objects.create(slug=CLUB, owner_id=owner, made_at=now)
    rows = (Membership(group=club, person_id=one, joined_at=now) for one in people[:MAX_MEMBERS])
    Membership.objects.bulk_create(rows)
    agreed = [*people[1 : MAX_MEMBERS - 20]]
    GroupChannel.objects.create(group=club, owner_id=owner, address=CHANNEL, created_at=now, agreed=agreed)
    Game.objects.filter(creator=owner, is_public=False).update(group=club)


def _pattern_person(password: str | None, joined: datetime) -> User:
    """Return a person as one is stored, with what the database adds; the row itself is not kept."""
    with transaction.atomic():
        user = User.objects.create_user("pattern", password=password, date_joined=joined)
        user.refresh_from_db()
        transaction.set_rollback(True)
    return user


class _Draw:
    """Choices of patterns and people: some people play much more often than others."""

    def __init__(self, patterns: dict[str, tuple[Pattern, ...]], people: range, rng: random.Random) -> None:
        self.rng, self._patterns = rng, patterns
        self._crowd = people[len(CAST) :]

    def plan(self, at: datetime, kind: str, *known: int) -> Plan:
        """Return a game with the known people in its first places."""
        weights = WEIGHTS if kind == "finished" else None
        [number] = self.rng.choices(range(len(self._patterns[kind])), weights)
        most = len(self._patterns[kind][number].people)
        found = list(known[:most])
        while len(found) < most:
            person = self._crowd[int(len(self._crowd) * self.rng.random() ** 1.5)]
            if person not in found:
                found.append(person)
        return Plan(at, kind, number, tuple(found))

    def with_person(self, at: datetime, kind: str, *known: int) -> Plan:
        """Return a game in which two people at least play."""
        while len((plan := self.plan(at, kind, *known)).people) < 2:
            pass
        return plan


def _cast_plans(
    games: int, patterns: dict[str, tuple[Pattern, ...]], people: range, now: datetime, rng: random.Random
) -> Iterator[Plan]:
    """Yield the games of the cast, and those that every database has besides."""
    draw, key = _Draw(patterns, people, rng), dict(zip(CAST, people, strict=False))

    def past() -> datetime:
        return now - HOUR - rng.random() * YEARS

    for name in (VETERAN, *(MORE_VETERANS if games >= LARGE_FROM else ())):
        for number in range(max(FEWEST_OWN, min(MOST_OWN, games // 7)) - 5):
            yield draw.plan(past(), "long" if number % 9 == 0 else "finished", key[name])
        for number in range(6):
            yield draw.plan(now - (number + 1) * HOUR / 2, "mine" if number < 4 else "theirs", key[name])
        for number in range(WAITED_FOR):
            yield draw.plan(now - (number + 4) * HOUR, "waiting", key[name])
        for kind in ("open", "watched", "watched"):
            yield draw.plan(now - 5 * HOUR, kind, key[name])
    for _ in range(max(FEWEST_RATED, min(MOST_OWN, games // 7))):
        yield draw.plan(past(), "rated", key[REGULAR])
    yield from _whole_pages(draw, now)
    for _ in range(5):
        yield draw.with_person(past(), "finished", key[VETERAN], key[RIVAL])
    for _ in range(10):
        yield draw.plan(past(), "finished", key[NEWCOMER])
    for kind in (*["finished"] * 10, "mine", "theirs"):
        yield draw.with_person(past(), kind, key[CHILD], key[RIVAL])
    for name in LEAVERS:
        for kind in ("finished", "finished", "mine", "theirs", "open"):
            yield draw.plan(now - 9 * HOUR, kind, key[name])


def _whole_pages(draw: _Draw, now: datetime) -> Iterator[Plan]:
    """Yield what every database has so that pages are full: rated games of yesterday, and tables that wait."""
    yesterday = datetime.combine(now.date() - timedelta(days=1), NOON, UTC)
    for number in range(YESTERDAYS):
        yield draw.plan(yesterday + number * timedelta(minutes=1), "rated")
    for number in range(TABLES):
        yield draw.plan(now - HOUR - WEEKS * (number + 1) / TABLES, "table")


def _crowd_plans(
    games: int, patterns: dict[str, tuple[Pattern, ...]], people: range, now: datetime, rng: random.Random
) -> Sequence[Iterator[Plan]]:
    """Return the games of everyone else by kind, each from the oldest to the youngest."""
    draw = _Draw(patterns, people, rng)

    def spread(number: int, age: timedelta, youngest: timedelta, kind: Callable[[], str]) -> Iterator[Plan]:
        return (draw.plan(now - youngest - age * (number - place) / number, kind()) for place in range(number))

    running, waiting = max(30, games // 8), max(20, games // 30)
    return (
        spread(running, SOME_MONTHS, 7 * HOUR, lambda: rng.choice(("mine", "theirs"))),
        spread(waiting, WEEKS, HOUR, lambda: "open"),
        spread(games - running - waiting, YEARS, HOUR, lambda: rng.choices(list(PAST), list(PAST.values()))[0]),
    )
