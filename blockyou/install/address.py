"""The address of the running site, kept for commands that print links and are run without its environment."""

from pathlib import Path

NAME = "public-url"


def remember_address(var: Path, url: str) -> None:
    """Keep the address of the site that is about to start."""
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    (var / NAME).write_text(url + "\n", encoding="utf-8")


def stored_address(var: Path) -> str:
    """Return the address that was kept last, empty if none was."""
    path = var / NAME
    return path.read_text("utf-8").strip() if path.exists() else ""
