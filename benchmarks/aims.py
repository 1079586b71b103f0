"""What a benchmark is to come to: whether it has is told in its last lines, and by its exit status."""

import os
import sys
from collections.abc import Mapping

#: Set to 1 where figures mean nothing: in the smallest form, or where all else on the machine comes first.
UNJUDGED = "BENCHMARKS_UNJUDGED"
#: How a line begins that names an aim which was missed.
MISSED = "missed: "


def judge(aims: Mapping[str, bool]) -> None:
    """Print the aims that were missed, given whether each is met, and end with the status 1 if there is one.

    Raises: SystemExit.
    """
    missed = [aim for aim, is_met in aims.items() if not is_met]
    if os.environ.get(UNJUDGED) == "1":
        return
    for aim in missed:
        print(f"{MISSED}{aim}", flush=True)
    if missed:
        sys.exit(f"{len(missed)} of {len(aims)} aims were missed.")
    print(f"all {len(aims)} aims are met", flush=True)
