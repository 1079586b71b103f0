"""Memory of the engines, as the workers' process and a worker hold them; `benchmarks.memory` prints it. Linux only."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def tell_first_start() -> None:
    """Print what the very first start holds and takes: all engines are compiled, which takes half a minute."""
    with tempfile.TemporaryDirectory(prefix="block-you-compiled-") as nowhere:
        print(f"first start  {_printed_by('get_ready()', NUMBA_CACHE_DIR=nowhere)}")


def tell_worker(boards: int) -> None:
    """Print how much memory a worker holds after games on that many boards, or on all if there are fewer."""
    print(f"worker       {_printed_by(f'grow({boards})')}")


def _printed_by(call: str, **environment: str) -> str:
    program = f"from benchmarks import engine_memory; engine_memory.{call}"
    settings = {"DJANGO_SETTINGS_MODULE": "blockyou.settings.test", "PYTHONUNBUFFERED": "1", **environment}
    command = [sys.executable, "-c", program]
    run = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **settings}, stdout=subprocess.PIPE, text=True, check=True
    )
    return run.stdout.splitlines()[-1]


def get_ready() -> None:
    """Compile the engines as a start without compiled code does, and print what that took."""
    _warm_up()
    # The process that compiles is another, which has ended.
    seconds = sum(os.times()[:4])
    print(f"{_held()}, {seconds:.0f} s of CPU, nothing compiled before")


def grow(boards: int) -> None:
    """Run the bot that thinks longest on that many boards in a forked process, and print the memory it holds."""
    _warm_up()
    from games.bots.factory import make_engine
    from games.roster.entries import BOTS
    from games.rules import VARIANTS, Position

    longest = max(BOTS.values(), key=lambda bot: bot.simulations)
    if os.fork():
        _child, status = os.wait()
        sys.exit(os.waitstatus_to_exitcode(status))
    variants = list(VARIANTS)[:boards]
    for variant in variants:
        make_engine(longest).think(Position.start(variant), seed=0, number=1)
    print(f"{_held()}, after {longest.name} on each of {len(variants)} boards")
    os._exit(0)


def _warm_up() -> None:
    import django

    django.setup()
    from games.bots.warm import warm_up

    warm_up()


def _held() -> str:
    status = Path("/proc/self/status").read_text()
    now, peak = (int(re.findall(rf"{name}:\s+(\d+) kB", status)[0]) / 1024 for name in ("VmRSS", "VmHWM"))
    return f"{now:6.1f} MiB resident, {peak:.1f} at most"


if __name__ == "__main__":
    tell_first_start()
    tell_worker(100)
