"""The bots that can be seated."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from games.bots.registry import engine_names, engines
from games.setup import offered_bots


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    engines.cache_clear()
    yield
    engines.cache_clear()


def test_every_rung_of_the_ladder_is_offered_with_words_for_people() -> None:
    assert engine_names() == tuple(offered_bots())
    assert engine_names()[:6] == ("random", "greedy", "sage-2", "mason-2", "warden-2", "hermit-2")
    assert len({bot.level for bot in engines().values()}) >= 9
    assert all(bot.title and bot.description for bot in engines().values())


def test_naming_the_bots_loads_no_compiler() -> None:
    code = (
        "import sys, games.bots.levels as l; l.bot_name(l.CHARACTERS[0], l.LADDER[-1]); print('numba' in sys.modules)"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout == "False\n"


def test_the_whole_site_with_all_its_pages_loads_no_compiler() -> None:
    code = (
        "import sys, blockyou.asgi; from django.urls import get_resolver; get_resolver().url_patterns;"
        "import games.views.advice, games.views.review, games.views.bots;"
        "print([name for name in ('numba', 'numpy') if name in sys.modules])"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout == "[]\n"


def test_further_engines_come_from_the_environment(settings: Settings) -> None:
    settings.EXTRA_BOTS = ["burner=benchmarks.burner:Burner"]
    assert engine_names()[-1] == "burner"
    assert "CPU" in str(engines()["burner"].description)


@pytest.mark.parametrize(
    "line", ["burner", "burner=", "burner=benchmarks.burner", "x=nowhere:Burner", "x=benchmarks:Y"]
)
def test_a_line_that_names_no_engine_is_refused_in_a_sentence(settings: Settings, line: str) -> None:
    settings.EXTRA_BOTS = [line]
    with pytest.raises(ImproperlyConfigured, match="name=module:Class"):
        engines()
