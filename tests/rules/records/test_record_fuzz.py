"""100,000 broken files and more: whatever is read, only errors of the rules come out.

Seeded, so that every run reads the same files. The files are short, for the many errors lie close to
their beginning; long and deep ones have tests of their own.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest

from games.rules.errors import RulesError
from games.rules.record import Record
from games.rules.records import GameRecord, read, write_blksgf, write_json
from tests.proof import mostly_proof

PARTS = 10
CASES = 12_000

GAMES = [
    GameRecord(Record("duo", ("L5:e9,e10,f10,g10,h10", "2:j5,k5")), comments={0: "a]\\b", 2: "é"}, players=("Ann",)),
    GameRecord(Record("junior", ("1:e10",)), (("orange", "2:a1,b1"),), "green", date="2026-11-21"),
    GameRecord(Record("duo", ("1:e10", "retire:1")), title="t", result="B+R"),
]
FILES = [write(game).encode() for game in GAMES for write in (write_blksgf, write_json)]
FILES += [
    b"(;GM[Blokus Duo]AB[a1]AE[a1](;B[e10](;W[j5])(;W[j5,k5]))(;BLUE[e10][e11]))",
    b'{"format":"block-you","version":1,"variant":"duo","moves":["e10","pass"],"comments":{"0":"x"}}',
]
TOKENS = [
    *(b"(", b")", b";", b"[", b"]", b"\\", b",", b":", b"{", b"}", b'"', b"\n", b"\r", b"\x00", b"\xff", b"\xc3", b" "),
    *(b"(;", b"((((((((", b"[[[[[[[[", b"a1", b"e10", b"zz99", b"a1,a1", b"\xef\xbb\xbf", b"9" * 5000),
    *(
        b"GM",
        b"B",
        b"W",
        b"1",
        b"2",
        b"AE",
        b"AB",
        b"PL",
        b"XR[B]",
        b"XP[W]",
        b"XS[basic]",
        b"C[",
        b"Blokus Duo",
        b"Blokus",
    ),
    *(b"null", b"true", b"-1", b"1e999", b"NaN", b"[]", b"{}", b"\\ud800", b'"pass"', b'"retire:0"', b'"moves":'),
    *(b"Blokus Duo", b'"setup":{"placed":[["green","a1"]]},'),
]


def cut(dice: Random, data: bytes) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def flip(dice: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        if changed:
            changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def insert(dice: Random, data: bytes) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] + dice.choice(TOKENS) * dice.choice((1, 1, 1, 2, 40)) + data[at:]


def drop(dice: Random, data: bytes) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] + data[at + dice.randint(1, 9) :]


def repeat(dice: Random, data: bytes) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] + data[at : at + dice.randint(1, 60)] * 2 + data[at:]


def splice(dice: Random, data: bytes) -> bytes:
    return cut(dice, data) + dice.choice(FILES)[dice.randrange(40) :]


def scramble(dice: Random, data: bytes) -> bytes:
    return data[:1] + b"".join(dice.choice(TOKENS) for _ in range(dice.randint(1, 12)))


BREAKS: list[Callable[[Random, bytes], bytes]] = [cut, flip, flip, insert, insert, drop, repeat, splice, scramble]


def broken(seed: int) -> Iterator[bytes]:
    """Yield files, each broken in one way or in several."""
    dice = Random(seed)
    for _ in range(CASES):
        data = dice.choice(FILES)
        for _ in range(dice.choice((1, 1, 1, 2, 3))):
            data = dice.choice(BREAKS)(dice, data)
        yield data


@pytest.mark.parametrize("part", mostly_proof(range(PARTS), 0))
def test_only_errors_of_the_rules_come_out_of_broken_files(part: int) -> None:
    seen: Counter[str] = Counter()
    ends: set[str] = set()
    for data in broken(part):
        try:
            game = read(data)
        except RulesError as error:
            seen[type(error).__name__] += 1
            ends.add(str(error)[-1:])
        else:
            seen["read"] += 1
            assert read(write_json(game)) == game
    assert (sum(seen.values()), ends) == (CASES, {"."})
    assert min(seen[kind] for kind in ("read", "UnreadableFile", "UnreadableRecord", "IllegalRecord")) > 100, seen


def test_what_is_read_of_a_broken_file_is_written_and_read_again() -> None:
    found = 0
    for data in islice(broken(PARTS), 2_000):
        try:
            game = read(data)
        except RulesError:
            continue
        *_, last = game.positions()
        found += 1
        again = read(write_blksgf(game))
        assert again.comments == game.comments
        assert list(again.positions())[-1].board == last.board
    assert found > 100
