"""Run Django's management commands for Block-You."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Hand the command line to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", likely_settings())
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
    var = Path(os.environ.get("VAR_DIR") or Path(__file__).resolve().parent / "var")
    is_installed = bool(os.environ.get("SECRET_KEY")) or (var / "secret-key").exists()
    return "blockyou.settings.prod" if is_installed else "blockyou.settings.dev"


if __name__ == "__main__":
    main()
