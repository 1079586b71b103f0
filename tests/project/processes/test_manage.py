"""`manage.py` uses the settings of the installation it stands in."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import manage
from blockyou.install.address import remember_address


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    monkeypatch.setenv("VAR_DIR", str(tmp_path))


def test_without_an_installation_the_settings_are_those_for_work() -> None:
    assert manage.likely_settings() == "blockyou.settings.dev"


def test_beside_an_installation_they_are_its_own(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text("x")
    assert manage.likely_settings() == "blockyou.settings.prod"


def test_a_secret_in_the_environment_means_an_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "x")
    assert manage.likely_settings() == "blockyou.settings.prod"


def test_links_that_commands_print_have_the_address_of_the_site_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember_address(tmp_path, "https://blockyou.example.org")
    monkeypatch.setenv("PUBLIC_URL", "")
    manage.take_stored_address()
    assert os.environ["PUBLIC_URL"] == "https://blockyou.example.org"


@pytest.mark.proof
def test_work_begins_where_no_folder_is_yet(tmp_path: Path) -> None:
    environment = {**os.environ, "VAR_DIR": str(tmp_path / "not" / "there"), "DATABASE_URL": "", "REDIS_URL": ""}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    manage = Path(__file__).parents[3] / "manage.py"
    ran = subprocess.run([sys.executable, manage, "migrate", "-v0"], env=environment, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "not" / "there" / "db.sqlite3").exists()
