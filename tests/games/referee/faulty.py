"""Plays the first move it is offered, until the turn at which it has its fault: `faulty.py FAULT TURN`."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import NoReturn, TextIO


def flood(stream: TextIO) -> NoReturn:
    while True:
        stream.buffer.write(b"x" * 65536)


def escape() -> NoReturn:
    """Leave a grandchild in a session of its own, whose parent has ended and who knows nothing of this program."""
    if not os.fork():
        os.setsid()
        child = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={})
        os.write(2, f"child {child.pid}\n".encode())
        os._exit(0)
    os.wait()
    sys.exit(3)


def fault(kind: str, move: str) -> None:
    if kind == "dies":
        sys.exit("out of ideas")
    if kind == "sleeps":
        time.sleep(600)
    if kind == "floods":
        flood(sys.stdout)
    if kind == "complains":
        sys.stderr.write("y" * 1_000_000 + " the end")
    if kind == "half":
        move = move[:3]
        os.write(1, move.encode())
        sys.exit(3)
    if kind == "closes":
        os.close(1)
        time.sleep(600)
    if kind == "forks":
        child = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL)
        os.write(2, f"child {child.pid}\n".encode())
        sys.exit(3)
    if kind == "escapes":
        escape()
    if kind == "mutinies":
        child = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL)
        os.write(2, f"child {child.pid}\n".encode())
        os.kill(os.getppid(), signal.SIGKILL)
        sys.exit(3)
    answers = {"bytes": b"\xff\xfe\n", "nonsense": b"pass\n", "empty": b"\n", "nul": b"\0\n", "far": b"99 99 A001\n"}
    os.write(1, answers.get(kind, f"{move}\n".encode()))


def main(kind: str = "", at: str = "1") -> None:
    for _ in range(int(input())):
        input()
    _players, _me, size, _letters = input(), input(), int(input()), input()
    turn = 0
    while True:
        turn += 1
        for _ in range(size):
            input()
        for _ in range(int(input())):
            input()
        moves = [input() for _ in range(int(input()))]
        if turn == int(at):
            fault(kind, moves[0])
        else:
            os.write(1, f"{moves[0]}\n".encode())


if __name__ == "__main__":
    # The end of the input is the end of the game.
    with suppress(EOFError):
        main(*sys.argv[1:])
