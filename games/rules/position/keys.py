"""Keys of positions, 64 bits wide: made of fixed numbers alone, so the same on every machine and in every process."""

from hashlib import sha256

#: A key is a sum that drops what lies beyond its 64 bits.
ALL_BITS = 2**64 - 1


def key_of_text(text: str) -> int:
    """Return a number of 64 bits for a text."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def key_of_number(number: int) -> int:
    """Return a number of 64 bits for one from 0 on, without a pattern from number to number (SplitMix64)."""
    mixed = (number + 1) * 0x9E3779B97F4A7C15 & ALL_BITS
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & ALL_BITS
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & ALL_BITS
    return mixed ^ mixed >> 31


def key_of_placement(colour: int, placement_id: int) -> int:
    """Return the part of a key that a placement adds, whenever it was placed."""
    return key_of_number(colour << 32 | placement_id)
