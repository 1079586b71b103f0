"""The service layer against a model of a table that fits on a page.

Hypothesis opens a table and lets people do anything at any time. The model says what must come of it: which error, or
which new state. Whatever is refused leaves every row as it was. `MODEL` in the environment multiplies the examples.
"""

import itertools
import os
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from accounts.models import User
from games.actions.moves.come_back import come_back
from games.actions.moves.pass_turn import pass_turn
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.pauses.agree_to_pause import agree_to_pause
from games.actions.pauses.ask_for_pause import ask_for_pause
from games.actions.pauses.drop_pause_request import drop_pause_request
from games.actions.pauses.end_pause import end_pause
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.choose_seat import choose_seat
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.audit import checks
from games.base.access import Actor, BotSeat
from games.clock import TimeControl
from games.errors import GameError, NotFound, NotSeated, NotYourTurn, Refused, SeatTaken, StaleGame, WrongStatus
from games.models import Game, Move, Player, Tally
from games.rules import Placement, Position, get_variant
from games.table.lifecycle import Outcome
from tests.games.tables import LINK, ME, NOON, OPEN, bot, change, invited, key, open_table
from tests.proof import proof

SCALE = int(os.environ.get("MODEL", "1"))
ALICE, BOB, CAROL, DAVE = PEOPLE = range(4)
BOT = -1

_count = itertools.count()

people = st.sampled_from(PEOPLE)
colours = st.sampled_from(["blue", "yellow", "red", "green"])
fresh_or_stale = st.sampled_from([0, 0, 0, 0, 0, 1])
Error = type[GameError] | None


class TableMachine(RuleBasedStateMachine):
    """One table. `sits[seat]` is who sits there (None: nobody), `kinds[seat]` whom it is meant for.

    `colours[seat]` are those of the seat.
    """

    @initialize(
        kinds=st.lists(st.sampled_from(["open", "open", "link", "bob", "bot"]), min_size=1, max_size=3),
        declares=st.booleans(),
        is_timed=st.booleans(),
        is_public=st.sampled_from([True, True, False]),
        is_filled=st.sampled_from([True] * 7 + [False]),
        has_stand_in=st.booleans(),
        lets_choose=st.booleans(),
        chosen=st.permutations(range(3)),
    )
    def open(
        self,
        kinds: list[str],
        declares: bool,
        is_timed: bool,
        is_public: bool,
        is_filled: bool,
        has_stand_in: bool,
        lets_choose: bool,
        chosen: list[int],
    ) -> None:
        names = [f"{name}{next(_count)}" for name in ("alice", "bob", "carol", "dave")]
        self.users = [User.objects.create(username=name) for name in names]
        if kinds.count("bob") > 1:
            kinds = [
                kind if number == kinds.index("bob") else kind.replace("bob", "open")
                for number, kind in enumerate(kinds)
            ]
        # Beside bots alone nobody chooses, and the seats are drawn, which no model can know.
        lets_choose = lets_choose and set(kinds) != {"bot"}
        seats = {"open": OPEN, "link": LINK, "bob": invited(names[BOB]), "bot": bot()}
        time = TimeControl.days_a_move(1 if is_timed else None)
        game = open_table(
            self.users[ALICE],
            ME,
            *map(seats.__getitem__, kinds),
            declares_passes=declares,
            is_public=is_public,
            time=time,
            stand_in="greedy" if has_stand_in else "",
            lets_choose=lets_choose,
        )
        self.pk, self.slug, self.token = game.pk, game.slug, game.invite_token
        self.kinds = ["me", *kinds]
        self.sits: list[int | None] = [ALICE, *[BOT if kind == "bot" else None for kind in kinds]]
        self.is_public, self.declares, self.is_timed = is_public, declares, is_timed
        self.status, self.version, self.now = "open", 1, NOON
        self.lets_choose = lets_choose
        self.position = Position.start(f"blockyou-{len(self.kinds)}")
        self.colours = list(self.position.seats)
        self.since = NOON
        self.has_stand_in = has_stand_in and len(self.kinds) > 2
        self.missed = [0] * len(self.kinds)
        self.moved: set[int] = set()
        self.wants: list[int] = []
        self.request, self.pause_version, self.is_paused = 0, 0, False
        self.pauses: list[list[datetime]] = []
        self.last: Callable[[], Outcome] | None = None
        self.last_answer = (0, 0)
        self._start_if_full()
        for number, user in enumerate((BOB, CAROL, DAVE)) if is_filled else ():
            if self.status == "open":
                # In a different order, so that most games begin with seats that were chosen.
                wanted = self.colours[chosen[number] % len(kinds) + 1][0] if lets_choose else ""
                # What Alice has is asked for first, and again by those who sit.
                self.join(user, has_token=True, seat=None, colour=self._taken_by_alice())
                self.join(user, has_token=True, seat=None, colour=wanted)
                self.join(user, has_token=True, seat=None, colour="")
                self.choose(user, self._taken_by_alice())

    def _taken_by_alice(self) -> str:
        return self.colours[self.sits.index(ALICE)][0]

    # What the model knows

    def _start_if_full(self) -> None:
        if None not in self.sits:
            self.status, self.since = "running", self.now

    def _may_view(self, user: int, has_token: bool = False) -> bool:
        is_invited = user == BOB and "bob" in self.kinds
        return self.is_public or has_token or user == ALICE or user in self.sits or is_invited

    def _entry(self, user: int) -> Error:
        """Return why this person does not get as far as their seat."""
        if not self._may_view(user):
            return NotFound
        return None if user in self.sits else NotSeated

    def _can_move(self, user: int, stale: int) -> Error:
        if error := self._entry(user):
            return error
        if stale:
            return StaleGame
        if self.status != "running":
            return WrongStatus
        if self.sits[self.position.seat or 0] != user:
            return NotYourTurn
        return WrongStatus if self.is_paused else None

    def _can_pause(self, user: int) -> Error:
        if error := self._entry(user):
            return error
        if self.sits.index(user) in self.position.retired:
            return NotSeated
        return None if self.status == "running" else WrongStatus

    def _is_away(self, seat: int) -> bool:
        return self.missed[seat] >= 2

    def _is_waited_for(self) -> bool:
        """Whether time runs: a person is to play, who is not away, and another person still plays."""
        seat = self.position.seat
        if seat is None or not self.is_timed or self.sits[seat] == BOT or self._is_away(seat) or self.is_paused:
            return False
        return sum(who != BOT and at not in self.position.retired for at, who in enumerate(self.sits)) > 1

    def _is_late(self) -> bool:
        return self._is_waited_for() and self.now >= self._deadline()

    def _deadline(self) -> datetime:
        """Return when a day has passed since the turn began in which the game was not paused."""
        ends = self.since + timedelta(days=1)
        for begin, end in self.pauses:
            still = max(begin, self.since)
            ends += max(end - still, timedelta()) if still < ends else timedelta()
        return ends

    def _settle(self) -> None:
        """Let a pause begin to which all agree who are there, or end it, and a request for one, without people."""
        people = [at for at, who in enumerate(self.sits) if who != BOT and at not in self.position.retired]
        if self.position.is_over or not people:
            self._end_pause()
        elif self.wants and self.wants[0] not in people:
            self.wants = []
        elif self.wants and all(at in self.wants or self._is_away(at) for at in people):
            self.wants, self.is_paused, self.pause_version = [], True, self.version
            self.began = self.now

    def _end_pause(self) -> None:
        self.wants = []
        if self.is_paused:
            self.pauses.append([self.began, self.now])
            self.is_paused, self.pause_version = False, self.version

    def _moved(self, after: Position, is_turn_over: bool = True) -> None:
        """Go on as the rules of the table say: blocked colours pass, the last pass ends the game."""
        self.version += 1
        if is_turn_over:
            self.since = self.now
        while not after.is_over and not after.has_legal():
            if self.declares and any(map(after.has_legal, after.colours_in_play)):
                break
            after = after.pass_turn()
        self.position = after
        self.status = "finished" if after.is_over else "running"
        self._settle()

    # How the model and the application are compared

    def _rows(self) -> list[object]:
        return [list(model.objects.filter(**{field: self.pk}).order_by("pk").values_list()) for model, field in TABLES]

    def _expect(self, call: Callable[[], object], error: Error) -> object:
        if error is None:
            return call()
        before = self._rows()
        with pytest.raises(error):
            call()
        assert self._rows() == before
        return None

    def _ask(self, call: Callable[[], Outcome], error: Error) -> bool:
        """Ask for a turn; return whether it was taken. It may be asked for again later."""
        outcome = self._expect(call, error)
        if isinstance(outcome, Outcome):
            self.last, self.last_answer = call, (outcome.number, outcome.version)
        return error is None

    # What people do

    @rule(
        user=people,
        has_token=st.booleans(),
        seat=st.sampled_from([None, None, 0, 1, 2, 3]),
        colour=st.one_of(st.just(""), colours),
    )
    def join(self, user: int, has_token: bool, seat: int | None, colour: str) -> None:
        error, choice = self._joining(user, has_token, seat, colour)
        token, person = self.token if has_token else "", self.users[user]
        self._expect(lambda: join_game(person, self.slug, seat=seat, colour=colour, token=token, now=self.now), error)
        if choice is not None:
            self._give(choice, colour)
            given = self._seat_of(colour) if colour else None
            self.sits[choice if given is None else given] = user
            self.version += 1
            self._start_if_full()

    def _seat_of(self, colour: str) -> int | None:
        return next((seat for seat, own in enumerate(self.colours) if colour in own), None)

    def _is_given(self, seat: int, colour: str) -> bool:
        """Whether another player than the one in this seat has the colour."""
        other = self._seat_of(colour)
        return other not in (None, seat) and self.sits[other or 0] is not None

    def _give(self, seat: int, colour: str) -> None:
        """Give the one in this seat the seat of a colour, or, where no seat has it, the colour."""
        other = self._seat_of(colour) if colour else seat
        if other is None:
            self.colours[seat] = (colour,)
            self.position = Position.start("blockyou-3", [own for (own,) in self.colours])
            return
        self.sits[seat], self.sits[other] = self.sits[other], self.sits[seat]
        self.kinds[seat], self.kinds[other] = self.kinds[other], self.kinds[seat]

    @rule(user=people, colour=colours)
    def choose(self, user: int, colour: str) -> None:
        """Choose another seat, and so other colours."""
        error = self._entry(user)
        if error is None and (not self.lets_choose or self.status != "open"):
            error = WrongStatus
        seat = self.sits.index(user) if user in self.sits else 0
        if error is None and self._is_given(seat, colour):
            error = SeatTaken
        self._expect(lambda: choose_seat(self.users[user], self.slug, colour=colour, now=self.now), error)
        if error is None and colour not in self.colours[seat]:
            self._give(seat, colour)
            self.version += 1

    def _joining(self, user: int, has_token: bool, seat: int | None, colour: str) -> tuple[Error, int | None]:
        if not self._may_view(user, has_token):
            return NotFound, None
        if user in self.sits:
            return None, None
        if self.status != "open":
            return WrongStatus, None
        open_to = {"open": has_token or self.is_public, "link": has_token, "bob": user == BOB}
        free = [s for s, kind in enumerate(self.kinds) if self.sits[s] is None and open_to.get(kind)]
        kept = [s for s in free if self.kinds[s] == "bob"]
        found = [s for s in kept or free if seat in (None, s)]
        if colour and not self.lets_choose:
            found = [s for s in found if colour in self.colours[s]]
        if not found:
            return SeatTaken, None
        choice = min(found, key=lambda s: (self.kinds[s] != "link", s))
        return (SeatTaken, None) if colour and self._is_given(choice, colour) else (None, choice)

    @rule(user=people)
    def leave(self, user: int) -> None:
        error: Error = None
        if not self._may_view(user):
            error = NotFound
        elif user in self.sits and self.status != "open":
            error = WrongStatus
        elif user == ALICE and user in self.sits:
            error = NotSeated
        self._expect(lambda: leave_game(self.users[user], self.slug), error)
        if error is None and user in self.sits:
            self._empty(self.sits.index(user))

    @rule(user=people)
    def decline(self, user: int) -> None:
        is_kept = user == BOB and "bob" in self.kinds and self.sits[self.kinds.index("bob")] is None
        error: Error = None if is_kept else NotSeated
        if not self._may_view(user):
            error = NotFound
        elif self.status != "open":
            error = WrongStatus
        self._expect(lambda: decline_invitation(self.users[user], self.slug), error)
        if error is None:
            self._empty(self.kinds.index("bob"))

    def _empty(self, seat: int) -> None:
        self.sits[seat], self.version = None, self.version + 1
        if self.kinds[seat] == "bob":
            self.kinds[seat] = "open"

    @rule(user=people, is_sure=st.sampled_from([False] * 19 + [True]))
    def cancel(self, user: int, is_sure: bool) -> None:
        error: Error = None
        if not self._may_view(user):
            error = NotFound
        elif user != ALICE:
            error = NotSeated
        elif self.status not in ("open", "cancelled"):
            error = WrongStatus
        if error is None and not is_sure:
            return
        self._expect(lambda: cancel_game(self.users[user], self.slug), error)
        if error is None and self.status == "open":
            self.status, self.version = "cancelled", self.version + 1

    @rule()
    def change_something(self) -> None:
        """Change something visible that is no move: whatever is due stays so."""
        change(Game.objects.get(pk=self.pk))
        self.version += 1

    @rule(user=people, number=st.integers(0, 10**6), stale=fresh_or_stale)
    def place(self, user: int, number: int, stale: int) -> None:
        self._place(self.users[user], number, stale, self._can_move(user, stale))

    @precondition(lambda self: self.status == "running" and not self.is_paused)
    @rule(number=st.integers(0, 10**6))
    def place_in_turn(self, number: int) -> None:
        """Let whoever is to play place something, bots too."""
        seat = self.position.seat or 0
        who = self.sits[seat]
        actor: Actor = BotSeat(self.pk, seat) if who in (BOT, None) else self.users[who or 0]
        self._place(actor, number, 0, None)

    @precondition(lambda self: self.status == "running")
    @rule(number=st.integers(0, 10**6))
    def stand_in(self, number: int) -> None:
        """Let the table's bot try to take the turn that is due, for any seat."""
        seat = self.position.seat or 0
        error: Error = None
        if self.sits[seat] != BOT and not self.has_stand_in:
            error = NotFound
        elif self.is_paused:
            error = WrongStatus
        elif self.sits[seat] != BOT and not self._is_away(seat) and not self._is_late():
            error = NotYourTurn
        self._place(BotSeat(self.pk, seat), number, 0, error)

    @precondition(lambda self: self.status == "running")
    @rule(turns=st.sampled_from([2, 8, 40]), number=st.integers(0, 10**6))
    def play_on(self, turns: int, number: int) -> None:
        """Let everybody take their turns, large pieces first, so that games come to their ends."""
        for turn in range(turns):
            if self.status == "running" and not self.is_paused and self.position.has_legal():
                self.place_in_turn(number % (turn + 7))

    def _place(self, actor: Actor, number: int, stale: int, error: Error) -> None:
        legal = self.position.legal_placements()
        text = str(legal[number % len(legal)]) if legal else "1:a1"
        number, name, now = self.position.move_count + 1 - stale, key(), self.now
        if error is None and not legal:
            error = Refused
        seat = self.position.seat
        if self._ask(lambda: play_placement(actor, self.slug, placement=text, number=number, key=name, now=now), error):
            self._took_turn(seat or 0, isinstance(actor, BotSeat))
            self._moved(self.position.play(Placement.parse(text, self.position.variant)))

    def _took_turn(self, seat: int, is_bot: bool) -> None:
        self.moved.add(seat)
        if self.sits[seat] != BOT:
            self.missed[seat] = self.missed[seat] + 1 if is_bot else 0

    @rule(user=people, stale=fresh_or_stale)
    def declare(self, user: int, stale: int) -> None:
        """Try to pass."""
        error = self._can_move(user, stale)
        if error is None and self.position.has_legal():
            error = Refused
        number, name, now = self.position.move_count + 1 - stale, key(), self.now
        if self._ask(lambda: pass_turn(self.users[user], self.slug, number=number, key=name, now=now), error):
            self._took_turn(self.position.seat or 0, False)
            self._moved(self.position.pass_turn())

    @rule(user=people, is_sure=st.sampled_from([False] * 9 + [True]))
    def resign(self, user: int, is_sure: bool) -> None:
        error = self._entry(user)
        seat = self.sits.index(user) if user in self.sits else None
        if error is None and seat in self.position.retired:
            return
        if error is None and self.status != "running":
            error = WrongStatus
        if error is None and not is_sure:
            return
        name, now = key(), self.now
        if self._ask(lambda: resign(self.users[user], self.slug, key=name, now=now), error) and seat is not None:
            self._moved(self.position.retire(seat), is_turn_over=seat == self.position.seat)

    @rule(hours=st.integers(1, 30))
    def wait(self, hours: int) -> None:
        self.now += timedelta(hours=hours)

    @rule(stale=fresh_or_stale)
    def time_out(self, stale: int) -> None:
        """Let the site look whether the time is up, as the sweep does."""
        before, number = self._rows(), self.position.move_count + 1 - stale
        outcome = time_out(self.slug, number=number, now=self.now)
        if self.status != "running" or stale or self.has_stand_in or not self._is_late():
            assert outcome is None
            assert self._rows() == before
            return
        is_void = len(self.sits) == 2 and len(self.moved) < 2
        self._moved(self.position.retire(self.position.seat or 0))
        if is_void:
            self.status = "cancelled"

    @rule(user=people)
    def come_back(self, user: int) -> None:
        error = self._entry(user)
        if error is None and self.status != "running":
            error = WrongStatus
        seat = self.sits.index(user) if user in self.sits else 0
        if error is None and seat in self.position.retired:
            error = NotSeated
        self._expect(lambda: come_back(self.users[user], self.slug, now=self.now), error)
        if error is None and self._is_away(seat):
            self.missed[seat], self.version = 0, self.version + 1
            self.since = self.now if seat == self.position.seat else self.since

    @rule(user=people, stale=fresh_or_stale)
    def ask_for_pause(self, user: int, stale: int) -> None:
        """Ask for a pause, or agree by asking too."""
        error, version = self._can_pause(user), self.pause_version + stale
        if error is None and stale and not self.is_paused:
            error = StaleGame
        self._expect(lambda: ask_for_pause(self.users[user], self.slug, pause_version=version, now=self.now), error)
        if error is None and not self.is_paused:
            self._want(self.sits.index(user))

    @precondition(lambda self: self.wants)
    @rule(user=people, stale=fresh_or_stale)
    def agree_to_pause(self, user: int, stale: int) -> None:
        error, request = self._can_pause(user), self.request + stale
        if error is None and stale:
            error = StaleGame
        self._expect(lambda: agree_to_pause(self.users[user], self.slug, request=request, now=self.now), error)
        if error is None:
            self._want(self.sits.index(user))

    def _want(self, seat: int) -> None:
        if seat not in self.wants:
            self.version += 1
            self.request = self.request if self.wants else self.version
            self.wants.append(seat)
            self._settle()

    @rule(user=people, stale=fresh_or_stale)
    def drop_pause_request(self, user: int, stale: int) -> None:
        error, request = self._can_pause(user), self.request + stale
        if error is None and stale and self.wants:
            error = StaleGame
        self._expect(lambda: drop_pause_request(self.users[user], self.slug, request=request, now=self.now), error)
        if error is None and self.wants:
            self.wants, self.version = [], self.version + 1

    @rule(user=people, stale=fresh_or_stale)
    def end_pause(self, user: int, stale: int) -> None:
        error, version = self._can_pause(user), self.pause_version + stale
        if error is None and stale and self.is_paused:
            error = StaleGame
        self._expect(lambda: end_pause(self.users[user], self.slug, pause_version=version, now=self.now), error)
        if error is None and self.is_paused:
            self.version += 1
            self._end_pause()

    @precondition(lambda self: self.status == "running")
    @rule(hours=st.integers(1, 30))
    def stand_still(self, hours: int) -> None:
        """Let all who can ask for a pause, then some time go by, so that deadlines are put off."""
        for user in [who for who in self.sits if who not in (None, BOT)]:
            self.ask_for_pause(user, 0)
        self.wait(hours)
        self.end_pause(ALICE, 0)

    @rule()
    def ask_again(self) -> None:
        """Send the last request that was taken once more, however long ago that was."""
        if self.last is None:
            return
        before = self._rows()
        again = self.last()
        assert (again.number, again.version, again.is_repeat) == (*self.last_answer, True)
        assert self._rows() == before

    @invariant()
    def is_as_the_model_says(self) -> None:
        game = Game.objects.get(pk=self.pk)
        assert (game.status, game.version) == (self.status, self.version)
        users = {user.pk: number for number, user in enumerate(self.users)}
        sits = [BOT if seat.bot else users.get(seat.user_id or 0) for seat in Player.objects.filter(game=game)]
        assert sits == self.sits
        assert list(get_variant(game.variant).seat_colours(game.colours or None)) == self.colours
        self._compare_facts(game)
        if self.status in ("running", "finished"):
            self._compare_play(game)

    def _compare_facts(self, game: Game) -> None:
        """Compare what lists and jobs find games by."""
        position, is_over = self.position, self.status == "finished"
        on_turn = self.sits[position.seat or 0] if self.status == "running" else None
        is_away = on_turn is not None and self._is_away(position.seat or 0)
        turn_user = None if on_turn in (None, BOT) or is_away or self.is_paused else self.users[on_turn or 0].pk
        is_bots = (on_turn == BOT or is_away) and not self.is_paused
        asked = game.asked_pause
        wanted = (asked.version, list(asked.seats)) if asked else (0, [])
        assert wanted == (self.request if self.wants else 0, self.wants)
        assert (game.is_paused, game.pause_version) == (self.is_paused, self.pause_version)
        assert (game.turn_user_id, game.is_bot_due, game.is_of_bots) == (turn_user, is_bots, False)
        assert game.is_notice_due == (turn_user is not None)
        winners = position.winners()
        tie = "won" if len(winners) == 1 else "tied"
        results = [(tie if seat in winners else "lost") if is_over else "" for seat in range(len(self.sits))]
        facts = Player.objects.filter(game=game).values_list("is_going", "result", "variant", "is_public", "ended_at")
        kept = (f"blockyou-{len(self.sits)}", self.is_public, game.finished_at) if is_over else ("", False, None)
        assert list(facts) == [(self.status in ("open", "running"), result, *kept) for result in results]
        counted = {(tally.user_id, tally.result): tally.number for tally in Tally.objects.filter(user__in=self.users)}
        people = [who for who in self.sits if who not in (None, BOT)] if is_over else []
        assert counted == {(self.users[who or 0].pk, results[self.sits.index(who)]): 1 for who in people}

    def _compare_play(self, game: Game) -> None:
        position = self.position
        assert (game.board, game.move_count) == (position.board, position.move_count)
        assert (game.turn_colour or None, game.turn_seat) == (position.colour, position.seat)
        seats = list(Player.objects.filter(game=game))
        assert {seat.seat for seat in seats if seat.retired} == position.retired
        assert tuple(seat.seat for seat in seats if seat.is_winner) == position.winners()
        assert tuple(seat.score for seat in seats) == (
            position.seat_scores() if position.is_over else (None,) * len(seats)
        )
        assert [seat.missed for seat in seats] == self.missed
        assert game.deadline == (self._deadline() if self._is_waited_for() else None)

    def teardown(self) -> None:
        if getattr(self, "status", "") in ("running", "finished") or self.moved:
            assert list(checks.faults(Game.objects.get(pk=self.pk))) == []


TABLES = ((Game, "pk"), (Player, "game"), (Move, "game"))


@pytest.mark.django_db
@pytest.mark.parametrize("examples", [7, *proof(20)])
@pytest.mark.slow
def test_the_service_layer_does_what_a_simple_model_does(examples: int) -> None:
    run_state_machine_as_test(
        TableMachine,
        settings=settings(
            max_examples=examples * SCALE,
            stateful_step_count=50,
            deadline=None,
            derandomize=SCALE == 1,
            suppress_health_check=list(HealthCheck),
        ),
    )
