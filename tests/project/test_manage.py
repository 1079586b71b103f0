"""`manage.py` uses the settings of the installation it stands in."""

from pathlib import Path

import pytest

import manage


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
