"""C23: production does not start on a missing, short or known secret, DEBUG, or any host; it says why in a sentence."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOOD = {"PUBLIC_URL": "https://blockyou.example.org", "SECRET_KEY": secrets.token_urlsafe(64)}
UNSET = (
    "DATABASE_URL",
    "REDIS_URL",
    "JOB_QUEUE",
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "PUBLIC_URL",
    "DEBUG",
    "EMAIL_URL",
    "DJANGO_ALLOW_ASYNC_UNSAFE",
)


def check(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Django's deployment check in a process of its own, with an empty var folder."""
    inherited = {name: value for name, value in os.environ.items() if name not in UNSET}
    own = {"DJANGO_SETTINGS_MODULE": "blockyou.settings.prod", "VAR_DIR": str(folder), **environment}
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT, env=inherited | own, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY is not set"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY is too short or too plain"),
        ({"SECRET_KEY": "django-insecure-only-for-working-on-the-code"}, "SECRET_KEY is too short or too plain"),
        ({"DEBUG": "on"}, "DEBUG is on"),
        ({"DEBUG": "perhaps"}, "DEBUG is 'perhaps'"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS is *"),
        ({"ALLOWED_HOSTS": "blockyou.example.org, *"}, "ALLOWED_HOSTS is *"),
        ({"PUBLIC_URL": "blockyou.example.org"}, "PUBLIC_URL is 'blockyou.example.org'"),
        ({"HSTS_PRELOAD": "on"}, "HSTS_PRELOAD is on without HSTS_SUBDOMAINS"),
        ({"EMAIL_URL": "mail.example.org"}, "EMAIL_URL must look like"),
        ({"PUSH_KEY": "short"}, "PUSH_KEY is no key for web push"),
        ({"JOB_QUEUE": "rabbits"}, "JOB_QUEUE is 'rabbits'. Use database or redis."),
        ({"JOB_QUEUE": "redis"}, "JOB_QUEUE is redis but REDIS_URL is not set"),
        ({"OIDC_ISSUER": "https://login.example.org"}, "OIDC_CLIENT is not set."),
        ({"SIGN_UP": "sign-on"}, "SIGN_UP is sign-on, and there is none"),
        ({"SIGN_UP": "perhaps"}, "SIGN_UP is 'perhaps'. Use open, sign-on or closed."),
        ({"DATABASE_URL": "postgres://someone@127.0.0.1/blockyou"}, "REDIS_URL is not set"),
    ],
)
def test_production_refuses_in_one_sentence(tmp_path: Path, wrong: dict[str, str], sentence: str) -> None:
    result = check(tmp_path, **GOOD | wrong)
    assert result.returncode != 0
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def test_production_over_https_has_no_warning(tmp_path: Path) -> None:
    result = check(tmp_path, **GOOD)
    assert result.stderr == ""
    assert "no issues" in result.stdout
    assert result.returncode == 0


def test_the_secret_is_never_shown(tmp_path: Path) -> None:
    result = check(tmp_path, **GOOD | {"SECRET_KEY": "hunter2hunter2"})
    assert "hunter2" not in result.stdout + result.stderr
