"""Every page is seen in some state: by axe-core, on small screens and in pictures."""

from tests.browser.demo import NO_PAGES, VISITS
from tests.reliability.addresses import addresses
from tests.reliability.matrix import read_matrix


def test_every_page_has_a_state_to_be_seen_in() -> None:
    matrix = read_matrix()
    answers: dict[str, set[int]] = {}
    for (name, method, _state), statuses in matrix.items():
        if method == "GET":
            answers.setdefault(name, set()).update(statuses)
    # What answers programs alone is no page.
    pages = {
        name
        for name, pattern in addresses().items()
        if answers.get(name) != {405} and not pattern.lstrip("/").startswith("api/v1/")
    }
    assert pages == VISITS.keys() | NO_PAGES
