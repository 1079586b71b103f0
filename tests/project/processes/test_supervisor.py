"""How long nobody is served when a process falls again and again."""

import time

from blockyou.processes.supervisor import Child


def test_a_process_that_falls_again_and_again_is_away_for_five_seconds_at_most() -> None:
    child = Child("web", [], started_at=time.monotonic())
    pauses = []
    for _ in range(20):
        pauses.append(child.pause())
        child.note_crash()
    assert pauses[:4] == [0.0, 0.5, 1.0, 2.0]
    assert max(pauses) == 5.0
