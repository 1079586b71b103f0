"""Which pieces fit somewhere, against the list of all legal placements."""

import random

import pytest

from games.rules import Position
from games.rules.variants import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_piece_fits_exactly_if_one_of_its_placements_is_legal(variant: str) -> None:
    position, rng = Position.start(variant), random.Random(1)
    while not position.is_over:
        for colour in position.colours_in_play:
            legal = {placement.piece for placement in position.legal_placements(colour)}
            assert position.fitting_pieces(colour) == legal
        for _turn in range(5):
            if not position.is_over:
                ids = position.legal_ids()
                position = position.play_id(rng.choice(ids)) if ids else position.pass_turn()
