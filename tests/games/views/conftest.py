"""What the tests of pages ask for."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

QueryCount = Callable[[Client, str], int]


@pytest.fixture
def query_count(db: None) -> QueryCount:
    """Return a function that counts the queries of a page, the second time it is asked for."""

    def count(client: Client, address: str) -> int:
        client.get(address)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    return count
