"""The studies of a person, and one study move by move."""

from collections.abc import Iterator, Sequence
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
from games.pages.board.opened import OpenedView, opened_views
from games.pages.board.table import PlayerView, players_at
from games.pages.lists.paging import ListPage, list_page
from games.pages.replay.steps import Leaves, replay_steps
from games.queries.lists.studies import number_of_studies, studies_of
from games.queries.play.moves import MoveRow
from games.rules import Position
from games.rules.record import PASSED, play_on
from games.rules.records import GameRecord, has_blksgf
from games.rules.records.variations import ends_of, line_to, variation_line
from games.table import records
from games.values import Kind
from games.words import boards, names, sentences
from games.words.thoughts import thought_lines

if TYPE_CHECKING:
    from games.models import Study


@dataclass(frozen=True)
class StudyCard:
    """One row of the list of studies."""

    slug: str
    title: str
    about: str
    created_at: datetime
    is_shared: bool
    thumb: Thumbnail


@dataclass(frozen=True)
class VariationView:
    """A variation in the list: a link to its first own move, its last move, and where it begins."""

    address: str
    name: str
    about: str
    is_current: bool


@dataclass(frozen=True)
class StudyPage:
    """A study at one of its moves. `facts` are what the record says of the game, each with its name.

    `opened` are the openings of the whole game; none where it began from a position that was set up, and then no game
    begins `from_here`. Where a `branch` is shown, it is a variation that `begins` after so many moves of the game.
    """

    slug: str
    name: str
    about: str
    address: str
    query: str
    branch: int
    begins: int
    variations: tuple[VariationView, ...]
    from_here: str
    is_own: bool
    is_shared: bool
    has_blksgf: bool
    facts: tuple[tuple[str, str], ...]
    opened: tuple[OpenedView, ...]
    leaves: Leaves


def studies_page(user: User | None, page: int) -> ListPage[StudyCard]:
    """Return this person's studies, the latest first (two queries); none for a person who is not logged in."""
    if user is None:
        return ListPage((), 1, 0, None, None)
    return list_page(partial(studies_of, user), page, number_of_studies(user), _cards)


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
    """Return the study after that many moves, by default after all of them, of the game or of a variation. One query.

    A `branch` is the number of a turn of the variation; what is no such number is the game.

    Raises:
        NotFound: there is no such study for this person.

    """
    study = access.study_to_view(user, slug)
    game = records.stored(study.record)
    branch = branch if 0 <= branch <= len(game.varied) else 0
    begins, comments = _begins(game, branch), game.comments
    if branch:
        line = variation_line(game.varied, branch)
        own = {begins + at: one.comment for at, one in enumerate(line, 1) if one.comment}
        comments = {n: text for n, text in game.comments.items() if n <= begins} | own
    stages = list(play_on(game.start(), game.line(branch), validate=False))
    players = players_at(stages[-1], records.seated(game, stages[-1]))
    leaves = replay_steps(stages, players, list(_rows(stages)), number, comments)
    return StudyPage(
        slug=study.slug,
        name=study.title,
        about=names.variant_name(study.variant),
        address=reverse("study", args=[study.slug]),
        query=f"?branch={branch}&" if branch else "?",
        branch=branch,
        begins=begins,
        variations=tuple(_variations(game, reverse("study", args=[study.slug]), branch)),
        from_here="" if stages[0].is_set_up else reverse("from-study", args=[study.slug]),
        is_own=access.owns(user, study),
        is_shared=study.is_shared,
        has_blksgf=has_blksgf(game.variant),
        facts=_facts(game, players, stages[-1]),
        opened=opened_views(stages[-1]),
        leaves=replace(
            leaves, thoughts=thought_lines({n: one for n, one in game.thoughts.items() if not branch or n <= begins})
        ),
    )


def _begins(game: GameRecord, branch: int) -> int:
    """Return after how many moves of the game a variation begins."""
    return game.varied[branch - 1].after if branch else len(game.record.moves)


def _variations(game: GameRecord, address: str, branch: int) -> Iterator[VariationView]:
    """Yield the variations by their ends, each as a link to its first own move."""
    shown = {*_numbers(game, branch)}
    for end in ends_of(game.varied):
        line = line_to(game.varied, end)
        first, last = line[0], line[-1]
        yield VariationView(
            address=f"{address}?branch={end}&move={first.after + 1}",
            name=next((told for one in reversed(line) if (told := _told(one.comment))), said_turn(last.turn)),
            about=gettext("from move %(number)d · %(moves)s") % {"number": first.after + 1, "moves": _moves(len(line))},
            is_current=end in shown,
        )


def _numbers(game: GameRecord, branch: int) -> Iterator[int]:
    """Yield the end of the variation that is shown, if one is."""
    if branch:
        line = variation_line(game.varied, branch)
        yield next(end for end in ends_of(game.varied) if line_to(game.varied, end) == line)


def _told(comment: str) -> str:
    """Return what a variation may be called after that is written to one of its turns: a short first line."""
    first = comment.partition("\n")[0]
    return first if len(first) <= MAX_BRANCH_NAME else ""


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
