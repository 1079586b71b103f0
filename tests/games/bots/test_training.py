"""Learning from self-play: small, to the end, and better than knowing nothing."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.bots.engines import weights
from games.bots.engines.policy import PHASES
from games.bots.engines.search import SearchEngine
from games.bots.engines.sight import ALL_WEIGHTS, OUTLOOK_WEIGHTS
from games.bots.engines.weights import Weights
from games.bots.training import __main__ as training
from games.bots.training.features import choices
from games.bots.training.fit import fit
from games.bots.training.recipes import CHOICE, NOTHING, RECIPES, TEACHERS, Generation, Recipe
from games.bots.training.selfplay import MOST_CHOICES, Example, play_game
from games.rules import VARIANTS, Position
from games.rules.variants import get_variant


def test_every_variant_has_weights_of_the_right_size_and_their_recipe() -> None:
    for variant in VARIANTS.values():
        learned = weights.weights_for(variant)
        assert [len(row) for row in learned] == [ALL_WEIGHTS] * PHASES
        assert weights.read_weights()["recipes"][weights.kind_of(variant)]


@pytest.mark.parametrize("variant", ["duo", "trigon-2", "codingame-3"])
def test_a_policy_sees_every_legal_placement_and_all_its_cells(variant: str) -> None:
    position = Position.start(variant)
    seen = choices(position)
    assert sorted(seen.ids) == list(position.legal_ids())
    sizes = {placement.id: len(placement.cells) for placement in position.legal_placements()}
    # The first role is the cells that a placement covers.
    assert [int(row[:24].sum()) for row in seen.rows] == [sizes[int(number)] for number in seen.ids]


def told(examples: list[Example], learned: Weights, first: int, last: int) -> float:
    """Return the mean cross-entropy of the squared shares, by the definition, for the weights from first to last."""
    total = 0.0
    for example in examples:
        weights_of_phase = np.array(learned[example.phase][first:last])
        scores = example.rows[:, : len(weights_of_phase)] @ weights_of_phase
        odds = np.exp(scores - scores.max())
        wanted = [share**2 for share in example.shares]
        pairs = zip(wanted, odds / odds.sum(), strict=True)
        total -= sum(float(want / sum(wanted) * np.log(odd)) for want, odd in pairs if want)
    return total / len(examples)


def test_a_lesson_tells_where_the_search_looked_first_what_it_chose() -> None:
    learned = weights.read_weights()["policies"]["duo"]
    example = next(play_game("duo", learned, 100, seed=4))
    position = Position.start("duo")
    engine = SearchEngine(100, weights=learned, told=MOST_CHOICES, stops_early=False)
    looked = engine.think(position, seed=4, number=1).candidates
    assert len(looked) > 1
    seen = choices(position)
    assert len(example.rows) == MOST_CHOICES < len(seen.ids)
    assert example.shares.tolist() == [each.share for each in looked] + [0.0] * (MOST_CHOICES - len(looked))
    assert set(example.stands_for[: len(looked)]) == {1.0}
    assert example.stands_for.sum() == pytest.approx(len(seen.ids))
    for row, candidate in zip(example.rows, looked, strict=False):
        assert row.tolist() == seen.rows[list(seen.ids).index(candidate.placement.id)].tolist()


def test_the_shares_of_a_lesson_tell_of_all_simulations() -> None:
    examples = list(play_game("duo", training.first_weights("duo"), 50, seed=6))
    assert examples
    for example in examples:
        visits = example.shares * 50
        assert visits == pytest.approx(np.round(visits))
        assert visits.sum() == pytest.approx(50)


@pytest.mark.proof
@pytest.mark.parametrize(("first", "last"), [(0, OUTLOOK_WEIGHTS), (OUTLOOK_WEIGHTS, ALL_WEIGHTS)])
def test_lessons_make_likelier_what_the_search_looked_at(first: int, last: int) -> None:
    start = training.first_weights("duo")
    examples = [example for seed in range(3) for example in play_game("duo", start, 20, seed)]
    learned, _loss = fit(examples, start, 1)
    nothing = [[0.0] * ALL_WEIGHTS] * PHASES
    known, before, unknown = (told(examples, each, first, last) for each in (learned, start, nothing))
    assert known < before < unknown


@pytest.mark.proof
def test_by_its_choice_a_search_that_doubted_teaches_as_one_that_looked_nowhere_else() -> None:
    start = training.first_weights("duo")
    doubting = [example for seed in range(3) for example in play_game("duo", start, 20, seed)]
    # What was chosen is told first; equals count alike.
    sure = [replace(each, shares=(each.shares == each.shares[0]) * 1.0) for each in doubting]
    assert any(sum(each.shares) > 1 for each in sure)
    assert fit(doubting, start, 1, CHOICE) == fit(sure, start, 1, 1.0) != fit(doubting, start, 1)


def test_to_an_outlook_a_placement_drawn_by_chance_is_as_many_as_it_stands_for() -> None:
    start = training.first_weights("duo")
    rows = np.random.default_rng(5).integers(0, 3, (40, 2, OUTLOOK_WEIGHTS), dtype=np.int8)
    shares = np.array([1.0, 0.0])
    for_many = [Example(0, pair, shares, np.array([1.0, 10.0])) for pair in rows]
    many = [Example(0, pair[[0] + [1] * 10], np.array([1.0] + [0.0] * 10), np.ones(11)) for pair in rows]
    one = [Example(0, pair, shares, np.ones(2)) for pair in rows]
    learned, as_many, as_one = (np.array(fit(each, start, 1)[0][0]) for each in (for_many, many, one))
    assert learned[:OUTLOOK_WEIGHTS] == pytest.approx(as_many[:OUTLOOK_WEIGHTS], abs=1e-3)
    assert np.abs(learned - as_one)[:OUTLOOK_WEIGHTS].max() > 0.01
    assert learned[OUTLOOK_WEIGHTS:] == pytest.approx(as_one[OUTLOOK_WEIGHTS:], abs=1e-3)


def test_a_phase_without_lessons_keeps_its_weights() -> None:
    start = training.first_weights("duo")
    early = [example for example in play_game("duo", start, 4, 1) if example.phase == 0]
    learned, _loss = fit(early, start, 1)
    assert learned[0] != start[0]
    assert [pytest.approx(row) for row in learned[1:]] == [*start][1:]


def test_every_kind_of_game_is_taught_by_a_variant_of_its_own_first_of_all() -> None:
    assert [*TEACHERS] == [*weights.KINDS]
    assert [weights.kind_of(get_variant(names[0])) for names in TEACHERS.values()] == [*weights.KINDS]


def test_colours_of_a_seat_that_start_across_from_each_other_have_weights_of_their_own() -> None:
    kinds = {name: weights.kind_of(get_variant(name)) for name in ("blockyou-2", "classic-2", "trigon-2", "classic-4")}
    assert kinds == {
        "blockyou-2": "pairs",
        "classic-2": "pairs-across",
        "trigon-2": "triangles-pairs",
        "classic-4": "each",
    }


def test_a_kind_begins_with_nothing_or_with_one_that_is_learned_before_it() -> None:
    assert [*RECIPES] == [*weights.KINDS]
    for at, recipe in enumerate(RECIPES.values()):
        assert recipe.begins_with in {NOTHING, *weights.KINDS[:at]}


@pytest.mark.parametrize("kind", RECIPES)
def test_the_file_says_that_the_weights_of_every_kind_were_made_by_its_recipe(kind: str) -> None:
    recipes = weights.read_weights()["recipes"]
    other, generations, power = RECIPES[kind]
    known = "" if other == NOTHING else f"begins with {other}: {recipes[other]}; then "
    how = "by bare choice, " if power == CHOICE else ""
    listed = ", ".join(f"{games}x{simulations}" for games, simulations in generations)
    recipe, _by, date = recipes[kind].rpartition("; ")
    assert recipe == f"{known}{how}games x simulations of each generation: {listed}; seed 1"
    assert date == f"{datetime.fromisoformat(date):%Y-%m-%d}"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a copy of the file of weights to learn into."""
    path = tmp_path / "weights.json"
    path.write_text(weights.FILE.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(weights, "FILE", path)
    monkeypatch.setattr(training, "FILE", path)
    weights.read_weights.cache_clear()
    yield path
    weights.read_weights.cache_clear()


def learn(file: Path, words: str) -> Any:
    """Run the command; return what the file then holds."""
    training.main(words.split())
    return json.loads(file.read_text("utf-8"))


def test_the_command_writes_weights_and_keeps_those_of_other_kinds(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = json.loads(file.read_text("utf-8"))["policies"]
    after = learn(file, "--kinds duo --generations 2x4 1x6 --jobs 1")
    assert after["policies"]["pairs"] == before["pairs"]
    assert after["policies"]["duo"] != before["duo"]
    assert "2x4, 1x6; seed 1" in after["recipes"]["duo"]
    assert "duo generation 2 (1x6)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "recipe"),
    [
        ("duo", "games x simulations of each generation: 1x4; seed 3"),
        ("each", "by bare choice, games x simulations of each generation: 1x4; seed 3"),
    ],
)
def test_the_command_writes_how_a_kind_was_learned(kind: str, recipe: str, file: Path) -> None:
    after = learn(file, f"--kinds {kind} --generations 1x4 --seed 3 --jobs 1")
    assert after["recipes"][kind].rpartition("; ")[0] == recipe


def test_the_command_learns_the_same_again_whatever_was_there_and_however_many_processes_play(file: Path) -> None:
    words = "--kinds duo --generations 2x4"
    first = learn(file, f"{words} --jobs 1")["policies"]["duo"]
    learn(file, "--kinds duo --generations 1x4 --jobs 1 --seed 2")
    assert learn(file, f"{words} --jobs 2")["policies"]["duo"] == first


@pytest.mark.parametrize(
    ("words", "recipes"),
    [
        ("", RECIPES),
        ("--kinds pairs duo", {kind: RECIPES[kind] for kind in ("duo", "pairs")}),
        ("--kinds pairs --generations 1x4", {"pairs": Recipe("duo", (Generation(1, 4),))}),
        ("--kinds pairs --begin-with nothing", {"pairs": Recipe(NOTHING, RECIPES["pairs"].generations)}),
        ("--kinds each --generations 1x4", {"each": Recipe(NOTHING, (Generation(1, 4),), CHOICE)}),
    ],
)
def test_the_command_follows_the_recipes_in_their_order_but_for_what_it_is_told(
    words: str, recipes: dict[str, Recipe], monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = []
    monkeypatch.setattr(training, "_learn", lambda kind, recipe, jobs, seed: followed.append((kind, recipe)))
    training.main(words.split())
    assert [(kind, recipe._replace(generations=(*recipe.generations,))) for kind, recipe in followed] == [
        *recipes.items()
    ]


@pytest.mark.proof
def test_a_generation_does_not_depend_on_how_many_follow(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []
    monkeypatch.setattr(training, "_write", lambda kind, learned, recipe: written.append(learned))
    training.main(["--kinds", "duo", "--generations", "2x4", "1x4", "--jobs", "1"])
    training.main(["--kinds", "duo", "--generations", "2x4", "--jobs", "1"])
    first, second, alone = written
    assert first == alone != second


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Weights, float]]:
    """Give the weights that each fit began with, and the power of the shares that it learned from, as they happen."""
    happened = []

    def recording(examples: list[Example], start: Weights, seed: int, power: float) -> Any:
        happened.append((start, power))
        return fit(examples, start, seed, power)

    monkeypatch.setattr(training, "fit", recording)
    return happened


@pytest.mark.parametrize("other", ["duo", "pairs"])
def test_a_kind_can_begin_with_what_is_known_of_another_or_of_itself(
    other: str, file: Path, fitted: list[tuple[Weights, float]]
) -> None:
    before = json.loads(file.read_text("utf-8"))
    begun = learn(file, f"--kinds duo --begin-with {other} --generations 1x4 --jobs 1")
    assert [start for start, _power in fitted] == [before["policies"][other]]
    assert begun["recipes"]["duo"].startswith(f"begins with {other}: {before['recipes'][other]}; then games x")


@pytest.mark.proof
@pytest.mark.parametrize(
    ("words", "powers"),
    [
        ("--kinds duo --generations 2x4 1x4 1x4", [1.0, 2.0, 2.0]),
        ("--kinds duo --generations 1x4", [1.0]),
        ("--kinds duo --generations 1x4 --begin-with duo", [2.0]),
        ("--kinds each --generations 1x4 1x4", [1.0, CHOICE]),
        ("--kinds each --generations 1x4 1x4 --begin-with pairs", [CHOICE, CHOICE]),
    ],
)
def test_only_a_search_that_knows_next_to_nothing_is_believed_no_more_than_it_believes_itself(
    words: str, powers: list[float], file: Path, fitted: list[tuple[Weights, float]]
) -> None:
    learn(file, f"--jobs 1 {words}")
    assert [power for _start, power in fitted] == powers


@pytest.mark.parametrize(
    "words", ["--generations 40", "--generations 0x10", "--generations 4xten", "--kinds chess", "--begin-with chess"]
)
def test_the_command_refuses_what_it_does_not_understand(
    words: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = file.read_text("utf-8")
    with pytest.raises(SystemExit):
        training.main(words.split())
    assert words.split()[1] in capsys.readouterr().err
    assert file.read_text("utf-8") == before
