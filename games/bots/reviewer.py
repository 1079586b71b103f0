"""Reviews: judging the positions of a finished game, a few at a time, in a worker."""

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from games.actions.analysis.keep_findings import keep_findings
from games.bots.engines.protocol import Candidate, Engine
from games.bots.limit import OutOfThinkingTime, time_limit
from games.bots.reasons import ReasonFinder
from games.bots.strong import get_ready, strong_engine
from games.bots.thinker import think_in_subprocess
from games.findings import Finding, RatedPlacement
from games.queries.analysis.advising import JudgedPlacement, ReviewWork, review_work
from games.rules import Placement

logger = logging.getLogger(__name__)

#: Best placements kept of every position.
BEST = 3
#: Seconds after which a job ends and the next one is asked for, so that others are not kept waiting.
CHUNK_SECONDS = 1.5
#: Seconds of CPU time that one position may take.
REVIEWING_SECONDS = 15.0


def continue_review(review_id: int, done: int) -> int | None:
    """Judge more positions of a review, of which `done` are judged; return the new number, None after the last.

    Safe to repeat, and to run twice at once: what was found by another is not added again.
    """
    work = review_work(review_id, done)
    if work is None:
        return None
    findings, has_failed = think_in_subprocess(judge_positions, work)
    return keep_findings(review_id, of_round=work.round, done=done, findings=findings, has_failed=has_failed)


def fail_review(review_id: int, done: int) -> None:
    """Mark a review as failed whose jobs have killed their workers."""
    keep_findings(review_id, of_round=None, done=done, findings=(), has_failed=True)


def judge_positions(work: ReviewWork) -> tuple[list[Finding], bool]:
    """Return what was found in the time of one job, and whether it ended because the engine failed.

    Raises:
        TookTooLongError: not even one position was judged in time.

    """
    findings: list[Finding] = []
    for judged in work.placements[:1]:
        get_ready(judged.position)
    engine, end = strong_engine(work.simulations), time.monotonic() + CHUNK_SECONDS
    try:
        for judged in takewhile(lambda _: not findings or time.monotonic() < end, work.placements):
            with time_limit(REVIEWING_SECONDS):
                findings.append(judge_position(engine, judged))
    except OutOfThinkingTime as late:
        if not findings:
            # The next position may be quicker on another day: the sweep asks again after a pause, a few times.
            raise TookTooLongError(f"{REVIEWING_SECONDS} s of CPU for a position of {work.slug}") from late
    except Exception:
        logger.exception("The review of %s failed.", work.slug)
        return findings, True
    return findings, False


class TookTooLongError(Exception):
    """A position was not judged in the time that one may take."""


def judge_position(engine: Engine, judged: JudgedPlacement) -> Finding:
    """Return what the engine finds about a position and the placement made in it.

    Raises:
        ValueError: it gives no chances.

    """
    position, played = judged.position, judged.played
    answer = engine.think(position, seed=0, number=judged.number)
    if len(answer.values) != len(position.seats):
        raise ValueError("the engine tells no chances of winning")
    finder = ReasonFinder(position)
    candidates = answer.candidates[:BEST]
    values = [candidate.value for candidate in answer.candidates if candidate.placement == played]
    return Finding(
        number=judged.number,
        seat=finder.seat,
        values=tuple(map(_rounded, answer.values)),
        legal=finder.before,
        best=(*_first(finder, played, candidates[:1]), *(_choice(candidate) for candidate in candidates[1:])),
        played=RatedPlacement(str(played), next(map(_rounded, values), None), (), finder.effects_of(played).after),
        is_proved=answer.is_proved,
    )


def _first(finder: ReasonFinder, played: Placement, candidates: Sequence[Candidate]) -> list[RatedPlacement]:
    """Return the best placement, if there is one, with that by which it is ahead of what was played."""
    return [
        replace(
            _choice(candidate),
            reasons=finder.advantages_of(candidate.placement, played),
            legal=finder.effects_of(candidate.placement).after,
        )
        for candidate in candidates
    ]


def _choice(candidate: Candidate) -> RatedPlacement:
    return RatedPlacement(str(candidate.placement), _rounded(candidate.value))


def _rounded(value: float) -> float:
    return round(float(value), 4)
