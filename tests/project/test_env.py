"""Values of the environment are typed, and nonsense is a sentence."""

import re
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from blockyou import env

SECRET = "0123456789abcdefghijklmnopqrstuvwxyz-0123456789abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize("word", ["on", "1", "TRUE", " yes "])
def test_a_flag_is_on_in_four_words(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("A_FLAG", word)
    assert env.flag("A_FLAG", default=False) is True


@pytest.mark.parametrize("word", ["off", "0", "False", "no"])
def test_a_flag_is_off_in_four_words(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("A_FLAG", word)
    assert env.flag("A_FLAG", default=True) is False


@pytest.mark.parametrize("word", ["maybe", "2", "onn"])
def test_another_word_for_a_flag_is_refused(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("A_FLAG", word)
    with pytest.raises(ImproperlyConfigured, match="Use on or off"):
        env.flag("A_FLAG", default=True)


@pytest.mark.parametrize(("word", "means"), [("on", True), ("0", False), ("Quiet", "quiet"), ("", True)])
def test_a_flag_may_have_a_third_word(monkeypatch: pytest.MonkeyPatch, word: str, means: bool | str) -> None:
    monkeypatch.setenv("A_FLAG", word)
    assert env.flag_or("A_FLAG", True, "quiet") == means
    monkeypatch.setenv("A_FLAG", "loud")
    with pytest.raises(ImproperlyConfigured, match="Use on, off or quiet"):
        env.flag_or("A_FLAG", True, "quiet")


@pytest.mark.parametrize("value", ["0", "70000", "-1", "8e3", "٣", "", "9" * 5000])
def test_a_number_out_of_its_range_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("A_NUMBER", value or "x")
    with pytest.raises(ImproperlyConfigured, match="from 1 to 65535"):
        env.integer("A_NUMBER", 8000, least=1, most=65535)


def test_a_number_that_is_not_set_is_its_default() -> None:
    assert env.integer("NOT_SET_ANYWHERE", 8000, least=1, most=65535) == 8000


def test_words_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORDS", "one, two,,three ")
    assert env.words("WORDS") == ["one", "two", "three"]


def test_a_variable_without_default_must_be_set() -> None:
    with pytest.raises(ImproperlyConfigured, match="NOT_SET_ANYWHERE is not set"):
        env.text("NOT_SET_ANYWHERE")


@pytest.mark.parametrize("value", ["hunter2", "a" * 80, "django-insecure-" + SECRET])
def test_a_poor_secret_is_refused_and_not_shown(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("A_SECRET", value)
    with pytest.raises(ImproperlyConfigured) as refusal:
        env.secret("A_SECRET")
    assert value not in str(refusal.value)


def test_a_secret_may_be_kept_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET + "\n")
    assert env.secret("NOT_SET_ANYWHERE", stored=tmp_path / "secret") == SECRET


def test_a_secret_in_the_environment_comes_before_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET)
    monkeypatch.setenv("A_SECRET", SECRET[::-1])
    assert env.secret("A_SECRET", stored=tmp_path / "secret") == SECRET[::-1]


@pytest.mark.parametrize(
    ("url", "port", "is_starttls", "is_tls"),
    [
        ("smtp://mail.example.org", 587, False, False),
        ("smtp+tls://mail.example.org", 587, True, False),
        ("smtp://mail.example.org:25/?tls=on", 25, True, False),
        ("smtps://mail.example.org", 465, False, True),
    ],
)
def test_an_email_url_says_how_mails_are_sent(
    monkeypatch: pytest.MonkeyPatch, url: str, port: int, is_starttls: bool, is_tls: bool
) -> None:
    monkeypatch.setenv("MAIL", url)
    found = env.email("MAIL")
    assert (found["EMAIL_PORT"], found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (port, is_starttls, is_tls)


def test_name_and_password_of_an_email_url_are_unquoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAIL", "smtps://me%40example.org:a%2Fb@mail.example.org")
    found = env.email("MAIL")
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("me@example.org", "a/b")


def test_no_mail_is_sent_or_printed_when_nothing_is_set() -> None:
    assert env.email("NOT_SET_ANYWHERE") == {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}


@pytest.mark.parametrize(
    ("url", "backend"), [("console://", "console.EmailBackend"), ("file:///srv/my%20mails", "filebased.EmailBackend")]
)
def test_emails_can_be_read_without_a_mail_server(monkeypatch: pytest.MonkeyPatch, url: str, backend: str) -> None:
    monkeypatch.setenv("MAIL", url)
    found = env.email("MAIL")
    assert found["EMAIL_BACKEND"] == f"django.core.mail.backends.{backend}"
    assert found.get("EMAIL_FILE_PATH") in {None, "/srv/my mails"}


@pytest.mark.parametrize(
    "url", ["mail.example.org", "imap://mail.example.org", "smtp://", "file://", "file://folder/x"]
)
def test_another_email_url_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("MAIL", url)
    with pytest.raises(ImproperlyConfigured, match="must look like smtp"):
        env.email("MAIL")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://127.0.0.1:8000", "127.0.0.1"),
        ("https://blockyou.example.org/", "blockyou.example.org"),
        ("http://[::1]:8000", "[::1]"),
    ],
)
def test_the_host_of_an_address_stands_as_in_a_host_header(url: str, host: str) -> None:
    assert env.hostname(url) == host


@pytest.mark.parametrize(
    "url",
    [
        "blockyou.example.org",
        "ftp://a.example",
        "https://",
        "http://a.example/games",
        "http://[x",
        "http://me@a.example",
    ],
)
def test_an_address_that_is_no_site_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="PUBLIC_URL"):
        env.hostname(url)


@pytest.mark.parametrize(
    ("issuer", "client", "secret", "sentence"),
    [
        ("https://login.example.org", "", "hushed", "OIDC_CLIENT is not set."),
        ("", "block-you", "hushed", "OIDC_ISSUER is not set."),
        ("http://login.example.org", "block-you", "hushed", "It must look like https://login.example.org"),
        ("https://login.example.org?x=1", "block-you", "hushed", "It must look like https://login.example.org"),
        ("https://[oops", "block-you", "hushed", "It must look like https://login.example.org"),
    ],
)
def test_half_a_sign_on_or_one_without_tls_stops_the_start(
    issuer: str, client: str, secret: str, sentence: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=re.escape(sentence)) as refused:
        env.provider(issuer, client, secret, "")
    assert "hushed" not in str(refused.value)


def test_a_sign_on_is_three_settings_and_a_name() -> None:
    assert env.provider("", "", "", "School") == {}
    given = {"issuer": "https://login.example.org", "client": "block-you", "secret": "hushed"}
    assert env.provider(**given, name="") == {**given, "name": "login.example.org"}
    assert env.provider(**given, name="School") == {**given, "name": "School"}
    assert env.provider("http://localhost:3000", "block-you", "hushed", "")["issuer"] == "http://localhost:3000"
