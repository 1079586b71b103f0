"""Stored positions keep the counts that two engines once agreed on."""

from tests.rules.gold import read


def test_every_stored_position_has_the_counts_agreed_by_two_engines() -> None:
    compared = 0
    for record, counts in read():
        for position, expected in zip(record.positions(), counts, strict=False):
            assert tuple(position.legal_count(colour) for colour in position.colours_in_play) == expected
            compared += 1
        assert record.replay().is_over
    assert compared >= 1000
