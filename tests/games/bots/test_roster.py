"""The bots that can be seated."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from games.roster.offered import offered_bots
from games.words.characters import description_of, title_of


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    offered_bots.cache_clear()
    yield
    offered_bots.cache_clear()


def test_every_rung_of_the_ladder_is_offered_with_words_for_people() -> None:
    assert tuple(offered_bots())[:6] == ("random", "greedy", "sage-2", "mason-2", "warden-2", "hermit-2")
    assert len({bot.level for bot in offered_bots().values()}) >= 9
    assert all(title_of(bot) and description_of(bot) for bot in offered_bots().values())


def test_naming_the_bots_loads_no_compiler() -> None:
    code = (
        "import sys, games.bots.factory, games.roster.entries as r; assert r.BOTS;"
        "print([name for name in ('numba', 'numpy', 'games.bots.engines.search') if name in sys.modules])"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout == "[]\n"


def test_the_whole_site_with_all_its_pages_loads_no_compiler() -> None:
    code = (
        "import sys, blockyou.asgi; from django.urls import get_resolver; get_resolver().url_patterns;"
        "import games.views.analysis.advice, games.views.analysis.review, games.views.guide.bots;"
        "print([name for name in ('numba', 'numpy') if name in sys.modules])"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout == "[]\n"


def test_further_engines_come_from_the_environment(settings: Settings) -> None:
    settings.EXTRA_BOTS = ["burner=benchmarks.burner:Burner"]
    assert list(offered_bots())[-1] == "burner"
    assert "CPU" in description_of(offered_bots()["burner"])


@pytest.mark.parametrize(
    "line", ["burner", "burner=", "burner=benchmarks.burner", "x=nowhere:Burner", "x=benchmarks:Y"]
)
def test_a_line_that_names_no_engine_is_refused_in_a_sentence(settings: Settings, line: str) -> None:
    settings.EXTRA_BOTS = [line]
    with pytest.raises(ImproperlyConfigured, match="name=module:Class"):
        offered_bots()
