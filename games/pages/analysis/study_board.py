"""The board of a study: one of its positions, where those who write in it try moves that are kept as variations."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from games.base import access
from games.base.branches import MAX_BRANCH_NAME, Tried
from games.drawing import svg
from games.drawing.steps import RecentPiece
from games.errors import GameError
from games.pages.analysis.board import (
    HandView,
    TriedView,
    Ways,
    board_label,
    branch_steps,
    hand_view,
    lead_text,
    rest_text,
    tried_label,
    tried_piece,
    tried_text,
)
from games.pages.analysis.studies import VariationView, variation_views
from games.pages.board.board_data import Reach, shapes_json
from games.pages.board.refusal import NoticeView, notice_view
from games.pages.board.table import PlayerView, players_at
from games.queries.play.players import recorded_side
from games.rules import Position
from games.rules.record import PASSED, play_on
from games.rules.records import GameRecord
from games.rules.records.variations import variation_numbers
from games.table import records
from games.table.studies import undoing, variations
from games.table.texts import comments
from games.table.texts.comments import CommentPlace, place_query
from games.words import sentences


@dataclass(frozen=True, kw_only=True)
class StudyBoardPage:
    """One position on the board of a study, at a `place`, turned by `near` quarters as the game was that it is of.

    Links begin with `address`; `here` is the position's own, and `study` where the study shows it with what was written
    about it. `seats` are the players, each with what they still hold. `shapes` is JSON for the hand. `beside` are the
    moves that can be looked at from here, where there are several ways on, `line` the variation that the place is on,
    which is `called` so and begins at `start`; on a move of the game, `instead` are that and what was tried in its
    place. The last change of the variations can be undone or redone, or not.
    """

    slug: str
    name: str
    address: str
    here: str
    study: str
    place: CommentPlace
    edition: int
    seats: tuple[tuple[PlayerView, str], ...]
    picture: svg.BoardView
    steps: tuple[RecentPiece, ...]
    icons: tuple[svg.IconView, ...]
    shapes: str
    hand: HandView
    label: str
    lead: str
    rest: str
    where: str
    ways: Ways
    beside: tuple[TriedView, ...]
    instead: tuple[TriedView, ...]
    line: tuple[TriedView, ...]
    begins: str
    start: str
    called: str
    variations: tuple[VariationView, ...]
    can_undo: bool
    can_redo: bool
    notice: NoticeView | None
    near: int
    longest_name: int = MAX_BRANCH_NAME
    has_hints: bool = True
    query: str = ""

    @property
    def key(self) -> str:
        """Return what differs whenever there is something new to say of the place."""
        return f"{self.place.variation}.{self.place.move}.{self.edition}"


def study_board_page(
    user: access.Viewer,
    slug: str,
    branch: int = 0,
    move: int | None = None,
    *,
    piece: str = "",
    error: GameError | None = None,
) -> StudyBoardPage:
    """Return the board after so many moves of the game, or of the variation through the varied turn `branch`.

    By default it stands at the end; where there is no such position, at the nearest one. A query, that of
    `recorded_side`, and two more for one who writes in the study of another.

    Raises:
        NotFound: there is no such study for this person.
        NotSeated: they do not write in it.

    """
    study = access.study_to_view(user, slug)
    access.check_editor(user, study)
    game = records.stored(study.record)
    branch = branch if 0 <= branch <= len(game.varied) else 0
    places = comments.places_of(game, branch)
    place = places[len(places) - 1 if move is None else min(max(move, 0), len(places) - 1)]
    turns = game.line(place.variation) if place.variation else game.record.moves[: place.move]
    stages = list(play_on(game.start(), turns, validate=False))
    links = _Links(reverse("study-board", args=[study.slug]), game, place, stages)
    position = variations.settled(stages[place.move])
    players = players_at(position, records.seated(game, position))
    reach = Reach.of(position, position.colour) if position.colour else None
    steps = branch_steps(position, links.tried, place.move - len(links.tried))
    changes = undoing.record_changes_of(study)
    return StudyBoardPage(
        slug=study.slug,
        name=study.title,
        address=links.address,
        here=links.to(place),
        study=f"{reverse('study', args=[study.slug])}?{place_query(place)}",
        place=place,
        edition=study.edition,
        seats=tuple((player, player.state or sentences.pieces(player.pieces_left)) for player in players),
        picture=svg.board_view(position, position.colour, reach.attach if reach else None, apart=len(steps)),
        steps=steps,
        icons=tuple(svg.icons(game.variant.id).values()),
        shapes=shapes_json(game.variant.id),
        hand=hand_view(position, reach, piece),
        label=board_label(position, [tried_text(one) for one in links.tried]),
        lead=lead_text(position),
        rest=rest_text(position, players, has_hints=True),
        where=links.where,
        ways=links.ways(),
        beside=links.beside(),
        instead=links.instead(),
        line=links.line(),
        begins=links.begins(links.after),
        start=links.to(CommentPlace(0, links.after)),
        called=variations.variation_name(game, place.variation),
        variations=tuple(variation_views(game, links.address, place.variation)),
        can_undo=bool(changes.done),
        can_redo=bool(changes.undone),
        notice=notice_view(error, game.variant.id) if error else None,
        near=recorded_side(game, user),
    )


class _Links:
    """The positions of a study as links to its board, seen from a place; `stages` lead to it, and to the end of its
    variation.
    """

    def __init__(self, address: str, game: GameRecord, place: CommentPlace, stages: Sequence[Position]) -> None:
        self.address, self.game, self.place, self.stages = address, game, place, stages
        self.after = game.varied[place.variation - 1].after if place.variation else place.move
        numbers = variation_numbers(game.varied, place.variation) if place.variation else ()
        self.whole = tuple(self._tried(number, self.after + index) for index, number in enumerate(numbers))
        #: The moves of the variation up to the place.
        self.tried = self.whole[: place.move - self.after]

    def _tried(self, number: int, move: int) -> Tried:
        """Return a varied turn as a tried move, made after so many others."""
        one = self.game.varied[number - 1]
        return Tried(
            number,
            one.parent,
            one.after,
            colour_of_turn(self.stages[move], one.turn),
            one.turn,
            variations.variation_called(one),
        )

    def to(self, place: CommentPlace) -> str:
        """Return the address of a place."""
        return f"{self.address}?{place_query(place)}"

    def line(self) -> tuple[TriedView, ...]:
        """Return the variation that the place is on."""
        return tuple(
            self._view(one, CommentPlace(one.number, number)) for number, one in enumerate(self.whole, self.after + 1)
        )

    def beside(self) -> tuple[TriedView, ...]:
        """Return the ways on from here, where the forward button is not all there is to them."""
        return self._fork(self.place)

    def instead(self) -> tuple[TriedView, ...]:
        """Return the move of the game shown and what was tried in its place, with the names of those variations."""
        if self.place.variation or not self.place.move:
            return ()
        return self._fork(variations.place_before(self.game, self.place))

    def _fork(self, before: CommentPlace) -> tuple[TriedView, ...]:
        """Return the ways on from a place that leads here, where there are several."""
        stage, onward = self.stages[before.move], variations.continuations(self.game, before)
        shown = (
            self._view(
                Tried(there.variation, 0, 0, colour_of_turn(stage, turn), turn, self._name(there)),
                there,
                is_played=not there.variation,
            )
            for there, turn in onward
        )
        return tuple(shown) if len(onward) > 1 else ()

    def _name(self, place: CommentPlace) -> str:
        return variations.variation_called(self.game.varied[place.variation - 1]) if place.variation else ""

    def _view(self, one: Tried, there: CommentPlace, *, is_played: bool = False) -> TriedView:
        return TriedView(
            address=self.to(there),
            number=there.move,
            colour=one.colour,
            label=tried_label(one),
            said=tried_text(one),
            piece=tried_piece(one),
            name=one.name,
            is_current=there == self.place,
            is_played=is_played,
        )

    @property
    def where(self) -> str:
        """Return where the place is, in words."""
        if not self.tried:
            return self.begins(self.place.move)
        said = ngettext(
            "variation after move %(number)d · %(n)d move",
            "variation after move %(number)d · %(n)d moves",
            len(self.tried),
        )
        return said % {"n": len(self.tried), "number": self.after}

    def begins(self, after: int) -> str:
        """Return the name of a place in the game."""
        if after == 0:
            return gettext("the beginning of the game")
        if after == len(self.game.record.moves):
            return gettext("the end of the game, after move %(number)d") % {"number": after}
        return gettext("the game after move %(number)d") % {"number": after}

    def ways(self) -> Ways:
        """Return where the buttons and keys lead."""
        first, last = CommentPlace(0, 0), CommentPlace(0, len(self.game.record.moves))
        up, down = self._across()
        return Ways(
            first=self.to(first) if self.place != first else "",
            back=self._back(),
            forward=self._forward(),
            last=self.to(last) if self.place != last else "",
            up=up,
            down=down,
        )

    def _back(self) -> str:
        """Return what was before the last turn, and before the passes that led to that: they change nothing."""
        place = self.place
        while place.move:
            turn = self._turn_to(place)
            place = variations.place_before(self.game, place)
            if turn != PASSED:
                return self.to(place)
        return ""

    def _turn_to(self, place: CommentPlace) -> str:
        varied, moves = self.game.varied, self.game.record.moves
        return varied[place.variation - 1].turn if place.variation else moves[place.move - 1]

    def _forward(self) -> str:
        """Return what comes first after the place, and after passes."""
        place = self.place
        while onward := variations.continuations(self.game, place):
            place, turn = onward[0]
            if turn != PASSED:
                return self.to(place)
        return ""

    def _across(self) -> tuple[str, str]:
        """Return what was tried in place of the last turn, before it and after it."""
        if not self.place.move:
            return "", ""
        before = variations.place_before(self.game, self.place)
        others = [there for there, _turn in variations.continuations(self.game, before)]
        here = others.index(self.place)
        up, down = others[max(here - 1, 0) : here], others[here + 1 :]
        return self.to(up[0]) if up else "", self.to(down[0]) if down else ""


def colour_of_turn(before: Position, turn: str) -> str:
    """Return whose turn that was: of one who resigned, which anyone does at any time, the first colour of the seat."""
    kind, _colon, seat = turn.partition(":")
    return before.seats[int(seat)][0] if kind == "retire" else before.colour or ""
