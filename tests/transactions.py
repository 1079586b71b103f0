"""What must not happen while a transaction of the site is open: whatever takes long, since others wait for its end."""

import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from http.client import HTTPConnection, HTTPSConnection
from importlib.machinery import ModuleSpec
from pathlib import Path
from smtplib import SMTP
from typing import Any
from weakref import WeakSet

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import connections
from django.db.transaction import Atomic
from django.template.base import Template
from redis.connection import Connection, UnixDomainSocketConnection

TESTS = f"{Path(__file__).parent}/"
#: What happened in a transaction since the test began, each in a few words.
found: list[str] = []


#: The transactions that tests have opened by themselves, to have them rolled back.
of_tests: WeakSet[Atomic] = WeakSet()


#: Whether it is Redis that is asked, which answers at once or not at all (`blockyou.cache`).
asks_redis = ContextVar("asks_redis", default=False)


class Watch:
    """Whether it is looked at what happens in transactions."""

    is_on = True


@contextmanager
def unwatched() -> Iterator[None]:
    """Let a test do at once, inside the transaction, what a site does after it."""
    Watch.is_on = False
    try:
        yield
    finally:
        Watch.is_on = True


def is_open() -> bool:
    """Return whether a transaction of the site is open in this thread, beside those that tests have opened."""
    if not Watch.is_on:
        return False
    opened = [block for each in connections.all(initialized_only=True) for block in each.atomic_blocks]
    return any(not getattr(block, "_from_testcase", False) and block not in of_tests for block in opened)


class Finder:
    """Is asked for every module before it is loaded, and knows of none."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if is_open():
            found.append(f"{name} was imported inside a transaction")
        return None


def watch(patch: pytest.MonkeyPatch) -> None:
    """Note from now on what happens inside transactions."""
    enter = Atomic.__enter__

    def enter_noting_whose(block: Atomic) -> None:
        enter(block)
        if TESTS in sys._getframe(1).f_code.co_filename:
            of_tests.add(block)

    patch.setattr(Atomic, "__enter__", enter_noting_whose)
    patch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    patch.setattr(Template, "render", noting(Template.render, lambda template, *_: f"{template.name} was rendered"))
    for kind in (HTTPConnection, HTTPSConnection):
        patch.setattr(kind, "connect", noting(kind.connect, lambda line, *_: f"{line.host} was asked"))
    patch.setattr(AbstractBaseUser, "set_password", noting(AbstractBaseUser.set_password, lambda *_: "a hash was made"))
    patch.setattr(SMTP, "connect", noting(SMTP.connect, lambda *_: "a mail server was asked"))
    # Whoever speaks to another program, by whichever library: many have a way to connect of their own.
    for name in ("connect", "connect_ex"):
        patch.setattr(socket.socket, name, noting_whom(getattr(socket.socket, name)))
    for redis in (Connection, UnixDomainSocketConnection):
        patch.setattr(redis, "_connect", excepting(redis._connect))


def noting(function: Callable[..., Any], say: Callable[..., str]) -> Callable[..., Any]:
    """Return the function, which notes what it does where a transaction is open."""

    def noted(*arguments: Any, **named: Any) -> Any:
        if is_open():
            found.append(f"{say(*arguments)} inside a transaction")
        return function(*arguments, **named)

    return noted


def noting_whom(connect: Callable[[socket.socket, Any], Any]) -> Callable[[socket.socket, Any], Any]:
    """Return the method, which notes whom it connects to where a transaction is open."""

    def noted(line: socket.socket, address: Any) -> Any:
        # Connecting a datagram socket sends nothing.
        if line.type == socket.SOCK_STREAM and not asks_redis.get() and is_open():
            found.append(f"{address} was asked inside a transaction")
        return connect(line, address)

    return noted


def excepting(connect: Callable[..., Any]) -> Callable[..., Any]:
    """Return the way to connect to Redis, of which nothing is noted."""

    def unnoted(*arguments: Any) -> Any:
        token = asks_redis.set(True)
        try:
            return connect(*arguments)
        finally:
            asks_redis.reset(token)

    return unnoted
