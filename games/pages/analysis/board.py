"""The analysis board of a game: a position that a person looks at, their branches, and what they may try there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.base import access
from games.base.branches import MAX_BRANCH_NAME, Branches, Tried, followed
from games.drawing import svg
from games.drawing.steps import RecentPiece, recent_pieces
from games.errors import GameError, WrongStatus
from games.pages.analysis.mistakes import ExerciseView, exercise_view
from games.pages.board.board_data import Reach, position_data, script_json, shapes_json
from games.pages.board.refusal import NoticeView, notice_view
from games.pages.board.table import PlayerView, players_at
from games.pages.board.trays import TrayView, trays
from games.queries.analysis.analyses import AnalysisPlace
from games.queries.analysis.mistakes import Exercise, exercise_at
from games.queries.play.moves import MoveRow, move_rows
from games.queries.play.players import own_side, seated_of, viewer_seat
from games.rules import Position, record
from games.table import analysing
from games.values import Status
from games.words import names, sentences

if TYPE_CHECKING:
    from games.models import Game

#: A place where nothing else is asked for: the game as it stands.
AT_PRESENT = AnalysisPlace(0, 10**6)


@dataclass(frozen=True)
class TriedView:
    """A move as a link to the place after it: its number in the game, who made it, and what.

    `piece` is the one to picture, "" for a pass. `is_played` says that the game has made it too. `told` is what is
    written to it in a study.
    """

    address: str
    number: int
    colour: str
    label: str
    said: str
    piece: str
    name: str
    is_current: bool = False
    is_played: bool = False
    told: str = ""


@dataclass(frozen=True)
class BranchView:
    """A branch in the list: a link to its end, what it is called, where it begins, and what became of it in the game.

    `is_current` says that the place shown is on it.
    """

    address: str
    name: str
    about: str
    fate: str
    is_current: bool


@dataclass(frozen=True)
class Ways:
    """Where the buttons and keys lead from here, each empty where that is nowhere."""

    first: str
    back: str
    forward: str
    last: str
    up: str
    down: str


@dataclass(frozen=True)
class HandView:
    """What may be done at a place: the pieces that may be placed, `data` as JSON for the hand; nothing after the end.

    `chosen` is the piece whose `placements` are listed, for readers without scripts.
    """

    data: str = ""
    trays: tuple[TrayView, ...] = ()
    can_place: bool = False
    can_pass: bool = False
    chosen: str = ""
    placements: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class WaysBack:
    """What leads from a branch back to the game, each empty where nothing does.

    `play` leads to the game with the piece in the hand that is due there in the branch, the move called `label`, and
    `placements` to where that piece fits; `plan` to the player's plan, with their moves of the branch that come later.
    """

    play: str = ""
    label: str = ""
    placements: str = ""
    plan: str = ""


@dataclass(frozen=True, kw_only=True)
class AnalysisPage:
    """One place on the analysis board of a game.

    Links begin with `address`, and `query` keeps the token of a link in them; `here` is the place's own. `seats` are
    the players, each with what they still hold. `shapes` is JSON for the hand. `beside` are the moves that can be
    looked at from here, where there are several ways on, `line` the branch that the place is on.
    """

    slug: str
    name: str
    address: str
    query: str
    here: str
    place: AnalysisPlace
    edition: int
    seats: tuple[tuple[PlayerView, str], ...]
    picture: svg.BoardView
    steps: tuple[RecentPiece, ...]
    icons: tuple[svg.IconView, ...]
    shapes: str
    hand: HandView
    label: str
    near: int
    has_hints: bool
    is_running: bool
    lead: str
    rest: str
    where: str
    ways: Ways
    beside: tuple[TriedView, ...]
    line: tuple[TriedView, ...]
    begins: str
    start: str
    branches: tuple[BranchView, ...]
    called: str
    back: WaysBack
    can_undo: bool
    can_redo: bool
    notice: NoticeView | None
    exercise: ExerciseView | None
    longest_name: int = MAX_BRANCH_NAME

    @property
    def compare(self) -> str:
        """Return where the branch shown is beside the game; in the game itself, where what was tried last is."""
        address, joint = reverse("game-compare", args=[self.slug]), f"{self.query}&" if self.query else "?"
        return f"{address}{joint}other={self.place.node}" if self.place.node else f"{address}{self.query}"

    @property
    def key(self) -> str:
        """Return what differs whenever there is something new to say of the place."""
        return f"{self.place.node}.{self.place.after}.{self.edition}"


def analysis_page(
    user: User,
    slug: str,
    token: str = "",
    place: AnalysisPlace = AT_PRESENT,
    *,
    piece: str = "",
    error: GameError | None = None,
) -> AnalysisPage:
    """Return the board at a place, by default where the game stands. Four queries; five once the game is over, and six
    where the reader made a mistake.

    Where the place is gone, it is the game as it stands, and the page says so. At a mistake that is to be tried again
    now, what was tried there before is left out: the answer may be among it.

    Raises:
        NotFound, WrongStatus, NotSeated: as `access.game_to_analyse`.

    """
    game = access.game_to_analyse(user, slug, token)
    played = move_rows(game)
    branches, edition = analysing.branches_beside(user, game, played)
    try:
        place = analysing.find_place(played, branches, place.node, place.after)
    except WrongStatus as gone:
        place, error = analysing.find_place(played, branches, 0, None), error or gone
    position = analysing.position_at(game, played, branches, place)
    secret = f"?token={token}" if access.holds_token(game, token) else ""
    address = reverse("game-analysis", args=[game.slug])
    seat = viewer_seat(game, user)
    players = players_at(position, seated_of(game), seat)
    is_running = game.status != Status.FINISHED
    exercise, shown = _exercise(user, game, branches, place)
    links = _Links(address, secret, played, shown, place)
    has_hints = game.allows_hints or not is_running
    reach = Reach.of(position, position.colour) if position.colour else None
    steps = branch_steps(position, links.line, place.after)
    return AnalysisPage(
        slug=game.slug,
        name=names.game_title(game, user.pk),
        address=address,
        query=secret,
        here=links.to(place),
        place=place,
        edition=edition,
        seats=tuple((player, player.state or sentences.pieces(player.pieces_left)) for player in players),
        picture=svg.board_view(position, position.colour, reach.attach if reach else None, apart=len(steps)),
        steps=steps,
        icons=tuple(svg.icons(game.variant).values()),
        shapes=shapes_json(game.variant),
        hand=hand_view(position, reach, piece),
        label=board_label(position, [one.said for one in links.moves()[: len(links.line)]]),
        near=own_side(game, user),
        has_hints=has_hints,
        is_running=is_running,
        lead=lead_text(position),
        rest=rest_text(position, players, has_hints=has_hints),
        where=links.where,
        ways=links.ways(),
        beside=links.beside(),
        line=links.moves(),
        begins=links.begins(place.after),
        start=links.stop(place.after),
        branches=links.list(),
        called=links.called,
        back=_ways_back(game, seat, links),
        can_undo=bool(branches.done),
        can_redo=bool(branches.undone),
        notice=notice_view(error, game.variant) if error else None,
        exercise=_exercise_view(exercise, game, links, hides=shown.tried != branches.tried)
        if exercise and not error
        else None,
    )


def hand_view(position: Position, reach: Reach | None, piece: str) -> HandView:
    """Return what the colour to play may do, with the places where a piece fits if one is asked for."""
    if position.colour is None or reach is None:
        return HandView()
    can_place = position.has_legal()
    places = sentences.placement_choices(position.legal_placements() if piece else (), piece)
    return HandView(
        data=script_json(position_data(position, {position.colour: reach})),
        trays=trays(position, (position.colour,)),
        can_place=can_place,
        can_pass=not can_place,
        chosen=piece if places else "",
        placements=places,
    )


def _ways_back(game: "Game", seat: int | None, links: "_Links") -> WaysBack:
    """Return what leads back to a game that goes on, for the player in a seat."""
    if seat is None or game.status == Status.FINISHED:
        return WaysBack()
    is_my_turn, coming = seat == game.turn_seat, analysing.seats_coming(game, links.played, links.line)
    is_planned = any(who == seat for who, _one in coming[is_my_turn:])
    plan = f"{reverse('game-plan', args=[game.slug])}?node={links.place.node}" if is_planned else ""
    due = coming[0][1] if coming and is_my_turn and not game.is_paused else None
    if due is None or not tried_piece(due):
        return WaysBack(plan=plan)
    return WaysBack(
        play=f"{reverse('game', args=[game.slug])}?hold={due.move}",
        label=tried_label(due),
        placements=f"{reverse('game-placements', args=[game.slug])}?piece={tried_piece(due)}",
        plan=plan,
    )


def _exercise(user: User, game: "Game", branches: Branches, place: AnalysisPlace) -> tuple[Exercise | None, Branches]:
    """Return what the reader may try again at a place, once the game is over, and the branches that are shown there."""
    found = exercise_at(user, game, place.after) if game.status == Status.FINISHED else None
    is_asked = found is not None and not place.node and found.mistake.is_due(timezone.now())
    return found, branches.without_those_after(place.after) if is_asked else branches


def _exercise_view(found: Exercise, game: "Game", links: "_Links", *, hides: bool) -> ExerciseView:
    return exercise_view(found, links.line[0] if links.line else None, game, hides=hides)


class _Links:
    """The places of one analysis as links, seen from the place shown."""

    def __init__(
        self, address: str, secret: str, played: Sequence[MoveRow], branches: Branches, place: AnalysisPlace
    ) -> None:
        self.address, self.joint = address, f"{secret}&" if secret else "?"
        self.played, self.branches, self.place = played, branches, place
        self.line = branches.line(place.node)
        self.stops = analysing.stops_of(played)
        self.texts = {stop: analysing.texts_after(played, stop) for stop in {one.after for one in branches.ends()}}

    def to(self, place: AnalysisPlace) -> str:
        """Return the address of a place."""
        wanted = f"node={place.node}" if place.node else f"move={place.after}"
        return f"{self.address}{self.joint}{wanted}"

    def at(self, one: Tried) -> str:
        """Return the address of a tried move."""
        return self.to(AnalysisPlace(one.number, one.after))

    def stop(self, after: int) -> str:
        """Return the address of the game after so many moves."""
        return self.to(AnalysisPlace(0, after))

    @property
    def called(self) -> str:
        """Return the name of the branch that begins with the move shown, if it has one."""
        return self.line[-1].name if self.line else ""

    @property
    def where(self) -> str:
        """Return where the place is, in words."""
        if not self.line:
            return self.begins(self.place.after)
        count = len(self.line)
        said = ngettext(
            "branch after move %(number)d · %(n)d move", "branch after move %(number)d · %(n)d moves", count
        )
        return said % {"n": count, "number": self.place.after}

    def begins(self, after: int) -> str:
        """Return the name of a place in the game."""
        if after == 0:
            return gettext("the beginning of the game")
        if after == len(self.played):
            return gettext("the game now, after move %(number)d") % {"number": after}
        return gettext("the game after move %(number)d") % {"number": after}

    def ways(self) -> Ways:
        """Return where the buttons lead."""
        back, forward = self._along()
        up, down = self._across()
        is_last = not self.line and self.place.after == len(self.played)
        return Ways(
            first=self.stop(0) if self.line or self.place.after else "",
            back=back,
            forward=forward,
            last="" if is_last else self.stop(len(self.played)),
            up=up,
            down=down,
        )

    def _along(self) -> tuple[str, str]:
        """Return the places before and after this one: on the branch, or in the game and then on what was tried."""
        onward = [self.at(one) for one in self.branches.following(*self.place)[:1]]
        if self.line:
            back = self.at(self.line[-2]) if len(self.line) > 1 else self.stop(self.place.after)
            return back, "".join(onward)
        before = [self.stop(stop) for stop in self.stops if stop < self.place.after]
        after = [self.stop(stop) for stop in self.stops if stop > self.place.after]
        return "".join(before[-1:]), "".join((*after, *onward)[:1])

    def _across(self) -> tuple[str, str]:
        """Return the places of what was tried here just before the move shown, and just after it."""
        beside = self._siblings()
        here = next((index for index, one in enumerate(beside) if one.number == self.place.node), 0)
        up, down = beside[max(here - 1, 0) : here], beside[here + 1 :]
        return self.at(up[0]) if up else "", self.at(down[0]) if down else ""

    def _siblings(self) -> tuple[Tried, ...]:
        """Return what was tried in place of the move that led here, itself included."""
        return self.branches.following(self.line[-1].parent, self.place.after) if self.line else ()

    def beside(self) -> tuple[TriedView, ...]:
        """Return the ways on from here, where the forward button is not all there is to them."""
        onward = self.branches.following(*self.place)
        is_fork = len(onward) > 1 or (not self.line and self.place.after < len(self.played))
        first = self.number_after(self.line)
        return tuple(self._view(one, first) for one in onward) if is_fork else ()

    def number_after(self, line: Sequence[Tried]) -> int:
        """Return the number of the move that comes after this much of a branch, those that make themselves aside."""
        return self.place.after + len(line) + 1

    def moves(self) -> tuple[TriedView, ...]:
        """Return the branch that the place is on: what led here, and what was tried first from here on."""
        return self.moves_of((*self.line, *self.branches.onward(self.place.node))) if self.line else ()

    def moves_of(self, line: Sequence[Tried]) -> tuple[TriedView, ...]:
        """Return the moves of a branch from its first."""
        after = line[0].after
        count = followed(line, analysing.texts_after(self.played, after))
        return tuple(self._view(one, after + index + 1, is_played=index < count) for index, one in enumerate(line))

    def _view(self, one: Tried, number: int, *, is_played: bool = False) -> TriedView:
        return TriedView(
            address=self.at(one),
            number=number,
            colour=one.colour,
            label=tried_label(one),
            said=gettext("%(colour)s: %(what)s") % {"colour": sentences.colour(one.colour), "what": tried_label(one)},
            piece=tried_piece(one),
            name=one.name,
            is_current=one.number == self.place.node,
            is_played=is_played,
        )

    def list(self) -> tuple[BranchView, ...]:
        """Return the branches by their ends."""
        return tuple(self._branch(end) for end in self.branches.ends())

    def _branch(self, end: Tried) -> BranchView:
        line = self.branches.line(end.number)
        name, last = branch_title(line), tried_text(end)
        return BranchView(
            address=self.at(end),
            name=name,
            about=" · ".join((branch_extent(line), *([last] if name != last else []))),
            fate=self._fate(line),
            is_current=bool(self.place.node) and self.place.node in {one.number for one in line},
        )

    def _fate(self, line: Sequence[Tried]) -> str:
        """Return what the game did where the branch begins; nothing as long as it has not moved there."""
        texts = self.texts[line[0].after]
        count = followed(line, texts)
        if count == len(texts):
            played = ngettext(
                "The game has followed it for %(n)d move.", "The game has followed it for %(n)d moves.", count
            )
            return played % {"n": count} if count else ""
        if count == len(line):
            return gettext("The game went this way.")
        return gettext("The game went another way at move %(number)d.") % {"number": self._left_at(line, count)}

    def _left_at(self, line: Sequence[Tried], count: int) -> int:
        """Return the number of the move with which the game left a branch."""
        chosen = [move.number for move in self.played[line[0].after :] if not move.is_automatic]
        return chosen[count]


def branch_views(
    address: str, secret: str, played: Sequence[MoveRow], branches: Branches
) -> tuple[tuple[BranchView, tuple[TriedView, ...]], ...]:
    """Return every branch as it stands in the list, each with its moves; links begin with the board's address."""
    links = _Links(address, secret, played, branches, AnalysisPlace(0, len(played)))
    lines = (links.moves_of(branches.line(end.number)) for end in branches.ends())
    return tuple(zip(links.list(), lines, strict=True))


def tried_label(one: Tried) -> str:
    """Return what a tried move was, short: a piece and its first cell."""
    if one.move == record.PASSED:
        return gettext("pass")
    if one.move.startswith("retire:"):
        return gettext("resigned")
    piece, _, cells = one.move.partition(":")
    return gettext("%(piece)s at %(cell)s") % {"piece": piece, "cell": cells.partition(",")[0]}


def tried_piece(one: Tried) -> str:
    """Return the piece that was tried, "" for what is none."""
    piece, _, cells = one.move.partition(":")
    return piece if cells and piece != "retire" else ""


def branch_title(line: Sequence[Tried]) -> str:
    """Return what a branch is called: its last name, or else its last move."""
    return next((one.name for one in reversed(line) if one.name), tried_text(line[-1]))


def branch_extent(line: Sequence[Tried]) -> str:
    """Return where a branch begins, and how long it is."""
    moves = ngettext("%(n)d move", "%(n)d moves", len(line)) % {"n": len(line)}
    return " · ".join((gettext("from move %(number)d") % {"number": line[0].after + 1}, moves))


def tried_text(one: Tried) -> str:
    """Return what a tried move was, and whose."""
    return gettext("%(colour)s: %(what)s") % {"colour": sentences.colour(one.colour), "what": tried_label(one)}


def branch_steps(position: Position, line: Sequence[Tried], after: int, quarters: int = 0) -> tuple[RecentPiece, ...]:
    """Return the pieces that were tried, each with the number that its move has in the branch.

    They are drawn on a board that is turned by quarters.
    """
    numbers = [after + index for index, one in enumerate(line, start=1) if tried_piece(one)]
    if not numbers:
        return ()
    pieces = svg.pieces_of(position, quarters)
    placements = [turn.placement for turn in position.history if turn.placement is not None]
    tail = slice(len(pieces) - len(numbers), None)
    tried = zip(numbers, placements[tail], pieces[tail], strict=True)
    return recent_pieces(position.variant, tried, None, quarters)


def lead_text(position: Position) -> str:
    """Return whose turn it is, or that the game is over."""
    if position.colour is None:
        return gettext("The game is over here.")
    return gettext("%(colour)s to play") % {"colour": sentences.colour(position.colour)}


def rest_text(position: Position, players: Sequence[PlayerView], *, has_hints: bool) -> str:
    """Return what else is to be said of the turn: who has it, and how many moves are possible."""
    if position.colour is None or position.seat is None:
        return ""
    name = players[position.seat].name
    if not position.has_legal():
        return gettext("%(name)s: no moves left, so pass") % {"name": name}
    if not has_hints:
        return name
    count = position.legal_count()
    said = ngettext("%(name)s: %(n)d possible move", "%(name)s: %(n)d possible moves", count)
    return said % {"name": name, "n": count}


def board_label(position: Position, tried: Sequence[str]) -> str:
    """Return the board in words: its size, and what was tried on it."""
    size = gettext("Board, %(width)d by %(height)d.") % {
        "width": position.variant.width,
        "height": position.variant.height,
    }
    return f"{size} {gettext('Tried: %(moves)s.') % {'moves': ', '.join(tried)}}" if tried else size
