"""The figures in docs/benchmarks.md: for each benchmark what it printed last, when, and of which commit."""

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"

#: Before the figures of the first benchmark; nothing but figures follows.
HEADING = "## Figures\n"


def write_figures(part: str, output: str, page: Path = PAGE) -> None:
    """Put what a benchmark has printed into the page, in place of what stands there of the same benchmark."""
    before, heading, text = page.read_text().partition(HEADING)
    if not heading:
        raise ValueError(f"{page} has no heading for figures")
    intro, *found = re.split(r"^### ", text, flags=re.MULTILINE)
    parts = {one.partition("\n")[0]: one.rstrip() for one in found}
    parts[part] = f"{part}\n\n{circumstances()}\n\n```text\n{output.strip()}\n```"
    sections = "".join(f"\n### {parts[name]}\n" for name in sorted(parts))
    page.write_text(f"{before}{heading}{intro.rstrip()}\n{sections}")


def circumstances() -> str:
    """Return when and of which commit figures are taken, on how many cores and how busy a machine."""
    commit = _git("rev-parse", "--short=10", "HEAD") + (
        " with changes" if _git("status", "--porcelain", "-uno") else ""
    )
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit or 'unknown'}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores with {busy:.1f} processes each."
    )


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()
