"""A player: the person or bot that sits, or may sit, in one seat of a game."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models

from games.clock import Rest, RestFact, Still, TimeControl
from games.models.game import Game
from games.values import Access, Occupant, Reason, SeatResult

#: How many turns in a row a player misses before they count as away; from then on a bot takes their turns at once.
AWAY_AFTER = 2

#: What is noted of a player without any: the zone, and from which to which minute.
NO_QUIET_HOURS: Sequence[Any] = ("UTC", 0, 0)

#: The seats of people that lists of finished games show, and the order of these lists.
ENDED = models.Q(ended_at__isnull=False, user__isnull=False)
LATEST = ("-ended_at", "-game")
GOING = models.Q(is_going=True)
OPENED = models.Q(opening__isnull=False)


class Player(models.Model):
    """One seat of one game: empty, or taken by a user or by a bot.

    `seat` counts from 0 as the rules count seats; its colours follow from the game's variant and chosen colours.
    `clock` is the time in whole seconds left when the seat's next turn begins; null means unlimited, as a bot's always
    is. A seat that retired keeps its user and its reason.
    """

    # No index of its own: the two unique constraints begin with it.
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="players", db_index=False)
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )
    access = models.CharField(max_length=5, choices=Access.choices, default=Access.OPEN)
    invitee = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations"
    )
    # The stored name of a bot of games.roster, and the seed that makes its choices repeatable.
    bot = models.CharField(max_length=20, blank=True)
    bot_seed = models.BigIntegerField(default=0)
    # The key of the named opening that the bot was told to begin with, empty for any.
    bot_opening = models.CharField(max_length=20, blank=True, default="", db_default="")
    # How many games the bot was told to simulate before each move, null for as many as its level does.
    bot_simulations = models.PositiveIntegerField(null=True, blank=True)
    # Instead of that number: for how many seconds of CPU time it was told to simulate games, null for no such limit.
    bot_seconds = models.PositiveSmallIntegerField(null=True, blank=True)
    # Somebody at the device of the person who opened the table, perhaps that person, and what they are called there,
    # empty for "Player 2". All but one have no account.
    is_local = models.BooleanField(default=False, db_default=False)
    local_name = models.CharField(max_length=20, blank=True, default="", db_default="")
    joined_at = models.DateTimeField(null=True, blank=True)
    # When this player's pages last said that they look at this game: no turn e-mail goes to who is looking.
    seen_at = models.DateTimeField(null=True, blank=True)
    # When this player last opened the game after it had been put away (`games.queries.people.put_away`).
    reopened_at = models.DateTimeField(null=True, blank=True)

    # After how many moves this player was last shown what had happened while they were away
    # (`games.pages.play.recent`), 0 for never.
    caught_up = models.PositiveSmallIntegerField(default=0, db_default=0)

    # How many lines that others have said at the table this player has not read, null for none.
    unread_messages = models.PositiveIntegerField(null=True, blank=True)

    # What the player's quiet hours were, from the oldest to the latest: each the moment after which a turn has to begin
    # for them to count (null for the first turn too), the time zone, and from which to which minute of the day. With
    # the moves, these facts say when clocks ran.
    quiet_hours = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)

    # The holidays of the player that count in this game, from the oldest to the latest: the version from which on each
    # counts, when it begins and when it is over. With the moves, these facts say when clocks ran.
    holidays = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)

    # What the player has planned for the next turns (`games.base.plans.TurnPlan`), empty for nothing: no one else is to
    # learn of it. It stands here and not in a table of its own because every move asks whether the next player has one.
    plan = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()), blank=True)
    # Whether the turn that is due is planned: the sweep finds it by that. No part of the cache: moves do not say it.
    is_planning = models.BooleanField(default=False, db_default=False)

    # Cache, rebuilt with the game's.
    clock = models.PositiveIntegerField(null=True, blank=True)
    # How many turns in a row a bot has taken for this player.
    missed = models.PositiveSmallIntegerField(default=0, db_default=0)
    retired = models.CharField(max_length=12, choices=Reason.choices, blank=True)
    score = models.SmallIntegerField(null=True, blank=True)
    is_winner = models.BooleanField(default=False)

    # Facts of the game, kept here too so that one index finds a person's games by them (cache as well).
    # Whether the table waits for players or the game is running, whether or not this seat has retired.
    is_going = models.BooleanField(default=True, db_default=True)
    # The rest is set once the game is finished: when, how, in which variant (no size, no seed), and who may see it.
    ended_at = models.DateTimeField(null=True, blank=True)
    result = models.CharField(max_length=4, choices=SeatResult.choices, blank=True, default="", db_default="")
    # Its place from 1: equal scores share one, and who has left comes after all others.
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    variant = models.CharField(max_length=20, blank=True, default="", db_default="")
    is_public = models.BooleanField(default=False, db_default=False)
    # The key of the named opening that one of its colours followed (`games.lines`), null without one.
    opening = models.CharField(max_length=20, null=True, blank=True)  # noqa: DJ001  (null: indexed only where there)

    class Meta:
        ordering = ["seat"]
        indexes = [
            models.Index(fields=["user"], condition=GOING & models.Q(user__isnull=False), name="player_going"),
            models.Index(fields=["invitee"], condition=GOING & models.Q(invitee__isnull=False), name="player_invited"),
            models.Index(fields=["user", *LATEST], condition=ENDED, name="player_ended"),
            models.Index(fields=["user", "result", *LATEST], condition=ENDED, name="player_result"),
            models.Index(fields=["user", "variant", *LATEST], condition=ENDED, name="player_variant"),
            models.Index(fields=["user", "place", *LATEST], condition=ENDED, name="player_place"),
            models.Index(fields=["user", "variant", "place", *LATEST], condition=ENDED, name="player_variant_place"),
            models.Index(fields=["user", *LATEST], condition=ENDED & models.Q(is_public=True), name="player_public"),
            models.Index(fields=["user", "opening", *LATEST], condition=ENDED & OPENED, name="player_opening"),
            models.Index(
                fields=["opening", *LATEST],
                condition=ENDED & OPENED & models.Q(is_public=True),
                name="player_opened_so",
            ),
            models.Index(
                fields=["user", "game"], condition=models.Q(unread_messages__isnull=False), name="player_unread"
            ),
            models.Index(fields=["user", "game"], condition=ENDED & models.Q(is_public=False), name="player_private"),
            models.Index(fields=["game"], condition=models.Q(is_planning=True), name="player_planning"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["game", "seat"], name="player_one_a_seat"),
            models.UniqueConstraint(fields=["game", "user"], name="player_one_seat_a_user"),
            models.CheckConstraint(condition=models.Q(user=None) | models.Q(bot=""), name="player_user_or_bot"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat}"

    def rest_facts(self, control: TimeControl) -> tuple[RestFact, ...]:
        """Return when this player's clock stands still in a game with that control; nothing where none does."""
        if not control.allows_rests or self.bot:
            return ()
        facts: Sequence[Sequence[Any]] = [(None, *NO_QUIET_HOURS), *self.quiet_hours]
        return tuple(
            RestFact(at and datetime.fromisoformat(at), Rest(zone, begins, ends, control.rests_weekends))
            for at, zone, begins, ends in facts
        )

    @property
    def holiday_spans(self) -> tuple[Still, ...]:
        """Return when the player's clock stands still because they have taken holidays."""
        spans = ((begin, end) for _version, begin, end in self.holidays)
        return tuple((datetime.fromisoformat(begin), datetime.fromisoformat(end)) for begin, end in spans)

    def stills(self, game: Game) -> tuple[Still, ...]:
        """Return when the player's clock stands still in holidays and in pauses of the game, in order."""
        return tuple(sorted((*game.pause_spans, *self.holiday_spans)))

    def note_holiday(self, version: int, begins: datetime, ends: datetime) -> None:
        """Note that a holiday counts in the game, with that version of it; not saved."""
        self.holidays = [*self.holidays, [version, begins.isoformat(), ends.isoformat()]]

    def note_quiet_hours(self, at: datetime | None, turn_since: datetime | None = None) -> bool:
        """Note the quiet hours that the player's account has now, for turns that begin after `at`; not saved.

        Return whether anything has changed. What was noted since the present turn began has not counted for any.
        """
        if self.user is None:
            return False
        before: list[Any] = self.quiet_hours
        counted = [fact for fact in before if fact[0] is None or _is_before(fact[0], turn_since)]
        hours = [self.user.time_zone or "UTC", *self.user.quiet_minutes]
        is_new = hours != list(counted[-1][1:] if counted else NO_QUIET_HOURS)
        self.quiet_hours = [*counted, [at and at.isoformat(), *hours]] if is_new else counted
        return bool(self.quiet_hours != before)

    @property
    def is_taken(self) -> bool:
        """Whether somebody sits here: a person with an account or without, or a bot."""
        return self.user_id is not None or bool(self.bot) or self.is_local

    @property
    def is_away(self) -> bool:
        """Whether a bot takes the player's turns without waiting."""
        return self.missed >= AWAY_AFTER

    @property
    def occupant(self) -> Occupant:
        """Return who sits here or is invited (no query where `user` and `invitee` are fetched)."""
        if self.bot:
            return Occupant(bot=self.bot)
        if self.is_local:
            return Occupant(username=self.local_name, device_number=self.seat + 1)
        if self.user:
            return Occupant.of(self.user)
        if self.invitee:
            return Occupant.invited(self.invitee)
        return Occupant()


def _is_before(at: str, since: datetime | None) -> bool:
    return since is not None and datetime.fromisoformat(at) < since
