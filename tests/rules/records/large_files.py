"""Files of 1 MiB that were made to cost much, and a program that prints what reading each costs.

It is counted in plain loops over 1 MiB, measured beside each reading: seconds are other ones on every machine.
"""

from contextlib import suppress
from time import process_time

from games.rules.errors import RulesError
from games.rules.records import read
from games.rules.records.sgf import LONGEST_FILE

#: A file is read so often, and the least counts: a busy machine makes the others longer.
TIMES = 3

#: What the plain loop goes over.
PLAIN = " " * LONGEST_FILE
SGF, JSON = "(;GM[Blokus]", '{"format":"block-you","version":1,"variant":"blockyou-4",'


def full(head: str, unit: str, tail: str = ")") -> str:
    """Return a file of the greatest length that repeats something."""
    return head + unit * ((LONGEST_FILE - len(head) - len(tail)) // len(unit)) + tail


def keyed(name: str, value: str) -> str:
    """Return JSON with as many turns as it has room for, each with that value."""
    turns = ",".join(f'"{number}":{value}' for number in range(99_999))
    return f'{JSON}"{name}":{{{turns[: LONGEST_FILE - 200].rpartition(",")[0]}}}}}'


def within_limits(unit: str) -> str:
    """Return a file with almost as many nodes and values as are read."""
    return SGF + unit * 19_990 + ")"


CELLS = [f"{column}{row}" for row in range(1, 21) for column in "abcd"]
FILES = {
    "set up and cleared": full(SGF, ";A1[a1]AE[a1]"),
    "set up and cleared in one node": full(SGF, "A1[a1]A2[b1]A3[c1]AE[a1][b1][c1]"),
    "cleared among many": full(SGF + "A1" + "".join(f"[{cell}]" for cell in CELLS), f";AE[{CELLS[0]}]A1[{CELLS[0]}]"),
    "pieces of five cells": full(SGF, ";A1[a1,a2,a3,a4,a5]AE[a5,a4,a3,a2,a1]"),
    "who is to play": within_limits(";PL[1]X[]"),
    "many values": full(SGF + "X", "[]"),
    "many properties": full(SGF, "A[]"),
    "many nodes": full(SGF, ";"),
    "as many nodes and values as are read": within_limits(";C[x]TE[1]"),
    "deep nesting": "(;A[]" * 19_990 + ")" * 19_990,
    "long comments": full(SGF, ";C[" + "x" * 65_000 + "]"),
    "control characters": full(SGF, ";C[" + "a\x01" * 32_000 + "]"),
    "escapes": full(SGF, ";C[" + "\\\\" * 32_000 + "]"),
    "escaped ends of lines": full(SGF, ";C[" + "\\\n" * 32_000 + "]"),
    "names full of space": SGF + "".join(f"P{n}[a{' ' * 65_000}b]" for n in (1, 2, 3, 4)) + ")",
    "names full of lines": SGF + "P1[a" + " \n" * 32_000 + "b])",
    "a move of many values": full(SGF + ";1", "[a1]"),
    "many moves": full(SGF + ";1[a20];2[t20];3[t1];4[a1]", ";1[b19]"),
    "many passes": full(SGF, ";XP[1]"),
    "long names of properties": full(SGF, "A" * 32 + "[]"),
    "many games": full("", "(;)", ""),
    "no end": full(SGF + "C[", "\\", ""),
    "json: moves": full(JSON + '"moves":["1:a1"', ',"x"', "]}"),
    "json: players": full(JSON + '"players":[""', ',""', "]}"),
    "json: spaces as players": full(JSON + '"players":[" "', ',"  "', "]}"),
    "json: set up": full(JSON + '"setup":{"placed":[["blue","a1"]', ',["blue","a1"]', "]}}"),
    "json: comments": keyed("comments", '""'),
    "json: thoughts": keyed("thoughts", "{}"),
    "json: times": full(JSON + '"times":{"moves":{"1":null', ',"1":"2026-11-25T12:00:00.000Z"', "}}}"),
    "json: a title full of space": full(JSON + '"title":"a', " ", 'b"}'),
    "json: keys": full(JSON + '"x":[{}', ',{"":{}}', "]}"),
}


def cost(data: bytes) -> float:
    """Return as how many plain loops reading takes: its CPU time beside that of a loop just before."""
    begin = process_time()
    for letter in PLAIN:
        if letter == "(":
            break
    looped = process_time()
    with suppress(RulesError):
        read(data)
    return (process_time() - looped) / (looped - begin)


if __name__ == "__main__":
    read(SGF + ")")  # the tables are made
    for file_name, file_text in FILES.items():
        print(f"{min(cost(file_text.encode()) for _ in range(TIMES)):.1f} {file_name}")  # noqa: T201
