"""Where compiled code is kept, for whoever wants to know without loading the compiler."""

import hashlib
import os
import tempfile
from importlib.util import find_spec
from pathlib import Path

ENGINES = Path(__file__).parent
VAR = ENGINES.parents[2] / "var"
#: A file that says that all which the engines need has been compiled: a process may end in the middle of that.
COMPLETE = "complete"


def is_compiler_used() -> bool:
    """Return whether the engines run as machine code in a process that is started with this environment."""
    return find_spec("numba") is not None and os.environ.get("BOTS_COMPILED", "1") != "0"


def is_to_compile() -> bool:
    """Return whether the engines have to be compiled before they run as machine code, which takes half a minute."""
    return is_compiler_used() and not (cache_folder() / COMPLETE).exists()


def cache_folder() -> Path:
    """Return where compiled code is kept: a folder for each state of the engines' sources.

    The compiler looks at one source file at a time. It would load code compiled with an older helper of another file,
    and fails at code that names a class which is no longer there.
    """
    state = hashlib.blake2s(digest_size=6)
    for path in sorted(ENGINES.glob("*.py")):
        state.update(path.read_bytes())
    named = os.environ.get("NUMBA_CACHE_DIR")
    # Not beside the source, where numba would put it: a service seldom owns its code.
    kept = Path(named) if named else Path(os.environ.get("VAR_DIR") or VAR) / "engines"
    return kept / f"compiled-{state.hexdigest()}"


def can_keep(folder: Path) -> bool:
    """Return whether compiled code can be written there; the folder is made.

    numba refuses to compile what it is asked to keep and cannot.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
