"""What the document says of every operation is true: Schemathesis asks, and holds every answer against it.

Every request is undone, so that each finds the same games, and what erases or revokes takes nothing from the next. The
streams end with their first lines here: without a server nothing leaves an answer open.
"""

import json
import os
import random
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from django import test
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import got_request_exception, request_finished, request_started
from django.db import close_old_connections, transaction
from schemathesis import Case, Response, checks
from schemathesis.core.failures import FailureGroup

from games.api.site import document
from tests.games.api.cases import SEED, Target, cases_of, operations_of
from tests.games.bots.fakes import FirstFew
from tests.proof import proof
from tests.reliability.world import World

#: Requests in all, at least: those of every change, and those of the full proof.
QUICK, FULL = 2_000, 10_000
#: Tests that share the operations, so that processes can share the work.
PARTS = 4
LINES = "application/x-ndjson"
#: What no request of these does: no colour of these games has nothing that fits, and no channel waits for a yes.
NEVER = {
    "POST /api/v1/games/{slug}/pass",
    "POST /api/v1/games/{slug}/webhook/agree",
    # No one has been there for long enough to have earned any.
    "POST /api/v1/holidays",
}
HELD = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
]


@pytest.fixture
def kept_connection(db: None) -> Iterator[None]:
    """Let requests leave the connection of the test alone, as Django's own client does."""
    signals = [signal for signal in (request_started, request_finished) if signal.disconnect(close_old_connections)]
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.mark.usefixtures("kept_connection")
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("number", [QUICK, *proof(int(os.environ.get("N", FULL)))])
@pytest.mark.slow
def test_every_answer_is_what_the_document_says(number: int, part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.bots.reviewer.strong_engine", FirstFew)
    monkeypatch.setattr("games.api.door.REQUESTS_A_MINUTE", 1_000_000)
    asked, operations = Asked(Target(World(), document())), operations_of(document())
    # A fifth more: of the few operations that take nothing there are not as many.
    share = number * 12 // (10 * len(operations)) + 1
    for operation in operations[part::PARTS]:
        for place, case in enumerate(cases_of(operation, share)):
            asked.ask(case, random.Random(f"{SEED} {operation.label} {place}"))
    assert not asked.failures, "\n\n".join([f"seed {SEED}", *asked.failures[:20]])
    assert sum(map(Counter.total, asked.told.values())) >= number // PARTS
    if number >= QUICK:
        assert {label for label, told in asked.told.items() if min(told) >= 300} <= NEVER


class Asked:
    """What has been asked of the site and how it answered: the statuses of each operation, and what was wrong."""

    def __init__(self, target: Target) -> None:
        self.target, self.handler = target, WSGIHandler()
        self.told: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self.failures: list[str] = []

    def site(self, environ: dict[str, Any], start: Any) -> Any:
        """Answer as a server would have asked, which knows from where a request comes."""
        return self.handler({**environ, "REMOTE_ADDR": "127.0.0.1"}, start)

    def ask(self, case: Case, chance: random.Random) -> None:
        """Send a request, hold the answer against the document, and undo what was done."""
        cache.clear()
        self.target.aim(case, chance)
        errors: list[str] = []

        def note(**_about: Any) -> None:
            errors.append(traceback.format_exc(limit=-3))

        got_request_exception.connect(note)
        try:
            with transaction.atomic():
                with test.TestCase.captureOnCommitCallbacks(execute=True):
                    answer = case.call(app=self.site)
                transaction.set_rollback(True)
        finally:
            got_request_exception.disconnect(note)
        self.told[case.operation.label][answer.status_code] += 1
        try:
            case.validate_response(answer, checks=[*HELD, content_conformance])
        except (FailureGroup, ValueError) as wrong:
            self.failures.append("\n".join([f"{case.operation.label}: {wrong}", *errors]))


def content_conformance(context: Any, answer: Response, case: Case) -> bool | None:
    """Hold the content against its schema; of what is sent line by line, every line that is not empty."""
    if not (answer.headers.get("content-type") or [""])[0].startswith(LINES):
        return checks.response_schema_conformance(context, answer, case)
    found = document()
    answers = found["paths"][case.operation.path][case.operation.method.lower()]["responses"]
    schema = answers[answer.status_code]["content"][LINES]["schema"]
    validator = jsonschema_rs.Draft202012Validator({**schema, "components": found["components"]})
    for line in filter(None, answer.content.splitlines()):
        validator.validate(json.loads(line))
    return None
