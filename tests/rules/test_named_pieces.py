"""Variants for two whose opening pieces one player has named: a side opens with its piece, and nothing else differs."""

import pickle

import pytest

from games.rules import IllegalPlacement, Position
from games.rules.errors import OPENING_PIECE, UnknownVariant, UnreadableFile
from games.rules.placement import table_for
from games.rules.record import Record
from games.rules.records import GameRecord, has_blksgf, read, write_blksgf, write_json
from games.rules.variants import NAMED, SIZED, VARIANTS, get_variant, named_id
from tests.rules.games import random_game


def opened(kind: str) -> str:
    names = [piece.name for piece in VARIANTS[kind].pieces]
    return named_id(kind, (names[-1], names[4]))


def test_every_game_for_two_may_have_named_pieces_but_those_whose_pieces_are_drawn() -> None:
    assert set(NAMED) == {kind for kind, variant in VARIANTS.items() if variant.seats == 2} - set(SIZED)


@pytest.mark.parametrize("kind", NAMED)
def test_each_colour_of_a_side_opens_with_the_piece_of_its_side_and_then_plays_on_as_ever(kind: str) -> None:
    position, plain = Position.start(opened(kind)), VARIANTS[kind]
    first, second = position.variant.named_pieces
    assert table_for(position.variant) is table_for(plain)
    for turn in range(len(plain.colours)):
        wanted = (first, second)[position.seat or 0]
        legal = position.legal_placements()
        assert {placement.piece for placement in legal} == {wanted}
        other = next(each for each in Position.start(kind).legal_placements() if each.piece != wanted)
        if not turn:
            with pytest.raises(IllegalPlacement) as refused:
                position.check(other)
            assert OPENING_PIECE in refused.value.reasons
        position = position.play(legal[0])
    assert len({placement.piece for placement in position.legal_placements()}) > 2


@pytest.mark.parametrize("kind", NAMED)
def test_a_piece_may_be_named_where_a_side_can_open_with_it(kind: str) -> None:
    names = [piece.name for piece in VARIANTS[kind].pieces]
    starts = {name: Position.start(named_id(kind, (name, name))) for name in names}
    assert [*VARIANTS[kind].opening_pieces] == [name for name in names if starts[name].has_legal()]
    # The cross has no cell in its corners.
    assert {*names} - {*VARIANTS[kind].opening_pieces} == ({"X"} if kind in {"classic-2", "blockyou-2"} else set())


@pytest.mark.parametrize(
    "text",
    ["duo:N", "duo:N:N:N", "duo:N:Q", "duo:n:w", "duo::", "junior:F:P", "classic-4:N:W", "codingame-2:N:W", "duo:N:W "],
)
def test_an_id_with_other_pieces_or_of_another_game_is_unknown(text: str) -> None:
    with pytest.raises(UnknownVariant):
        get_variant(text)


def test_what_was_named_is_told_by_the_variant_and_survives_pickling() -> None:
    variant = get_variant("duo:N:W")
    assert (variant.family, variant.named_pieces) == ("duo", ("N", "W"))
    assert pickle.loads(pickle.dumps(variant)) == variant
    assert [get_variant(kind).named_pieces for kind in ("duo", "codingame-3")] == [(), ()]


@pytest.mark.parametrize("kind", NAMED)
def test_records_keep_what_was_named(kind: str) -> None:
    game = GameRecord.of(random_game(3, opened(kind)))
    assert Record.from_json(game.record.to_json()) == game.record
    assert read(write_json(game)).record == game.record
    if has_blksgf(game.variant):
        assert read(write_blksgf(game)) == game


def test_a_file_says_the_named_pieces_in_a_property_of_our_own() -> None:
    text = write_blksgf(GameRecord.of(Position.start("duo:N:W")))
    assert "GM[Blokus Duo]" in text
    assert "XO[N,W]" in text
    assert "XO" not in write_blksgf(GameRecord.of(Position.start("duo")))
    with pytest.raises(UnreadableFile, match="the piece that each seat opens with"):
        read(text.replace("N,W", "N,Q"))
