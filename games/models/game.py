"""A game: what was agreed at the table, and a cache of where its moves have led."""

import secrets
from collections.abc import Collection
from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.db import models

from games.clock import Still, TimeControl
from games.models.reading import note_game_read
from games.rules.variants import get_variant
from games.values import (
    LONGEST_PAUSE,
    GivenDay,
    PauseRequest,
    Reason,
    Status,
    TakebackRequest,
    days_of_turn,
)

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def new_slug() -> str:
    """Return ten random characters (50 bits) that are easy to read aloud."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def new_token() -> str:
    """Return the secret of an invitation link (132 bits)."""
    return secrets.token_urlsafe(16)


#: With fewer moves a board is too empty to be shown on the first page.
FEATURED_FROM = 8

#: The order of lists of games, the latest change first.
NEWEST = ("-changed_at", "-id")


class Game(models.Model):
    """One table and its game.

    The moves are the truth; the fields below "Cache" are rebuilt from them (`games.table.lifecycle`) and tests do so.
    `version` grows by one with every visible change. Times of the clock are whole seconds; all null means unlimited.
    """

    slug = models.CharField(max_length=12, unique=True, default=new_slug, editable=False)
    invite_token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    name = models.CharField(max_length=40, blank=True)
    # The whole id, with the size and the seed that some families have: "codingame-2:13:42".
    variant = models.CharField(max_length=40)
    # One of the variant's ways of scoring.
    scoring = models.CharField(max_length=10, default="penalty")
    # The colours chosen at creation, in seat order (three-player games); empty where the variant fixes them.
    colours = models.JSONField(default=list, blank=True)
    is_public = models.BooleanField(default=True)
    # False: blocked colours pass by themselves, visibly. True: their player presses Pass.
    declares_passes = models.BooleanField(default=False)
    # Whether the board may show its players where pieces fit.
    allows_hints = models.BooleanField(default=True)
    # Whether its players may ask an engine for good moves too, where hints are allowed.
    allows_advice = models.BooleanField(default=True, db_default=True)
    # Whether its bots explain their moves while the game goes on, and not only once it is over.
    allows_explanations = models.BooleanField(default=False, db_default=False)
    # Whether moves may be taken back, with the consent of all people at the table.
    allows_takebacks = models.BooleanField(default=True, db_default=True)
    # Whether players may say something in words of their own, where the site lets them; ready phrases they always may.
    allows_texts = models.BooleanField(default=True, db_default=True)
    # Whether a child sits there, is invited or has opened it (`games.base.children`); then no one else ever sees it.
    is_sheltered = models.BooleanField(default=False, db_default=False, editable=False)
    # Whether its people sit at one device: the person who opened it, and others by names alone (`Player.is_local`).
    is_on_one_device = models.BooleanField(default=False, db_default=False, editable=False)
    # Whether it counts for the ratings of its people, once it has ended.
    is_rated = models.BooleanField(default=False, db_default=False)
    # Seconds that its bots wait before they begin to think, so that people can follow.
    bot_pause = models.PositiveSmallIntegerField(default=0, db_default=0)
    # What part of their last turns, in percent, players made in time who may take a free seat; 0 for any.
    min_reliability = models.PositiveSmallIntegerField(default=0, db_default=0)
    # How the seats, and so the colours, are dealt: drawn when the table opens; chosen by the players until the game
    # begins; or, with neither, as the person who opened the table has set them.
    is_shuffled = models.BooleanField(default=True)
    lets_choose = models.BooleanField(default=False, db_default=False)
    # Nothing moves: in a game of bots, until the player who opened the table resumes them; in one of people it is part
    # of the cache, and follows from `pauses`.
    is_paused = models.BooleanField(default=False)
    # The version at which that last changed, 0 if it never has: it distinguishes one pause from the next.
    pause_version = models.PositiveIntegerField(default=0)
    # The pauses that people at the table have agreed on, from the oldest to the latest: the version of the request,
    # when the pause began, and when it ended (null while it lasts). With the moves, these facts say when clocks ran.
    pauses = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    # The request for a pause to which not all have agreed yet, empty without one: the version at which it was made,
    # when, the seat that asked, and those that have agreed since.
    pause_request = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    # The days that players have given each other, from the oldest to the latest: the version from which on each counts,
    # the number by which requests named the move that was due, the seats of who gave it and of who was to play, when,
    # and which move of the game it was to be. With the moves, these facts say when clocks ran out.
    given_days = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    # The request for moves to be taken back to which not all have agreed yet, empty without one: the version at which
    # it was made, when, the number of the first move that would go, the seat that asked, and those that agreed since.
    takeback_request = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    # The stored name of the bot that takes the turns which players miss; empty: a seat that misses one has retired.
    # With two seats a missed turn is the end of the game, whatever stands here.
    stand_in = models.CharField(max_length=20, blank=True, default="sage-4", db_default="sage-4")
    time_initial = models.PositiveIntegerField(null=True, blank=True)
    time_increment = models.PositiveIntegerField(null=True, blank=True)
    time_cap = models.PositiveIntegerField(null=True, blank=True)
    # Whether clocks stand still at weekends, each in its player's time zone.
    rests_weekends = models.BooleanField(default=False, db_default=False)
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="created_games", db_index=False
    )
    # The group whose members may see it and take its free seats; it is then not public.
    group = models.ForeignKey(
        "games.Group", null=True, blank=True, on_delete=models.PROTECT, related_name="games", db_index=False
    )
    rematch_of = models.OneToOneField("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch")
    # How many of its first moves were given: it begins at a position of an earlier game or of a study. They are moves
    # like others, and nobody's: clocks, results and statistics begin after them.
    given_moves = models.PositiveSmallIntegerField(default=0, db_default=0)
    # The slug of the finished game whose position that is; empty for a study, which may not be shared.
    begun_from = models.CharField(max_length=12, blank=True, default="", db_default="")

    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(db_index=True)
    # While the table waits: when it is cancelled if no one joins or leaves it, and whether the lobby shows it.
    expires_at = models.DateTimeField(null=True, blank=True)
    is_listed = models.BooleanField(default=False, db_default=False)
    # Once the table is cancelled: when its row is deleted, if no notice speaks of it any more.
    dropped_at = models.DateTimeField(null=True, blank=True)
    # While the table waits: when bots take the seats that are empty then, and the stored name of that bot.
    fill_at = models.DateTimeField(null=True, blank=True)
    fill_bot = models.CharField(max_length=20, blank=True, default="", db_default="")

    # Whether its news go to a channel (`GameChannel`).
    is_posted = models.BooleanField(default=False, db_default=False)
    # Whether a player has ever reacted to a placement, so that pages of other games need not ask.
    has_reactions = models.BooleanField(default=False, db_default=False)

    # Cache.
    move_count = models.PositiveSmallIntegerField(default=0)
    # How many numbers of moves no move has any more: those of moves that were taken back, and one for each time.
    spent_numbers = models.PositiveSmallIntegerField(default=0, db_default=0)
    # One character a cell, a1 first, row by row from the bottom: "." free, else the colour's index in the variant.
    board = models.TextField(blank=True)
    turn_colour = models.CharField(max_length=10, blank=True)
    turn_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    turn_since = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=12, choices=Reason.choices, blank=True)
    # The person in the seat that is to play. The seat's own key is constrained; checked here too, every move would
    # lock a person's row.
    turn_user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    # Whether a bot is to play, for itself or for a player who is away, and is not held by a pause.
    is_bot_due = models.BooleanField(default=False, db_default=False)
    # Whether the first page may show it: public, with a board that is not too empty.
    is_featured = models.BooleanField(default=False, db_default=False)
    # When the present pause ends at the latest, where people have agreed on one.
    pause_ends_at = models.DateTimeField(null=True, blank=True)
    # Whether only bots sit, for the person who opened the table to watch.
    is_of_bots = models.BooleanField(default=False, db_default=False)

    # Whether the person to play may still have to be notified of this turn. Each new turn sets it; it is cleared when
    # the player has been notified or needs no notice. No part of the cache: the moves do not say it.
    is_notice_due = models.BooleanField(default=False, db_default=False)
    # When the person to play is next to be reminded of the deadline (`games.clock.reminders`); null for never again.
    remind_at = models.DateTimeField(null=True, blank=True)
    # Until when the person who has placed last may take that back without asking anyone, and the key of the account;
    # both null once another person has been shown that move, or has moved. No part of the cache either.
    alone_until = models.DateTimeField(null=True, blank=True)
    alone_person = models.BigIntegerField(null=True, blank=True)

    class Meta:
        # Conditions are "is true" or "is not null": these alone SQLite recognises in a query with parameters.
        indexes = [
            models.Index(fields=["-created_at", "-id"], condition=models.Q(is_listed=True), name="game_listed"),
            models.Index(fields=["expires_at"], condition=models.Q(expires_at__isnull=False), name="game_expires"),
            models.Index(fields=["dropped_at"], condition=models.Q(dropped_at__isnull=False), name="game_dropped"),
            models.Index(fields=["fill_at"], condition=models.Q(fill_at__isnull=False), name="game_fill"),
            models.Index(
                fields=["pause_ends_at"], condition=models.Q(pause_ends_at__isnull=False), name="game_pause_ends"
            ),
            models.Index(fields=["creator", "status"], name="game_creator"),
            models.Index(fields=["creator", "-id"], name="game_last_opened"),
            models.Index(fields=["turn_user"], condition=models.Q(turn_user__isnull=False), name="game_turn"),
            models.Index(fields=["deadline"], condition=models.Q(deadline__isnull=False), name="game_deadline"),
            models.Index(fields=["turn_since"], condition=models.Q(is_bot_due=True), name="game_bot_due"),
            models.Index(fields=["turn_since"], condition=models.Q(is_notice_due=True), name="game_notice_due"),
            models.Index(fields=["remind_at"], condition=models.Q(remind_at__isnull=False), name="game_remind"),
            models.Index(fields=["creator", *NEWEST], condition=models.Q(is_of_bots=True), name="game_of_bots"),
            models.Index(
                fields=["group", "status", *NEWEST], condition=models.Q(group__isnull=False), name="game_group"
            ),
            models.Index(fields=["status", *NEWEST], condition=models.Q(is_featured=True), name="game_featured"),
            models.Index(
                fields=["finished_at"],
                condition=models.Q(is_rated=True, finished_at__isnull=False),
                name="game_rated_ended",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(time_initial=None, time_increment=None, time_cap=None)
                # A comparison with null is not false, and a check refuses only what is false.
                | models.Q(time_initial__isnull=False, time_increment__isnull=False, time_cap__isnull=False)
                & models.Q(time_initial__gt=0, time_increment__gte=0, time_cap__gt=0),
                name="game_clock_whole_or_absent",
            ),
            models.CheckConstraint(
                condition=models.Q(status="running") ^ models.Q(turn_colour="", turn_seat=None, turn_since=None),
                name="game_turn_while_running_only",
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.slug

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **options: Any) -> Self:
        """Return the game of a stored row, and note that it was read while its last move may not have been shown."""
        game = super().from_db(db, field_names, values, **options)
        if vars(game).get("alone_until") is not None:
            note_game_read(game)
        return game

    @property
    def variant_kind(self) -> str:
        """Return the variant without the size and the seed that some families have."""
        return self.variant.partition(":")[0]

    @property
    def offers_sides(self) -> bool:
        """Whether who sits down opposite the person who opened the table chooses the side: Freestyle.

        Where the first moves are given, the sides are too.
        """
        return bool(get_variant(self.variant).named_pieces) and not self.given_moves

    @property
    def namer(self) -> int | None:
        """Return the seat whose player has named the opening pieces: the host's, or a bot's where the host has none.

        None where no pieces are named, or neither sits there (needs the players fetched).
        """
        if not self.offers_sides:
            return None
        players = list(self.players.all())
        hosts = [player.seat for player in players if player.user_id is not None and player.user_id == self.creator_id]
        return next(iter(hosts or [player.seat for player in players if player.bot]), None)

    @property
    def is_advised(self) -> bool:
        """Whether its players may ask an engine for good moves."""
        return self.allows_hints and self.allows_advice

    @property
    def absent_bot(self) -> str:
        """Return the stored name of the bot that takes missed turns, empty where none does: between two players."""
        return self.stand_in if get_variant(self.variant).seats > 2 else ""

    @property
    def time_control(self) -> TimeControl:
        """Return what was agreed about time."""
        return TimeControl(self.time_initial, self.time_increment, self.time_cap, self.rests_weekends)

    @property
    def asked_pause(self) -> PauseRequest | None:
        """Return the request for a pause to which not all have agreed yet."""
        if not self.pause_request:
            return None
        version, asked_at, *seats = self.pause_request
        return PauseRequest(version, datetime.fromisoformat(asked_at), tuple(seats))

    @property
    def asked_takeback(self) -> TakebackRequest | None:
        """Return the request for moves to be taken back to which not all have agreed yet."""
        if not self.takeback_request:
            return None
        version, asked_at, back_to, *seats = self.takeback_request
        return TakebackRequest(version, datetime.fromisoformat(asked_at), back_to, tuple(seats))

    @property
    def paused_since(self) -> datetime | None:
        """Return when the pause began that people have agreed on and that still lasts."""
        last: list[Any] = self.pauses[-1] if self.pauses else [0, None, None]
        return datetime.fromisoformat(last[1]) if last[1] and not last[2] else None

    @property
    def pause_spans(self) -> tuple[Still, ...]:
        """Return when clocks stood still because people had agreed on it; the present pause up to its latest end."""
        spans = ((datetime.fromisoformat(begin), end) for _version, begin, end in self.pauses)
        return tuple((begin, datetime.fromisoformat(end) if end else begin + LONGEST_PAUSE) for begin, end in spans)

    @property
    def days_given(self) -> tuple[GivenDay, ...]:
        """Return the days that players have given each other, from the oldest to the latest."""
        return tuple(
            GivenDay(version, number, giver, seat, datetime.fromisoformat(at), move)
            for version, number, giver, seat, at, move in self.given_days
        )

    @property
    def days_now(self) -> tuple[GivenDay, ...]:
        """Return the days that were given for the turn that is due."""
        if self.turn_seat is None or self.turn_since is None or not self.given_days:
            return ()
        return days_of_turn(self.days_given, self.turn_seat, self.turn_since)

    def begin_pause(self, now: datetime, version: int) -> None:
        """Note that the pause begins that was asked for, with that version of the game; not saved."""
        self.pauses = [*self.pauses, [self.pause_request[0], now.isoformat(), None]]
        self.pause_request, self.pause_version = [], version

    def end_pause(self, now: datetime, version: int) -> None:
        """Note that the present pause is over, if there is one, with that version of the game; not saved.

        A request for another one goes too.
        """
        self.pause_request = []
        if self.paused_since is not None:
            request, begin, _end = self.pauses[-1]
            # Another server's clock may have been ahead: no pause ends before it began.
            end = max(now, datetime.fromisoformat(begin))
            self.pauses = [*self.pauses[:-1], [request, begin, end.isoformat()]]
            self.pause_version = version
