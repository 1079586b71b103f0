"""Run Django's management commands for Block-You."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Hand the command line to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", likely_settings())
    if os.environ["DJANGO_SETTINGS_MODULE"] == "blockyou.settings.prod" and not os.environ.get("PUBLIC_URL"):
        take_stored_address()
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))


def likely_settings() -> str:
    """Return the settings to use when nothing names them: the installation's where there is one, else those for work.

    A link to reset a password, say, is good only if it was made with the secret of the running site.
    """
    is_installed = bool(os.environ.get("SECRET_KEY")) or (var_folder() / "secret-key").exists()
    return "blockyou.settings.prod" if is_installed else "blockyou.settings.dev"


def take_stored_address() -> None:
    """Use the address of the running site in links: `make run` works it out and writes it down."""
    from blockyou.install.address import stored_address

    if address := stored_address(var_folder()):
        os.environ["PUBLIC_URL"] = address


def var_folder() -> Path:
    """Return where the installation keeps what it has."""
    return Path(os.environ.get("VAR_DIR") or Path(__file__).resolve().parent / "var")


if __name__ == "__main__":
    main()
