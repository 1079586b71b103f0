"""A web process has loaded what pages use before it listens: who comes first waits no longer than others do."""

import json
import os
import subprocess
import sys

from tests.browser.site import ROOT

#: Asks for a page that needs no database; prints which modules of ours and which catalogues that has loaded.
FIRST = """
import json, sys
import django
django.setup()
from django.test import Client
from django.utils.translation import trans_real
from blockyou.asgi import application
from blockyou.management.commands import web
web.DrainingServer = lambda **_options: sys.exit(ask())

def ask():
    before, spoken = {*sys.modules}, {*trans_real._translations}
    statuses = [Client().get("/rules/", headers={"accept-language": each}).status_code for each in ("en", "fr")]
    modules = {name for name in {*sys.modules} - before if name.startswith(("accounts", "blockyou", "games"))}
    print(json.dumps([statuses, sorted(modules | {*trans_real._translations} - spoken)]))

web.run_server("", shares_port=False, handles_signals=False)
"""


def test_the_first_page_of_a_process_loads_no_view_and_no_catalogue() -> None:
    surroundings = os.environ | {"DJANGO_SETTINGS_MODULE": "blockyou.settings.test"}
    command = [sys.executable, "-c", FIRST]
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [[200, 200], []]
