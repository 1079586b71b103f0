"""Ask the web process of this container whether it is well: what Docker's HEALTHCHECK runs."""

import os
import sys
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit


def is_well() -> bool:
    """Return whether the database takes writes and the static files are there."""
    name = urlsplit(os.environ.get("PUBLIC_URL", "")).hostname or "127.0.0.1"
    connection = HTTPConnection("127.0.0.1", int(os.environ.get("PORT", "8000")), timeout=8)
    try:
        for part in ("database", "static"):
            connection.request("GET", f"/healthz?only={part}", headers={"Host": name})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                return False
    except (OSError, HTTPException):
        return False
    return True


if __name__ == "__main__":
    sys.exit(not is_well())
