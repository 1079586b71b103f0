"""What the steps of the features share: a table of play, and what the last attempt came to."""

from dataclasses import dataclass, field

from games.rules import IllegalPlacement, Placement, Position


@dataclass
class Table:
    """A position that steps build, play on and ask about.

    The table is first laid with `placed`; the first attempt sets the position up with the acting
    colour to play.
    """

    variant: str = "blockyou-4"
    placed: list[tuple[str, Placement]] = field(default_factory=list)
    refusal: IllegalPlacement | None = None
    before: Position = field(init=False, repr=False)
    tried: Placement = field(init=False, repr=False)
    _position: Position | None = None

    @property
    def position(self) -> Position:
        return self.now()

    @position.setter
    def position(self, position: Position) -> None:
        self._position = position

    def parse(self, text: str) -> Placement:
        return Placement.parse(text, self.variant)

    def lay(self, colour: str, text: str) -> None:
        self.placed.append((colour, self.parse(text)))

    def now(self, to_play: str | None = None) -> Position:
        """Return the position, set up on the first call."""
        if self._position is None:
            self._position = Position.setup(self.variant, self.placed, to_play)
        return self._position

    def attempt(self, colour: str, text: str) -> None:
        """Let a colour try to place something, and keep what the rules say to it."""
        self.before, self.refusal, self.tried = self.now(colour), None, self.parse(text)
        try:
            self.before.check(self.tried, colour)
        except IllegalPlacement as refusal:
            self.refusal = refusal

    def place(self, colour: str, text: str) -> None:
        """Let a colour place something that has to be legal."""
        self.attempt(colour, text)
        assert self.refusal is None, self.refusal
        assert self.tried in self.before.legal_placements()
        self.position = self.before.play(self.tried)


def cells(position: Position, names: str) -> tuple[int, ...]:
    """Return the indices of cells listed as `a1, b1 and c1`."""
    listed = names.replace(" and ", ", ").replace(" or ", ", ").split(", ")
    return tuple(position.variant.cell_index(name) for name in listed)


def everything(position: Position) -> tuple[object, ...]:
    """Return all that can be asked of a position, to compare before and after."""
    legal = tuple(position.legal_ids(colour) for colour in position.colours_in_play)
    stocks = tuple(position.stock(colour) for colour in position.colours_in_play)
    return position.board, position.colour, position.move_count, position.is_over, legal, stocks
