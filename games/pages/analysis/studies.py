"""The studies of a person, and one study move by move."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.base import access
from games.base.branches import MAX_BRANCH_NAME
from games.drawing.thumbnails import Thumbnail, thumbnail
from games.errors import GameError, Refused, WrongStatus
from games.pages.board.comments import comment_views
from games.pages.board.opened import OpenedView, opened_views
from games.pages.board.table import PlayerView, players_at
from games.pages.lists.paging import ListPage, list_page
from games.pages.replay.steps import Leaves, replay_steps
from games.queries.analysis.comments import comments_of
from games.queries.analysis.editors import editors_of, studies_written_in
from games.queries.lists.studies import numbers_of_studies, studies_of
from games.queries.play.moves import MoveRow
from games.queries.play.players import recorded_side
from games.rules import Position
from games.rules.record import PASSED, play_on
from games.rules.records import GameRecord, VariedTurn, has_blksgf
from games.rules.records.variations import ends_of, line_to, variation_line
from games.table import records
from games.table.given.starts import turns_before
from games.table.people.editing import MAX_EDITORS
from games.table.studies.variations import place_before, variation_called, variation_name
from games.table.texts import comments
from games.table.texts.comments import place_query
from games.table.typed import short_example
from games.values import MAX_COMMENT, Kind
from games.words import boards, names, sentences
from games.words.thoughts import thought_lines

if TYPE_CHECKING:
    from games.models import Study

#: So many of the moves before and after one in whose place they were tried are offered at it.
MOST_ACROSS = 10


@dataclass(frozen=True)
class StudyCard:
    """One row of the list of studies."""

    slug: str
    title: str
    about: str
    created_at: datetime
    is_shared: bool
    thumb: Thumbnail
    owner: str = ""


@dataclass(frozen=True)
class VariationView:
    """A variation in the list: a link to its first own move, its last move, and where it begins."""

    address: str
    name: str
    about: str
    is_current: bool


@dataclass(frozen=True)
class AcrossView:
    """What was played or tried in place of the move `at` that number, as a link; `way` is the key to it, up or down."""

    at: int
    address: str
    name: str
    way: str


@dataclass(frozen=True)
class StudyPage:
    """A study at one of its moves. `facts` are what the record says of the game, each with its name.

    `across` leads from each move to the others in its place. `opened` are the openings of the whole game; none where it
    began from a position that was set up. Where such a one cannot come about, no game begins `from_here`, and `no_game`
    says why. Where a `branch` is shown, it is a variation that `begins` after so many moves of the game. What it and
    its variations are called `may_be_reported` by those who do not own it. Who `may_edit` writes comments, on that
    `edition` of the study;
    `draft` is what was typed and not kept, and `refusal` says why. `writers` are the names of those whom the owner lets
    write, `owner` that of the owner of a study in which the reader writes. `named` is whom the owner has tried to let
    in, and `unnamed` says why not; so do `typed` and `untried` of a move for a variation, which is tried on the `board`
    or typed as in the `example`, and `called` and `uncalled` of the name of the variation shown, which is called
    `current`.
    """

    slug: str
    name: str
    about: str
    address: str
    query: str
    branch: int
    begins: int
    variations: tuple[VariationView, ...]
    across: tuple[AcrossView, ...]
    from_here: str
    no_game: str
    is_own: bool
    is_shared: bool
    has_blksgf: bool
    facts: tuple[tuple[str, str], ...]
    opened: tuple[OpenedView, ...]
    leaves: Leaves
    may_edit: bool = False
    may_be_reported: bool = False
    edition: int = 0
    draft: str = ""
    refusal: str = ""
    most: int = MAX_COMMENT
    writers: tuple[tuple[str, str], ...] = ()
    owner: str = ""
    named: str = ""
    unnamed: str = ""
    board: str = ""
    example: str = ""
    typed: str = ""
    untried: str = ""
    current: str = ""
    called: str = ""
    uncalled: str = ""
    longest_name: int = MAX_BRANCH_NAME

    @property
    def has_across(self) -> bool:
        """Return whether there are other moves in place of the one shown."""
        return any(one.at == self.leaves.number for one in self.across)

    @property
    def has_room(self) -> bool:
        """Return whether the owner may let one more in."""
        return len(self.writers) < MAX_EDITORS


def studies_page(user: User | None, page: int) -> tuple[ListPage[StudyCard], tuple[StudyCard, ...]]:
    """Return this person's studies, the latest first, and on the first page those of others in which they write.

    Two queries, three for one who writes in any; none for a person who is not logged in.
    """
    if user is None:
        return ListPage((), 1, 0, None, None), ()
    own, others = numbers_of_studies(user)
    shown = list_page(partial(studies_of, user), page, own, _cards)
    return shown, _of_others(user) if others and shown.number == 1 else ()


def _of_others(user: User) -> tuple[StudyCard, ...]:
    rows = studies_written_in(user)
    return tuple(replace(card, owner=study.owner.shown_name) for card, study in zip(_cards(rows), rows, strict=True))


def _cards(rows: "Sequence[Study]") -> tuple[StudyCard, ...]:
    return tuple(
        StudyCard(
            slug=study.slug,
            title=study.title,
            about=gettext("%(variant)s · %(moves)s")
            % {"variant": names.variant_name(study.variant), "moves": _moves(study.move_count)},
            created_at=study.created_at,
            is_shared=study.is_shared,
            thumb=thumbnail(study.board, study.variant),
        )
        for study in rows
    )


def _moves(count: int) -> str:
    return ngettext("%(n)d move", "%(n)d moves", count) % {"n": count}


def study_page(user: access.Viewer, slug: str, number: int | None = None, branch: int = 0) -> StudyPage:
    """Return the study after that many moves, by default after all of them, of the game or of a variation.

    A `branch` is the number of a turn of the variation; what is no such number is the game. As many queries as
    `comments_of` and `recorded_side`, and two for the owner; four for those who write in it, at most three for others.

    Raises:
        NotFound: there is no such study for this person.

    """
    study = access.study_to_view(user, slug)
    game, is_own, may_edit = records.stored(study.record), access.owns(user, study), access.edits(user, study)
    branch = branch if 0 <= branch <= len(game.varied) else 0
    stages = list(play_on(game.start(), game.line(branch), validate=False))
    players = players_at(stages[-1], records.seated(game, stages[-1]))
    no_game = _why_no_game(stages[0])
    page = StudyPage(
        slug=study.slug,
        name=study.title,
        about=names.variant_name(study.variant),
        address=reverse("study", args=[study.slug]),
        query=f"?branch={branch}&" if branch else "?",
        branch=branch,
        begins=_begins(game, branch),
        variations=tuple(variation_views(game, reverse("study", args=[study.slug]), branch)),
        across=tuple(_across(game, reverse("study", args=[study.slug]), branch)),
        from_here="" if no_game else reverse("from-study", args=[study.slug]),
        no_game=no_game,
        is_own=is_own,
        is_shared=study.is_shared,
        may_be_reported=user.is_authenticated and not is_own,
        has_blksgf=has_blksgf(game.variant),
        facts=_facts(game, players, stages[-1]),
        opened=opened_views(stages[-1]),
        leaves=_leaves(user, study, game, branch, stages, players, number, may_edit=may_edit),
        edition=study.edition,
        current=variation_name(game, branch),
        writers=_writers(study) if is_own else (),
    )
    return _for_writer(page, study, game) if may_edit else page


def _why_no_game(start: Position) -> str:
    """Return why no game can come to the position with which a study begins; empty where one can."""
    try:
        turns_before(start)
    except WrongStatus as refused:
        return str(refused)
    return ""


def _leaves(
    user: access.Viewer,
    study: "Study",
    game: GameRecord,
    branch: int,
    stages: Sequence[Position],
    players: Sequence[PlayerView],
    number: int | None,
    *,
    may_edit: bool,
) -> Leaves:
    """Return the study move by move, with what bots thought and what is written at the positions shown."""
    begins, places = _begins(game, branch), set(comments.places_of(game, branch))
    said = [each for each in comments_of(study, user) if (each.variation, each.move) in places]
    told = comments.with_comments(game, [each for each in said if not each.is_hidden])
    rows, told_at, side = list(_rows(stages)), _comments(told, branch, begins), recorded_side(game, user)
    leaves = replay_steps(stages, players, rows, number, told_at, side=side)
    return replace(
        leaves,
        thoughts=thought_lines({n: one for n, one in game.thoughts.items() if not branch or n <= begins}),
        said=comment_views(study, said, user, may_edit=may_edit),
    )


def _for_writer(page: StudyPage, study: "Study", game: GameRecord) -> StudyPage:
    """Return the page with what those who may write in the study need, and whose it is where it is another's."""
    return replace(
        page,
        may_edit=True,
        board=reverse("study-board", args=[study.slug]),
        example=short_example(game.variant),
        owner="" if page.is_own else study.owner.shown_name,
    )


def refusal_text(error: GameError) -> str:
    """Return why a move of a variation is refused; where the rules do, with their reasons."""
    if not isinstance(error, Refused) or not error.reasons:
        return str(error.sentence)
    return " ".join(sentences.reason(reason, error.names.get(reason, ())) for reason in error.reasons)


def _comments(told: GameRecord, branch: int, begins: int) -> Mapping[int, str]:
    """Return what is written at each position of the game, or of a variation and of the game up to where it begins."""
    if not branch:
        return told.comments
    line = enumerate(variation_line(told.varied, branch), begins + 1)
    own = {number: one.comment for number, one in line if one.comment}
    return {number: text for number, text in told.comments.items() if number <= begins} | own


def _writers(study: "Study") -> tuple[tuple[str, str], ...]:
    """Return who else writes in a study: the name in addresses, then the one that is shown."""
    return tuple((each.username, each.shown_name) for each in editors_of(study))


def _begins(game: GameRecord, branch: int) -> int:
    """Return after how many moves of the game a variation begins."""
    return game.varied[branch - 1].after if branch else len(game.record.moves)


def variation_views(game: GameRecord, address: str, branch: int) -> Iterator[VariationView]:
    """Yield the variations by their ends, each as a link to its first own move: an `address` with what is shown."""
    shown = {*_numbers(game, branch)}
    for end in ends_of(game.varied):
        line = line_to(game.varied, end)
        yield VariationView(
            address=f"{address}?branch={end}&move={line[0].after + 1}",
            name=variation_title(line),
            about=variation_extent(line),
            is_current=end in shown,
        )


def _across(game: GameRecord, address: str, branch: int) -> Iterator[AcrossView]:
    """Yield for each move of the game, or of a variation, what else was played or tried in its place, in order: of
    those before it and after it the nearest ten. The very nearest are those that keys lead to.
    """
    tried: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number, one in enumerate(game.varied, 1):
        tried[one.parent, one.after].append(number)
    for place in comments.places_of(game, branch)[1:]:
        parent, move = place_before(game, place)
        others = tried[parent, game.varied[parent - 1].after if parent else move]
        fork = [0, *others] if not parent and move < len(game.record.moves) else others
        here = fork.index(place.variation)
        for at in range(max(here - MOST_ACROSS, 0), min(here + MOST_ACROSS + 1, len(fork))):
            if at != here:
                yield AcrossView(
                    at=place.move,
                    address=f"{address}?{place_query(comments.CommentPlace(fork[at], place.move))}",
                    name=_name_across(game, fork[at], at if fork[0] == 0 else at + 1, move),
                    way={-1: "up", 1: "down"}.get(at - here, ""),
                )


def _name_across(game: GameRecord, number: int, count: int, move: int) -> str:
    """Return what the game is called after so many moves, or a variation of them by the turn with which it begins."""
    if not number:
        return gettext("The game: %(move)s") % {"move": said_turn(game.record.moves[move])}
    one = game.varied[number - 1]
    named = {"number": count, "name": variation_called(one) or said_turn(one.turn)}
    return gettext("Variation %(number)d: %(name)s") % named


def variation_title(line: Sequence[VariedTurn]) -> str:
    """Return what the variation to the last of these turns is called: its last name, or else its last move."""
    return next((name for one in reversed(line) if (name := variation_called(one))), said_turn(line[-1].turn))


def variation_extent(line: Sequence[VariedTurn]) -> str:
    """Return where a variation begins, and how long it is."""
    return gettext("from move %(number)d · %(moves)s") % {"number": line[0].after + 1, "moves": _moves(len(line))}


def _numbers(game: GameRecord, branch: int) -> Iterator[int]:
    if branch:
        line = variation_line(game.varied, branch)
        yield next(end for end in ends_of(game.varied) if line_to(game.varied, end) == line)


def said_turn(turn: str) -> str:
    """Return a turn of a record in a few words, without whose it is."""
    if turn == PASSED:
        return gettext("Pass")
    piece = turn.partition(":")[0]
    return gettext("resigned") if piece == "retire" else f"{piece} {turn.partition(':')[2].partition(',')[0]}"


def _rows(stages: Sequence[Position]) -> Iterator[MoveRow]:
    """Yield the moves between the stages as a game's history has them."""
    turns = stages[-1].history[len(stages[0].history) :]
    for number, (before, turn) in enumerate(zip(stages, turns, strict=False), start=1):
        if turn.seat is not None:
            yield MoveRow(number, Kind.RETIRE, turn.seat, "", "", is_automatic=False, retired="")
            continue
        kind = Kind.PASS if turn.placement is None else Kind.PLACE
        text = "" if turn.placement is None else str(turn.placement)
        # A colour that can be placed may not pass (R7), so every pass is for want of a place.
        yield MoveRow(number, kind, before.seat or 0, turn.colour or "", text, is_automatic=True, retired="")


def _facts(game: GameRecord, players: Sequence[PlayerView], position: Position) -> tuple[tuple[str, str], ...]:
    result = sentences.verdict(players) if position.is_over else game.result
    facts = (
        (gettext("Event"), game.event),
        (gettext("Round"), game.round),
        (gettext("Date"), game.date),
        (gettext("Result"), result),
        (gettext("Scoring"), boards.scoring_name(position.scoring)),
    )
    return tuple((name, text) for name, text in facts if text)
