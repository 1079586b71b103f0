"""The secret is made once, whole, for its owner's eyes."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from blockyou import env
from blockyou.install.secret_key import stored_secret
from games.notifications.channels.webpush.vapid import new_push_key


def test_a_secret_is_made_once(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret-key"
    assert stored_secret(path) == stored_secret(path)
    assert stored_secret(tmp_path / "another") != stored_secret(path)


def test_a_made_secret_is_one_that_production_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", stored_secret(tmp_path / "secret-key"))
    assert len(env.secret("A_SECRET")) >= 80


def test_a_made_key_for_web_push_is_one_that_production_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "push-key"
    assert env.push_key("A_PUSH_KEY", stored=path) == ""
    key = stored_secret(path, new_push_key)
    assert env.push_key("A_PUSH_KEY", stored=path) == key
    monkeypatch.setenv("A_PUSH_KEY", new_push_key())
    assert env.push_key("A_PUSH_KEY", stored=path) not in ("", key)


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret-key"
    stored_secret(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_those_who_ask_at_once_get_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(stored_secret, [tmp_path / "secret-key"] * 32))) == 1
