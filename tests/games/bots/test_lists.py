"""The lists that engines make by themselves are those of the rules."""

import pytest

from games.rules import VARIANTS
from tests.games.bots.lists import compare
from tests.proof import mostly_proof

#: Boards of a chosen size: the smallest, the largest.
SIZED = ("codingame-2:7:3", "codingame-4:26:5")


@pytest.mark.parametrize("variant", mostly_proof((*VARIANTS, *SIZED), "duo", "blockyou-3", "trigon-2"))
def test_every_list_of_a_game_is_that_of_the_rules(variant: str) -> None:
    assert compare(variant, 5) > 40
