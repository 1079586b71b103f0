"""A NUL in an address is refused before any page asks the database for it, which PostgreSQL would take for a fault."""

import pytest
from django.test import Client

from tests.reliability.addresses import addresses
from tests.reliability.world import World, parts

pytestmark = pytest.mark.django_db
NUL = "a%00b"


def with_nul(path: str) -> list[str]:
    """Return the address with a NUL in each of its parts in turn, the last ones of which no page has fixed."""
    steps = path.split("/")
    return ["/".join([*steps[:at], step + NUL, *steps[at + 1 :]]) for at, step in enumerate(steps) if step]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_address_takes_a_nul(world: World, method: str) -> None:
    # Of someone who is not logged in: what let a NUL by would send them to the log-in, with another status.
    client, found = world.browser("nobody"), dict[str, int]()
    for name in addresses():
        path = world.path(name, world.games["running", "private"])
        asked = [f"{path}?token={NUL}", f"{path}?{NUL}", *(with_nul(path) if parts(name) else ())]
        found |= {each: client.generic(method, each).status_code for each in asked}
    assert {path: status for path, status in found.items() if status not in {400, 404}} == {}


@pytest.mark.parametrize(
    "path",
    ["/feeds/%00/notices.atom", "/feeds/%00/deadlines.ics", "/accounts/unsubscribe/%00/", "/api/v1/players/%00"],
)
def test_what_is_looked_up_by_a_nul_is_no_fault(path: str) -> None:
    assert Client(raise_request_exception=False).get(path).status_code in {400, 404}


def test_a_program_reads_a_problem_and_a_person_a_page(client: Client) -> None:
    program, person = client.get("/api/v1/players/a%00"), client.get("/lobby/?page=%00")
    assert (program.status_code, program.json()["code"]) == (400, "bad-request")
    assert (person.status_code, person["Content-Type"]) == (400, "text/html; charset=utf-8")


def test_a_per_cent_sign_and_zeros_are_no_nul(client: Client) -> None:
    assert client.get("/lobby/?page=%2500").status_code in {200, 302}
