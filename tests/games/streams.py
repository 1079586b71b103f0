"""Answers that are made while they are sent."""

from typing import Any


def read_parts(answer: Any) -> list[bytes]:
    """Return the parts of a streamed answer as they come."""
    return list(answer.streaming_content)


def read_streamed(answer: Any) -> str:
    """Return a streamed answer as text."""
    return b"".join(read_parts(answer)).decode()
