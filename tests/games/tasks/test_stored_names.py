"""Jobs are stored by name: those that wait while the code is replaced have to be found by the new code."""

import pytest
from django.utils.module_loading import import_string

#: Every name under which a release has stored jobs.
NAMES = (
    "advise",
    "go_on_reviewing",
    "mail_confirmation",
    "mail_reset",
    "notify_of_turn",
    "open_next_of_group",
    "play_bot_turn",
    "send_mail",
    "send_test_to_receiver",
    "step_bot_turn",
    "tell_receiver",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_job_is_found_by_every_name_it_has_had(name: str) -> None:
    found = import_string(f"games.tasks.{name}")
    assert callable(found.func)
    assert found.module_path in {f"games.tasks.{known}" for known in NAMES}
