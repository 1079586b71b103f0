"""Programs plan as people do."""

from tests.games.api.conftest import program as program
