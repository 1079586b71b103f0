"""The tests. Sites that they start in folders of their own share one cache of compiled engines."""

import os
from pathlib import Path

os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).resolve().parents[1] / "var" / "engines"))
