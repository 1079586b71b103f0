"""The e-mails that a site writes to a folder, as the people read them to whom they go."""

import email
import re
import time
from email import policy
from pathlib import Path

from tests.browser.people import PATIENCE


class Mailbox:
    """The folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def link(self, address: str, words: str, way: str) -> str:
        """Return the link that begins so, of the latest e-mail to this address with these words, once it is there.

        It is returned without the address of the site.
        """
        deadline = time.monotonic() + PATIENCE / 1000
        while True:
            for body in self._to(address):
                found = re.search(rf"https?://[^/\s]+({re.escape(way)}\S*)", body)
                if words in body and found:
                    return found[1]
            assert time.monotonic() < deadline, f"no e-mail to {address}: {words}"
            time.sleep(0.05)  # a worker of the site writes it: nothing here could wake us

    def _to(self, address: str) -> list[str]:
        """Return what the e-mails to an address say, the latest first."""
        found = []
        for path in sorted(self.folder.glob("*.log"), key=lambda each: each.stat().st_mtime_ns, reverse=True):
            for part in path.read_bytes().split(b"-" * 79):
                letter = email.message_from_bytes(part.strip(), policy=policy.default)
                if address in str(letter["To"]):
                    body = letter.get_body(("plain",))
                    found.append(str(body.get_content()) if body else "")
        return found
