"""What the documents say is what the code does: the map's size and rows, live messages, settings."""

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest

from games.realtime import consumers, frames, open_sockets, programs, publish, routing, streams
from tests.architecture.test_documents import PATH, PLACES, is_module, is_path
from tests.reliability.addresses import addresses
from tools.page_index import page_index

ROOT = Path(__file__).resolve().parents[2]
MAP = (ROOT / "docs" / "architecture.md").read_text()
LIVE = (ROOT / "docs" / "live.md").read_text()
RELIABILITY = (ROOT / "docs" / "reliability.md").read_text()
TESTING = (ROOT / "docs" / "testing.md").read_text()
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()


def section(text: str, heading: str) -> str:
    """Return what follows a heading, up to the next one."""
    assert f"\n{heading}\n" in text
    return re.split(r"^#", text.partition(f"\n{heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def rows(text: str) -> list[list[str]]:
    """Return the cells of the rows of the tables in a text, without the heads."""
    lines = [line for line in re.sub(r"^.*\n\|[-|]+\|$", "", text, flags=re.MULTILINE).splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_map_is_read_in_ten_minutes() -> None:
    # Readers of a shorter one could not say where ways out, facts of a game and what is weekly belong. What divides the
    # cells of its tables is no word. By one of 1,650 words a reader found the layer of each of eight changes, and of
    # five not the module in the middle (reminders, members, trays, replay). That it answers is what counts.
    assert sum(any(map(str.isalnum, word)) for word in MAP.split()) <= 1720


def test_what_a_page_is_made_of_is_told_as_it_is() -> None:
    assert (ROOT / "docs" / "pages.md").read_text("utf-8") == page_index(), "make index writes it anew"


def test_each_page_of_several_in_one_module_is_told_by_itself() -> None:
    index = page_index()
    assert "| `guide/bots/bots` | `guide/bots` |  | `games/bots/page.html` |\n" in index
    assert "| `guide/bots/bot` | `guide/bots` | `lists/results` | `games/bots/bot.html` |\n" in index
    # A view that has its decorator by another name, and what a helper of the module reads.
    assert "| `moderation/reports/report_comment` | `moderation/reports` | `analysis/comments` |" in index
    assert "| `people/notes/" not in index, "it is the only page of its module"


def test_every_address_of_accounts_is_told_with_its_view_and_its_template() -> None:
    told = {row[0].strip("`"): row[2:] for row in rows(page_index()) if row[1].startswith("`/accounts/")}
    names = {name for name, pattern in addresses().items() if pattern.startswith("accounts/")}
    assert names - {*told} == {"mfa_index"}, "a page of `games/views`"
    # Ours behind doors of its own, allauth's, and ours made of allauth's.
    assert told["account-delete"][::2] == ["`views/delete_account`", "`accounts/delete.html`"]
    assert "`forms/own`" in told["account-delete"][1].split()
    assert told["own-bot"][2] == "`accounts/bot.html`", "its parameter is called as another view is"
    assert told["account_login"] == ["`allauth.account.views.LoginView`", "", "`account/login.html`"]
    assert told["account_change_password"][::2] == ["`keys/passwords/ChangePassword`", "`account/password_change.html`"]


def test_where_a_setting_of_a_host_is_obeyed_is_told() -> None:
    assert "| `TALK` | `accounts/forms/own.py` `games/base/talk.py` |\n" in page_index()


def test_the_map_says_what_to_touch_for_everything_that_is_added_often() -> None:
    topics = {"variant", "engine", "page", "action", "notification", "rating", "API", "language", "setting"}
    firsts = [row[0] for row in rows(section(MAP, "## To add X, touch Y"))]
    assert {topic for topic in topics if not any(topic in first for first in firsts)} == set()


@pytest.mark.parametrize("row", rows(section(MAP, "## To add X, touch Y")), ids=lambda row: str(row[0]))
def test_every_row_of_the_map_names_places_that_exist(row: list[str]) -> None:
    places = [word for word in re.findall(r"`([^`]+)`", "|".join(row[1:])) if PATH.fullmatch(word)]
    assert places
    assert [place for place in places if not is_path(place)] == []


def test_every_folder_and_file_of_the_tree_exists() -> None:
    tree, parent, named = MAP.partition("```text\n")[2].partition("```")[0], "", []
    for line in tree.splitlines():
        names = re.split(r" {2,}", line.strip())[0].split()
        parent = parent if line.startswith(" ") else ""
        named += [f"{parent}{name}".rstrip("/") for name in names]
        parent = parent or names[0]
    assert len(named) > 30
    assert [place for place in named if place not in PLACES] == []


def test_every_subject_of_the_map_is_a_room_and_every_room_by_subject_is_on_it() -> None:
    named = set(
        re.findall(r"`(\w+)`", re.split(r"\n\n", MAP.partition("\n**Subjects**")[2])[0].partition("Templates")[0])
    )
    layers = [ROOT / "games" / layer for layer in ("actions", "queries", "pages", "views")]
    rooms = {path.parent.name for layer in layers for path in layer.glob("*/__init__.py")}
    # `board` is in the tree, `history` and `crowds` are no subjects.
    assert rooms - named == {"board", "crowds", "history"}
    assert named - rooms == set()


def test_every_folder_of_tests_is_in_the_guide_to_them() -> None:
    table = rows(section(TESTING, "## Where a thing is tested"))
    named = {ROOT / place for row in table for place in re.findall(r"`([^`]+)`", row[0])}
    rooms = {path.parent for path in (ROOT / "tests").rglob("test_*.py")} - {ROOT / "tests" / "games"}
    # A folder within one that is named is found there.
    assert {room for room in rooms if named.isdisjoint({room, *room.parents})} == set()


def test_the_import_picture_is_the_contract() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    (contract,) = [each for each in tools["importlinter"]["contracts"] if each.get("containers") == ["games"]]
    picture = section(MAP, "## Who may import whom").partition("```text\n")[2].partition("\n```")[0]
    shown = [set(re.findall(r"\w+", layer)) for layer in re.split(r"\n|►", picture)]
    assert shown == [set(re.findall(r"\w+", layer)) for layer in contract["layers"]]
    to_come = set(re.findall(r"\((\w+)\)", picture))
    assert to_come == {room for layer in shown for room in layer if not is_module(f"games.{room}")}


def test_the_close_codes_of_sockets_are_those_in_the_code() -> None:
    sent = {consumers.LOGIN_ENDED, consumers.NOT_ALLOWED, consumers.TOO_MANY, consumers.NOT_NOW}
    sent |= {frames.UNSUPPORTED, frames.UNREADABLE, frames.AGAINST_POLICY, frames.TOO_BIG, frames.RESTARTING}
    sources = [path.read_text() for path in (ROOT / "games" / "realtime").glob("*.py")]
    # Those of the API's streams are in docs/api.md: tests/games/api/test_stream_sockets.py.
    of_programs = {programs.FOREIGN, programs.REFUSED, *streams.End} - {streams.End.NOTHING_MORE}
    assert {int(code) for source in sources for code in re.findall(r"\b4\d\d\d\b", source)} == sent | of_programs
    table = {int(code): then for code, _meaning, then in rows(section(LIVE, "### Close codes"))}
    assert set(table) == sent
    final = re.search(r"const ENDED = \[([\d, ]+)\]", (ROOT / "static" / "realtime" / "link.js").read_text())
    assert final
    assert {code for code, then in table.items() if then.startswith("stops")} == {*map(int, final[1].split(","))}


def test_the_numbers_of_sockets_are_those_in_the_code() -> None:
    meaning = {int(code): meaning for code, meaning, _then in rows(section(LIVE, "### Close codes"))}[
        consumers.TOO_MANY
    ]
    assert [int(number) for number in re.findall(r"\d+", meaning)] == [
        open_sockets.MOST_OF_LOGIN,
        open_sockets.MOST_OF_ADDRESS,
    ]
    (crowded,) = re.findall(r"CROWDED = (\d+)", (ROOT / "static" / "realtime" / "link.js").read_text())
    assert int(crowded) == consumers.TOO_MANY


def test_the_sockets_are_those_in_the_code() -> None:
    shown = {re.sub(r"<\w+>", "7", row[0].strip("`")).lstrip("/") for row in rows(section(LIVE, "## Sockets"))}
    patterns = [route.pattern for route in routing.websocket_urlpatterns[:-1]]
    assert len(shown) == len(patterns)
    assert [str(pattern) for pattern in patterns if not any(pattern.match(address) for address in shown)] == []


def test_the_messages_are_those_in_the_code() -> None:
    shown = [json.loads(row[1].strip("`")) for row in rows(section(LIVE, "## Messages"))]
    frames_sent = [publish.version_frame("k7x2qd", 12), publish.list_frame("97"), publish.list_frame()]
    assert shown[1:] == frames_sent
    assert frames.parse_ping({"text": json.dumps(shown[0])}).is_looking


def test_no_promise_says_by_hand_when_it_was_tried_last() -> None:
    # The table below them is written by `make ordeal`, and the history says when a figure came.
    promises = RELIABILITY.partition("## The last ordeal")[0]
    dates = re.findall(r"(.{12}) \d{1,2} [A-Z][a-z]+ 20\d\d", promises)
    assert [before for before in dates if before != "databases of"] == []


def settings_read() -> dict[str, set[str]]:
    """Return each variable that the code reads from the environment, with its plain defaults as the table has them."""
    read: dict[str, set[str]] = {}
    for room in ("accounts", "blockyou", "games"):
        for path in (ROOT / room).rglob("*.py"):
            if path != ROOT / "blockyou" / "settings" / "test.py":
                collect(ast.parse(path.read_text()), read)
    return read


def collect(tree: ast.AST, read: dict[str, set[str]]) -> None:
    """Add what `env.text("NAME", default)` and its kin read, and what `os.environ` is asked for by name."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args):
        reader, first = ast.unparse(call.func), call.args[0]
        is_reading = re.fullmatch(r"env\.\w+|os\.environ\.(get|setdefault)", reader)
        if is_reading and isinstance(first, ast.Constant) and str(first.value).isupper():
            given = [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "default")]
            values = {in_table(each.value) for each in given if isinstance(each, ast.Constant)}
            read.setdefault(str(first.value), set()).update(values)


def in_table(value: object) -> str:
    """Return how the table of settings writes a value that the code falls back on."""
    if isinstance(value, bool):
        return "`on`" if value else "`off`"
    return f"`{value}`" if value != "" else "none"


def test_the_table_of_settings_is_what_the_code_reads() -> None:
    read, table = settings_read(), {row[0].strip("`"): row[1] for row in rows(section(OPERATIONS, "## Settings"))}
    assert read.keys() >= {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "EMAIL_URL", "PUBLIC_URL"}
    assert set(read) == set(table)
    defaults = [(name, default) for name, values in sorted(read.items()) for default in sorted(values)]
    assert [(name, default) for name, default in defaults if default not in table[name]] == []
