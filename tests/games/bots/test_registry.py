"""The bots that can be seated."""

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


def test_random_and_greedy_are_offered_with_words_for_people() -> None:
    assert engine_names() == tuple(offered_bots()) == ("random", "greedy")
    assert all(bot.title and bot.description for bot in engines().values())


def test_further_engines_come_from_the_environment(settings: Settings) -> None:
    settings.EXTRA_BOTS = ["burner=benchmarks.burner:Burner"]
    assert engine_names() == ("random", "greedy", "burner")
    assert "CPU" in str(engines()["burner"].description)


@pytest.mark.parametrize(
    "line", ["burner", "burner=", "burner=benchmarks.burner", "x=nowhere:Burner", "x=benchmarks:Y"]
)
def test_a_line_that_names_no_engine_is_refused_in_a_sentence(settings: Settings, line: str) -> None:
    settings.EXTRA_BOTS = [line]
    with pytest.raises(ImproperlyConfigured, match="name=module:Class"):
        engines()
