"""The walk of docs/learning.md in small: learn, write a file, meet others with it, and sit down at a table."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.test import Client
from PIL import Image
from pytest_django import Settings

from accounts.models import User
from games.arena.command import main as arena
from games.bots.learned import LearnedEngine, read_learned, write_learned
from games.bots.turns import play_turn
from games.drawing.raster.chart import Curve, chart_png
from games.learning.selfplay import SelfPlay
from games.learning.train import Files, Learner, TrainPlan, main, train
from games.models import Game
from games.roster.offered import offered_bots
from games.rules import VARIANTS, Position
from games.rules.variants import Variant
from tests.conftest import LogIn

ADDRESS = "games.bots.learned:LearnedEngine"

#: The smallest board for two, and no more than tells something.
SMALL = TrainPlan("junior", rounds=4, games=4, width=4, seed=7)
OPTIONS = ["junior", "--rounds", "4", "--games", "4", "--width", "4", "--seed", "7", "--every", "2", "--measure", "2"]


def learned(folder: Path, plan: TrainPlan = SMALL, **more: Any) -> Files:
    files = Files(folder / "engine.json")
    train(plan, files, **{"every": 2, "games": 0, "say": lambda _line: None, **more})
    return files


@pytest.fixture
def seated(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let what was learned be a bot of this site, as the page says."""
    monkeypatch.setenv("LEARNED_FILE", str(learned(tmp_path).engine))
    settings.EXTRA_BOTS = [f"apprentice={ADDRESS}"]
    offered_bots.cache_clear()
    yield
    settings.EXTRA_BOTS = []
    offered_bots.cache_clear()


def test_a_run_writes_an_engine_its_curves_and_a_checkpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*OPTIONS, "--out", str(tmp_path / "mine.json")]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split(" of CPU")[0].rpartition(",")[0] for line in said] == [
        "0 rounds, 0 games",
        "2 rounds, 8 games",
        "4 rounds, 16 games",
    ]
    assert all("against random; " in line and "against greedy" in line for line in said)
    assert {path.name for path in tmp_path.iterdir()} == {"mine.json", "mine.png", "mine.checkpoint.npz"}
    about = read_learned(str(tmp_path / "mine.json")).about
    assert (about["variant"], about["rounds_done"], about["seed"]) == ("junior", 4, 7)
    with Image.open(tmp_path / "mine.png") as picture:
        assert picture.size == (800, 450)


def test_what_was_learned_meets_others_in_the_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = learned(tmp_path).engine
    assert arena(["match", "junior", f"{ADDRESS},file={str(file)!r}", "random", "--games", "4"]) == 0
    said = capsys.readouterr().out
    assert "junior: 4 games" in said
    assert "lost" not in said


@pytest.mark.django_db
@pytest.mark.usefixtures("seated")
def test_what_was_learned_sits_down_at_a_table_and_plays(alice: User, log_in: LogIn) -> None:
    form = {
        "variant": "junior", "seat-0": "bot", "seat-0-strength": "apprentice", "seat-1": "me",
        "days": "3", "is_public": "yes", "passes": "automatic", "name": "", "dealing": "set",
    }  # fmt: skip
    client: Client = log_in(alice)
    answer = client.post("/games/new/", form)
    game = Game.objects.get()
    assert answer["Location"] == f"/games/{game.slug}/"
    assert play_turn(game.pk, 1)
    move = game.moves.get()
    assert (move.kind, move.seat, move.bot) == ("place", 0, "apprentice")
    placement = Position.start("junior").legal_placements()
    assert move.placement in map(str, placement)
    assert client.get(f"/games/{game.slug}/").status_code == 200


def test_a_network_begins_at_chance() -> None:
    play = SelfPlay("junior", 2, 4)
    learner = Learner.begin(SMALL)
    taught = play.play(learner.weights, learner.baseline, (1, 2), 0.0)
    assert taught.entropy == pytest.approx(_mean_entropy_of_chance(), rel=0.2)
    assert not learner.weights[-12:].any()


def _mean_entropy_of_chance() -> float:
    """Return the mean logarithm of the number of legal placements in games by chance, by the rules."""
    logs = []
    for seed in range(6):
        position, rng = Position.start("junior"), np.random.default_rng(seed)
        while not position.is_over:
            legal = position.legal_ids()
            if legal:
                logs.append(np.log(len(legal)))
            position = position.play_id(int(rng.choice(legal))) if legal else position.pass_turn()
    return float(np.mean(logs))


def test_a_run_that_is_ended_in_the_middle_goes_on_to_the_very_same(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "ended").mkdir()
    whole = learned(tmp_path / "whole", every=4)

    def end(line: str) -> None:
        if line.startswith("2 rounds"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learned(tmp_path / "ended", say=end)
    said: list[str] = []
    ended = learned(tmp_path / "ended", say=said.append)
    assert said[0] == "Going on after 2 of 4 rounds."
    assert read_learned(str(ended.engine)).weights == read_learned(str(whole.engine)).weights


def test_a_run_that_is_stopped_after_a_round_goes_on_to_the_very_same(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    whole, stopped = learned(tmp_path / "whole"), learned(tmp_path, until=3)
    about = read_learned(str(stopped.engine)).about
    assert (about["rounds"], about["rounds_done"]) == (4, 3)
    learned(tmp_path)
    assert read_learned(str(stopped.engine)).weights == read_learned(str(whole.engine)).weights


def test_a_process_that_is_killed_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "games.learning.train",
        *OPTIONS,
        "--measure",
        "0",
        "--out",
        str(tmp_path / "a.json"),
    ]
    command[command.index("--rounds") + 1] = "100000"
    process = subprocess.Popen(command, cwd=Path(__file__).parents[3], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    for line in process.stdout:
        if line.startswith("2 rounds"):
            break
    process.kill()
    process.communicate()
    kept = Learner.load(tmp_path / "a.checkpoint.npz", replace(SMALL, rounds=100000))
    assert kept.rounds >= 2
    LearnedEngine(str(tmp_path / "a.json")).think(Position.start("junior"), seed=1, number=1)


def test_an_interrupted_run_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **_more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("games.learning.train.train", interrupted)
    assert main(["junior"]) == 130
    assert "goes on from the checkpoint" in capsys.readouterr().err


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = learned(tmp_path)
    before = files.checkpoint.read_bytes()
    assert main([*OPTIONS, "--rate", "0.5", "--out", str(files.engine)]) == 1
    said = capsys.readouterr().err
    assert "is the checkpoint of another run (rate=0.01)" in said
    assert "begin anew" in said
    assert files.checkpoint.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", b"{}"])
def test_what_is_no_checkpoint_is_refused(tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.checkpoint.npz").write_bytes(content)
    assert main([*OPTIONS, "--out", str(tmp_path / "a.json")]) == 1
    assert "is no checkpoint of this program. Move it away to begin anew." in capsys.readouterr().err
    assert not (tmp_path / "a.json").exists()


@pytest.mark.parametrize(
    ("variant", "says"),
    [("blockyou-4", "is not for two players"), ("nonsense", "nonsense")],
)
def test_a_variant_that_cannot_be_learned_is_refused(
    tmp_path: Path, variant: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([variant, "--out", str(tmp_path / "a.json")]) == 1
    assert says in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("option", "value"), [("--rounds", "0"), ("--games", "-1"), ("--width", "257"), ("--measure", "-1")]
)
def test_numbers_that_make_no_sense_are_refused(option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([option, value])
    assert option in capsys.readouterr().err


@pytest.mark.proof
def test_a_thousand_games_teach_more_than_chance(tmp_path: Path) -> None:
    plan = TrainPlan("junior", rounds=40, games=24, seed=3)
    learner = train(plan, Files(tmp_path / "a.json"), every=40, games=20, say=lambda _line: None)
    assert learner.history[0][2] < 0.8
    assert learner.history[-1][2] >= 0.95


@pytest.mark.proof
@pytest.mark.parametrize("variant", [each for each in VARIANTS.values() if each.seats == 2], ids=lambda each: each.id)
def test_every_board_for_two_can_be_learned(variant: Variant, tmp_path: Path) -> None:
    learned(tmp_path, TrainPlan(variant.id, rounds=1, games=2, width=2))
    position, engine = Position.start(variant.id), LearnedEngine(str(tmp_path / "engine.json"))
    position.check(engine.think(position, seed=1, number=1).placement)


def test_curves_go_where_the_numbers_say() -> None:
    picture = Image.open(BytesIO(chart_png("x", [Curve("up", [(0.0, 0.0), (10.0, 100.0)])], top=100.0))).convert("RGB")
    flat = Image.open(BytesIO(chart_png("x", [Curve("up", [(0.0, 0.0), (10.0, 0.0)])], top=100.0))).convert("RGB")
    # The middle of the field, between two lines of the grid: on the rising curve, above the flat one.
    assert picture.getpixel((425, 230)) != flat.getpixel((425, 230))
    assert chart_png("empty", [], top=1.0)


def test_an_engine_written_twice_is_read_anew(tmp_path: Path) -> None:
    file = learned(tmp_path).engine
    before = read_learned(str(file))
    write_learned(file, before.width, [0.5] * len(before.weights), {"seed": "another one"})
    assert set(read_learned(str(file)).weights) == {0.5}
