"""A provider of log-ins that people see: it asks who they are, and signs what it says of them."""

import secrets
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.accounts.provider import CLIENT as CLIENT
from tests.accounts.provider import SECRET as SECRET
from tests.accounts.provider import Provider

PAGE = """<!DOCTYPE html><html lang="en"><title>School</title><main><h1>School</h1>
<form method="post"><label>Name <input name="name"></label><button>Log in at school</button></form></main></html>"""


def forget_page(words: dict[str, Any]) -> None:
    """Have the provider say that it has no page about people: its token tells all."""
    del words["userinfo_endpoint"]


class School:
    """The provider, on a port of this machine. While it `lies` it says that it is another one."""

    def __init__(self) -> None:
        self.lies = False
        #: Who has logged in, by the code that was handed out, with what they are asked to be bound to.
        self.codes: dict[str, Provider] = {}
        school = self

        class Desk(BaseHTTPRequestHandler):
            """What answers."""

            def do_GET(self) -> None:
                school.answer(self, {})

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                sent = parse_qs(self.rfile.read(length).decode())
                school.answer(self, {name: values[0] for name, values in sent.items()})

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the library's name)
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Desk)
        self.issuer = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self) -> Self:
        Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.shutdown()
        self.server.server_close()

    def answer(self, desk: BaseHTTPRequestHandler, sent: Mapping[str, str]) -> None:
        """Answer a browser, or the site."""
        parts = urlsplit(desk.path)
        if parts.path == "/auth":
            self._answer_person(desk, {name: values[0] for name, values in parse_qs(parts.query).items()}, sent)
            return
        if parts.path not in ("/.well-known/openid-configuration", "/token", "/keys"):
            desk.send_error(404)
            return
        whose = self.codes.get(sent.get("code", "")) or Provider(issuer=self.issuer, change_words=forget_page)
        found = whose.answer(desk.command, f"{self.issuer}{parts.path}", data=sent)
        desk.send_response(found.status_code)
        desk.send_header("content-type", "application/json")
        desk.end_headers()
        desk.wfile.write(found.content)

    def _answer_person(self, desk: BaseHTTPRequestHandler, asked: Mapping[str, str], sent: Mapping[str, str]) -> None:
        if desk.command == "GET":
            desk.send_response(200)
            desk.send_header("content-type", "text/html; charset=utf-8")
            desk.end_headers()
            desk.wfile.write(PAGE.encode())
            return
        code, name = secrets.token_hex(8), sent["name"]
        claims: dict[str, Any] = {"auth_time": int(time.time()), "preferred_username": name}
        if self.lies:
            claims["iss"] = "https://login.example.org"
        self.codes[code] = Provider(
            issuer=self.issuer, subject=f"{name}-1", claims=claims, nonces={code: asked["nonce"]}
        )
        desk.send_response(302)
        desk.send_header("location", f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}")
        desk.end_headers()
