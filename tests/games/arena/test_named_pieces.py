"""Named opening pieces in matches: our engines open with theirs, other programs cannot be told of any."""

import pytest

from games.arena.errors import ArenaError
from games.arena.external import check_variant
from games.arena.players import own_engine
from games.rules import Position


@pytest.mark.parametrize("name", ["random", "greedy", "sage-2", "sage-3", "mason-4", "hermit-5"])
@pytest.mark.parametrize("variant", ["duo:X:1", "classic-2:I5:2"])
def test_every_kind_of_engine_opens_with_the_named_pieces(name: str, variant: str) -> None:
    engine, position = own_engine(name), Position.start(variant)
    for _colour in position.variant.colours:
        wanted = position.variant.named_pieces[position.seat or 0]
        answer = engine.think(position, seed=3, number=position.move_count + 1)
        assert answer.placement.piece == wanted
        position = position.play(answer.placement)


def test_other_programs_are_not_asked_to_play_with_them() -> None:
    check_variant("duo")
    with pytest.raises(ArenaError, match="duo:N:W"):
        check_variant("duo:N:W")
