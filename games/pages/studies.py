"""The studies of a person, and one study move by move."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.base import access
from games.drawing.thumbnails import Thumbnail, thumbnail
from games.models import Kind, Study
from games.pages.lists.paging import ListPage, list_page
from games.pages.opened import OpenedView, opened_views
from games.pages.replay.steps import Leaves, replay_steps
from games.pages.table import PlayerView, players_at
from games.queries.moves import MoveRow
from games.rules import Position
from games.rules.records import GameRecord, has_blksgf
from games.table import records
from games.words import boards, names, sentences
from games.words.thoughts import thought_lines


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
class StudyPage:
    """A study at one of its moves. `facts` are what the record says of the game, each with its name.

    `opened` are the openings of the whole game; none where it began from a position that was set up.
    """

    slug: str
    name: str
    about: str
    address: str
    query: str
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
    rows = Study.objects.filter(owner=user).defer("record").order_by("-created_at", "-pk")
    return list_page(rows, page, rows.count(), _cards)


def own_studies(user: User) -> list[Study]:
    """Return all studies of a person, the latest first, without their records. One query; they are 200 at most."""
    return list(Study.objects.filter(owner=user).defer("record", "board").order_by("-created_at", "-pk"))


def _cards(rows: Sequence[Study]) -> tuple[StudyCard, ...]:
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


def study_page(user: access.Viewer, slug: str, number: int | None = None) -> StudyPage:
    """Return the study after that many moves, by default after all of them. One query.

    Raises:
        NotFound: there is no such study for this person.

    """
    study = access.study_to_view(user, slug)
    game = records.stored(study.record)
    stages = list(game.positions(validate=False))
    players = players_at(stages[-1], records.seated(game, stages[-1]))
    leaves = replay_steps(stages, players, list(_rows(stages)), number, game.comments)
    return StudyPage(
        slug=study.slug,
        name=study.title,
        about=names.variant_name(study.variant),
        address=reverse("study", args=[study.slug]),
        query="?",
        is_own=access.owns(user, study),
        is_shared=study.is_shared,
        has_blksgf=has_blksgf(game.variant),
        facts=_facts(game, players, stages[-1]),
        opened=opened_views(stages[-1]),
        leaves=replace(leaves, thoughts=thought_lines(game.thoughts)),
    )


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
