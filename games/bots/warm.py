"""Getting the engines ready before the first turn: what they import and compile is paid for once, before forking."""

import logging
import os
import shutil
import threading
import time
from functools import cache
from pathlib import Path

from games.bots.factory import make_engine
from games.roster.entries import BOTS, Bot
from games.rules import Position

logger = logging.getLogger(__name__)

#: The smallest board for two and the usual one for four.
BOARDS = ("duo", "blockyou-4")

#: Compiled code of another release is deleted when no process has started with it for this long: two releases run side
#: by side for a while, and a host may go back to the one before.
KEPT_SECONDS = 7 * 24 * 3600


def warm_up() -> None:
    """Choose a first move with one bot of each family. Not for web processes; takes seconds the first time of all."""
    # Here, since naming this module is all that a web process does.
    from games.bots.engines import compiled, kept

    if compiled.IS_COMPILED and not compiled.IS_KEPT:
        folder = kept.cache_folder()
        logger.warning("The engines are compiled anew at every start: %s cannot be written.", folder)
    began = time.monotonic()
    if compiled.IS_KEPT:
        folder = kept.cache_folder()
        keep_compiled(folder)
        if kept.is_to_compile():
            compile_elsewhere()
    warm_up_engines()
    if compiled.IS_KEPT:
        (kept.cache_folder() / kept.COMPLETE).touch()
    logger.info("The engines were ready after %.1f s.", time.monotonic() - began)


def compile_elsewhere() -> None:
    """Compile the engines in a process of its own that ends: the compiler leaves 100 MiB behind that workers share.

    Whatever becomes of it, this process then loads what is there, and compiles the rest.
    """
    # Nothing is written to it: it closes when this process dies, and the other one follows.
    end, hold = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(hold)
        threading.Thread(target=_follow, args=(end,), daemon=True, name="follow the workers' process").start()
        try:
            warm_up_engines()
        finally:
            os._exit(0)
    try:
        os.waitpid(pid, 0)
    finally:
        os.close(hold)
        os.close(end)


def _follow(end: int) -> None:
    os.read(end, 1)
    os._exit(1)


def warm_up_engines() -> None:
    """Choose a first move with one bot of each family on each kind of board."""
    for bot in _one_of_each():
        try:
            for board in BOARDS:
                make_engine(bot).think(Position.start(board), seed=0, number=1)
        except Exception:
            # Its turns will say so again, and the greedy engine plays them.
            logger.exception("Bot %s does not warm up.", bot.name)
    play_an_ending()


def play_an_ending() -> None:
    """Search an ending, which compiles that code: no turn of a game pays for it."""
    from games.bots.engines.search import SearchEngine

    try:
        SearchEngine(1000).think(an_ending(), seed=0, number=1)
    except Exception:
        logger.exception("Endings do not warm up.")


@cache
def an_ending(board: str = "junior") -> Position:
    """Return a position in which little is left to place: the last of a game by the first legal placements.

    Without an argument it is one of the smallest board for two, which every search of endings looks through.
    """
    position = last = Position.start(board)
    while not position.is_over:
        if position.has_legal():
            last = position
            position = position.play_id(position.legal_ids()[0])
        else:
            position = position.pass_turn()
    return last


def keep_compiled(folder: Path, now: float | None = None) -> None:
    """Note that the compiled code in a folder is used, and delete what stands beside it and has not been for a week."""
    now = time.time() if now is None else now
    os.utime(folder, (now, now))
    for other in folder.parent.glob("compiled-*"):
        if other.stat().st_mtime < now - KEPT_SECONDS:
            # Another process that starts may be deleting it too.
            shutil.rmtree(other, ignore_errors=True)


def _one_of_each() -> list[Bot]:
    """Return of every family of ours the bot that thinks least, but no slow one: compiling it is the same.

    An engine of the host's own gets ready with its first move: there its time is limited, and here it could hang.
    """
    quick = sorted((bot for bot in BOTS.values() if not bot.is_slow), key=lambda bot: -bot.simulations)
    return list({bot.family or bot.name: bot for bot in quick}.values())
