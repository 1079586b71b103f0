"""Learning from self-play: small, to the end, and better than knowing nothing."""

import json
from pathlib import Path

import numpy as np
import pytest

from games.bots.engines import weights
from games.bots.engines.policy import PHASES
from games.bots.engines.search import SearchEngine
from games.bots.engines.sight import OUTLOOK_WEIGHTS
from games.bots.engines.weights import Weights
from games.bots.training import __main__ as training
from games.bots.training.features import choices
from games.bots.training.fit import fit
from games.bots.training.selfplay import MOST_CHOICES, Lesson, play_game
from games.rules import VARIANTS, Position


def test_every_variant_has_weights_of_the_right_size_and_their_recipe() -> None:
    for variant in VARIANTS.values():
        learned = weights.weights_for(variant)
        assert [len(row) for row in learned] == [OUTLOOK_WEIGHTS] * PHASES
        assert weights.read()["recipes"][weights.kind_of(variant)]


@pytest.mark.parametrize("variant", ["duo", "trigon-2", "codingame-3"])
def test_a_policy_sees_every_legal_placement_and_all_its_cells(variant: str) -> None:
    position = Position.start(variant)
    seen = choices(position)
    assert sorted(seen.ids) == list(position.legal_ids())
    sizes = {placement.id: len(placement.cells) for placement in position.legal_placements()}
    # The first role is the cells that a placement covers.
    assert [int(row[:24].sum()) for row in seen.rows] == [sizes[int(number)] for number in seen.ids]


def told(lessons: list[Lesson], learned: Weights) -> float:
    """Return the mean cross-entropy of the lessons by the definition."""
    total = 0.0
    for lesson in lessons:
        scores = lesson.rows @ np.array(learned[lesson.phase])
        odds = np.exp(scores - scores.max())
        total -= float(np.log(odds[0] / odds.sum()))
    return total / len(lessons)


def test_a_lesson_begins_with_what_the_search_chose() -> None:
    learned = weights.read()["policies"]["duo"]
    lesson = next(play_game("duo", learned, 100, seed=4))
    position = Position.start("duo")
    looked = SearchEngine(100, weights=learned, stops_early=False).think(position, seed=4, number=1).candidates
    assert len(looked) > 1
    seen = choices(position)
    assert len(lesson.rows) == MOST_CHOICES < len(seen.ids)
    for row, candidate in zip(lesson.rows, looked, strict=False):
        assert row.tolist() == seen.rows[list(seen.ids).index(candidate.placement.id)].tolist()


def test_lessons_make_what_was_chosen_likelier() -> None:
    start = training.first_weights("duo")
    lessons = [lesson for seed in range(3) for lesson in play_game("duo", start, 20, seed)]
    learned, _loss = fit(lessons, start, 1)
    assert told(lessons, learned) < told(lessons, start) < told(lessons, [[0.0] * OUTLOOK_WEIGHTS] * PHASES)


def test_the_command_writes_weights_and_keeps_those_of_other_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "weights.json"
    file.write_text(weights.FILE.read_text("utf-8"), "utf-8")
    before = json.loads(file.read_text("utf-8"))["policies"]
    monkeypatch.setattr(weights, "FILE", file)
    monkeypatch.setattr(training, "FILE", file)
    words = "training --kinds duo --generations 1 --games 2 --simulations 4 --jobs 1"
    monkeypatch.setattr("sys.argv", words.split())
    weights.read.cache_clear()
    training.main()
    weights.read.cache_clear()
    after = json.loads(file.read_text("utf-8"))
    assert after["policies"]["pairs"] == before["pairs"]
    assert after["policies"]["duo"] != before["duo"]
    assert "2 games, 4 simulations" in after["recipes"]["duo"]
    assert "duo generation 1" in capsys.readouterr().out
