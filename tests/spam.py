"""Whether an e-mail would be taken for spam, by SpamAssassin with its own rules alone: no network is asked."""

import shutil
import subprocess

import pytest

needs_spamassassin = pytest.mark.skipif(
    not shutil.which("spamassassin"), reason="needs spamassassin, which the full proof installs"
)
#: From 5 points on a mail is taken for spam.
MOST_POINTS = 2.0


def check_no_spam(mail: bytes) -> None:
    """Check that a whole e-mail stays far below what spam has."""
    command = ["spamassassin", "--local", "--test-mode"]
    ran = subprocess.run(command, input=mail, capture_output=True, check=True, timeout=120)
    status = next(line for line in ran.stdout.decode().splitlines() if line.startswith("X-Spam-Status"))
    assert float(status.partition("score=")[2].split()[0]) <= MOST_POINTS, ran.stdout.decode()[-2000:]
