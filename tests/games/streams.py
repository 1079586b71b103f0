"""Answers that are sent while they are made, read as a browser reads them."""

from collections.abc import AsyncIterator
from typing import Any
from unittest.mock import patch

from asgiref.sync import async_to_sync


def read_parts(answer: Any) -> list[bytes]:
    """Return the parts of a streamed answer as they come."""
    # As Django's own client leaves them open: they hold the transaction of the test.
    with patch("games.views.history.close_old_connections"):
        return async_to_sync(_parts)(answer.streaming_content)


def read_streamed(answer: Any) -> str:
    """Return a streamed answer as text."""
    return b"".join(read_parts(answer)).decode()


async def _parts(content: AsyncIterator[bytes]) -> list[bytes]:
    return [part async for part in content]
