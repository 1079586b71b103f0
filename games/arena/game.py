"""One game between players."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.arena.errors import Failed
from games.arena.plan import Fixture
from games.arena.players import MatchPlayer
from games.bots.engines.randomly import RandomEngine
from games.rules import IllegalPlacement, Placement, Position
from games.rules.record import Record


@dataclass(frozen=True)
class Played:
    """How a game went. `seating` gives the player of each seat; `scores` and `winners` are by seat, the rest by player.

    `turns` counts the placements that a player chose, `seconds` is their CPU time and `longest` that of the dearest,
    None where it is unknown. Where `failed` names a player, that one had no lawful move to give for the reason in
    `failure`, everybody else has won, and the scores are those of the moment.
    """

    seating: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    turns: tuple[int, ...]
    seconds: tuple[float | None, ...]
    longest: tuple[float | None, ...]
    moves: tuple[str, ...]
    failed: int | None = None
    failure: str = ""


@dataclass
class _Tally:
    """What is counted of a player during a game."""

    turns: int = 0
    seconds: float | None = 0.0
    longest: float | None = 0.0

    def add(self, seconds: float | None) -> None:
        self.turns += 1
        if seconds is None or self.seconds is None or self.longest is None:
            self.seconds = self.longest = None
        else:
            self.seconds += seconds
            self.longest = max(self.longest, seconds)


@dataclass
class _Table:
    """A game while it is played."""

    fixture: Fixture
    players: Sequence[MatchPlayer]
    position: Position
    tallies: list[_Tally] = field(default_factory=list)

    def player(self) -> int:
        return self.fixture.seating[self.position.seat_of(self.position.colour or "")]

    def open(self) -> None:
        """Place what the opening draws, and announce it to every player."""
        for _ in range(self.fixture.opening):
            self._pass_blocked()
            if self.position.is_over:
                return
            drawn = RandomEngine().think(
                self.position, seed=self.fixture.opening_seed, number=self.position.move_count + 1
            )
            self._place(drawn.placement, chosen_by=None)

    def play(self) -> None:
        """Play to the end."""
        self._pass_blocked()
        while not self.position.is_over:
            who = self.player()
            choice = self.players[who].choose(self.position)
            self.tallies[who].add(choice.seconds)
            self.position.check(choice.placement)
            self._place(choice.placement, chosen_by=who)
            self._pass_blocked()

    def _place(self, placement: Placement, *, chosen_by: int | None) -> None:
        colour = self.position.colour or ""
        self.position = self.position.play(placement)
        for number, player in enumerate(self.players):
            if number != chosen_by:
                player.observe(colour, placement)

    def _pass_blocked(self) -> None:
        while not self.position.is_over and not self.position.has_legal():
            self.position = self.position.pass_turn()


def play_fixture(fixture: Fixture, players: Sequence[MatchPlayer]) -> Played:
    """Play a game to its end, or to the first move that a player cannot give.

    Raises:
        BrokenEngine: a player is of no use any more; the game does not count.

    """
    table = _Table(fixture, players, Position.start(fixture.variant), [_Tally() for _ in players])
    for player, seed in zip(players, fixture.seeds, strict=True):
        player.begin(table.position, seed)
    try:
        table.open()
        table.play()
    except (Failed, IllegalPlacement) as error:
        return _lost(table, error)
    return _played(table, table.position.winners())


def _lost(table: _Table, error: Exception) -> Played:
    who = table.player()
    failure = f"broke the rules: {error}" if isinstance(error, IllegalPlacement) else str(error)
    winners = tuple(seat for seat, player in enumerate(table.fixture.seating) if player != who)
    return _played(table, winners, who, failure)


def _played(table: _Table, winners: tuple[int, ...], failed: int | None = None, failure: str = "") -> Played:
    return Played(
        seating=table.fixture.seating,
        scores=table.position.seat_scores(),
        winners=winners,
        turns=tuple(tally.turns for tally in table.tallies),
        seconds=tuple(tally.seconds for tally in table.tallies),
        longest=tuple(tally.longest for tally in table.tallies),
        moves=Record.of(table.position).moves,
        failed=failed,
        failure=failure,
    )
