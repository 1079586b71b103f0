"""One name, one meaning: a public class, function or alias of a type is defined in one module, but for these names.

A use case has one name, its action's: the view and the endpoint that call it bear it too, and the client's method.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("accounts", "benchmarks", "blockyou", "clients", "games", "tools")
VIEWS, ENDPOINTS, CLIENT = "games/views", "games/api/endpoints", "clients/python/blockyou.py"
PROGRAM = "what a process runs when it is started"
#: The names that stand in several modules, and why.
SHARED = {
    "Command": "Django's name for every management command",
    "DatabaseWrapper": "Django's name for the connection of every engine",
    "main": PROGRAM,
}

ENTRANCE = "a way in from the first page: it chooses the terms, and calls what is needed"
#: Views and endpoints that call an action and have another name, and why. What answers a GET may be called by what it
#: shows: a page whose form acts, or beside which it is noted that something was read.
OTHERWISE = {
    "create_study_from_game": "`create_study` of a record that the site has; `create_study` itself is sent one",
    "create_study_from_branch": "`create_study` of a branch that the site has",
    "repeat_with_person": "`repeat_table` of the last game with a person; `repeat_table` itself is told which game",
    "open_group_table": "`create_game` of a table that the members of a group sit down at, as it was chosen last",
    "feed": "one form with two buttons: `renew_feed` and `forget_feed`",
    "play_anyone_now": ENTRANCE,
    "play_bots_now": ENTRANCE,
    "play_friend_now": ENTRANCE,
    "seated_soon": "`join_game` of a table that waits, and that bots fill in time, where there is one",
    "show": "an answer with the whole page: to look at a game that was put away is to take it up again",
    "typed": "a typed line: said back by `try_placement` first, then placed by `play_placement`",
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def public_names(source: str) -> set[str]:
    """Return the names of the classes, functions and aliases of types at a module's top level that it offers to others.

    A type variable stands for any type, and no further than its module.
    """
    found = set()
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.Assign(value=ast.Call(func=ast.Name("TypeVar"))):
                pass
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                if re.fullmatch(r"[A-Z]+[a-z]\w*", name):
                    found.add(name)
    return {name for name in found if not name.startswith("_")}


def modules() -> list[Path]:
    found = [path for folder in ("accounts", "blockyou", "games") for path in (ROOT / folder).rglob("*.py")]
    return sorted(path for path in found if "migrations" not in path.parts)


def names_in_several_modules() -> dict[str, list[str]]:
    """Return by name where it is defined, of names in several modules; views are compared with views, and so on."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    layers = (VIEWS, ENDPOINTS)
    for path in modules():
        place = str(path.relative_to(ROOT))
        layer = next((layer for layer in layers if place.startswith(f"{layer}/")), "")
        of_use_cases = {function.name for function in used_actions(path)} if layer else set()
        for name in public_names(path.read_text("utf-8")):
            places[name, layer if name in of_use_cases else ""].append(place)
    return {name: where for (name, _layer), where in places.items() if len(where) > 1}


def used_actions(path: Path) -> dict[Function, set[str]]:
    """Return the public functions of a module that call actions, by themselves or by its private ones, and which."""
    tree = ast.parse(path.read_text("utf-8"))
    actions = {
        alias.asname or alias.name: alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("games.actions.")
        for alias in node.names
        if alias.name.islower()
    }
    functions = {node.name: node for node in tree.body if isinstance(node, Function)}

    def called(name: str, seen: frozenset[str] = frozenset()) -> set[str]:
        names = {node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)} - {name, *seen}
        helpers = {each for each in names & functions.keys() if each.startswith("_")}
        return {actions[each] for each in names & actions.keys()}.union(
            *(called(each, seen | {name}) for each in helpers)
        )

    found = {node: called(name) for name, node in functions.items() if not name.startswith("_")}
    return {node: names for node, names in found.items() if names}


def use_cases(layer: str) -> Iterator[tuple[Function, set[str]]]:
    for path in sorted((ROOT / layer).rglob("*.py")):
        yield from used_actions(path).items()


def answers_get(function: Function) -> bool:
    """Return whether a view or an endpoint answers a GET, as its decorators say."""
    return any(
        re.search(r"^require_safe$|^require_http_methods\(.*'GET'|^router\.get\(", ast.unparse(each))
        for each in function.decorator_list
    )


def named_otherwise(layer: str) -> set[str]:
    """Return what calls an action, answers no GET, and does not bear the name of one that it calls."""
    return {
        function.name
        for function, names in use_cases(layer)
        if function.name not in names and not answers_get(function)
    }


def methods() -> dict[tuple[str, str], str]:
    """Return the names of the client's methods by what they send: POST, and the path with {} for its parts."""
    tree = ast.parse((ROOT / CLIENT).read_text("utf-8"))
    client = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Client")
    return {
        ("post", re.sub(r"\{.*?\}", "{}", ast.unparse(call.args[0]).strip("f'\""))): method.name
        for method in client.body
        if isinstance(method, ast.FunctionDef)
        for call in ast.walk(method)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "_post"
    }


def address(endpoint: Function) -> tuple[str, str]:
    """Return the method and the path of an endpoint, {} for its parts: `router.get(…)`, or `doing(…)`, a POST."""
    call = next(each for each in endpoint.decorator_list if isinstance(each, ast.Call))
    method = call.func.attr if isinstance(call.func, ast.Attribute) else "post"
    return method, re.sub(r"\{\w+\}", "{}", ast.literal_eval(call.args[0]))


def test_a_public_name_is_defined_in_one_module() -> None:
    assert {name: where for name, where in names_in_several_modules().items() if name not in SHARED} == {}


def test_every_listed_name_still_stands_in_several_modules() -> None:
    assert SHARED.keys() <= names_in_several_modules().keys()


@pytest.mark.parametrize("layer", [VIEWS, ENDPOINTS])
def test_what_calls_an_action_bears_its_name(layer: str) -> None:
    assert named_otherwise(layer) - OTHERWISE.keys() == set()


def test_every_other_name_is_still_one() -> None:
    assert named_otherwise(VIEWS) | named_otherwise(ENDPOINTS) == OTHERWISE.keys()


@pytest.mark.parametrize(
    ("decorators", "answers"),
    [
        ("@never_cache\n@require_http_methods(['GET', 'HEAD', 'POST'])\n", True),
        ("@require_safe\n", True),
        ("@router.get('games')\n", True),
        ("@require_POST\n", False),
        ("@router.post('games')\n", False),
        ("", False),
    ],
)
def test_what_answers_a_get_is_found(decorators: str, answers: bool) -> None:
    [function] = ast.parse(f"{decorators}def notes(request): ...").body
    assert isinstance(function, Function)
    assert answers_get(function) == answers


def test_the_clients_method_for_an_action_bears_its_name() -> None:
    names = {address(endpoint): endpoint.name for endpoint, _actions in use_cases(ENDPOINTS)}
    assert len(names) > 60
    assert {where: method for where, method in methods().items() if where in names} == names


#: Names of bounds and spans, which are to say of what: `LONGEST_ADDRESS`, not `LONGEST`.
MEASURE = re.compile(
    r"(BATCH|EVERY|FEW|KEPT|LAST|LATE|LISTED|LONGEST|LOT|MOST|PATIENCE|REMEMBERED|SHORT|SHORTEST|SHOWN)(_[A-Z_]+)?"
)
#: Numbers and spans of one name in several modules of one package that have several values all the same, and why.
DRAWN = "of a drawing, in its own units"
SEVERAL = {
    "DAY": "the unit: in seconds where clocks count, else as a span",
    "FACTS": "how many numbers one thing has in an array that compiled code reads",
    "HEIGHT": DRAWN,
    "HOUR": "the unit: in seconds where clocks count, else as a span",
    "LEFT": DRAWN,
    "RIGHT": DRAWN,
    "WIDTH": DRAWN,
}


def constants(source: str) -> dict[str, ast.expr]:
    """Return the values of the constants that a module offers to others, by name."""
    found = {}
    for node in ast.parse(source).body:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = [*zip(targets, values, strict=True)]
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            if isinstance(target, ast.Name) and re.fullmatch(r"[A-Z][A-Z0-9_]*", target.id):
                found[target.id] = value
    return found


def is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def is_number(value: ast.expr) -> bool:
    """Return whether a value is a number, a span of time or a day, or is worked out from such and from constants."""
    match value:
        case ast.Constant(value=number):
            return isinstance(number, int | float) and not isinstance(number, bool)
        case ast.UnaryOp(operand=inner):
            return is_number(inner)
        case ast.BinOp(left=left, right=right):
            return all(is_number(part) or (isinstance(part, ast.Name) and part.id.isupper()) for part in (left, right))
        case ast.Call(func=ast.Name(name)):
            return name in {"date", "datetime", "timedelta"}
        case ast.Call(func=ast.Attribute(value=ast.Name(name))):
            return name == "math"
    return False


def measures(source: str) -> dict[str, str]:
    """Return the bounds and spans that a module defines, by name, each with the text of its value."""
    # A text is a key, such as a state.
    return {
        name: ast.unparse(value)
        for name, value in constants(source).items()
        if MEASURE.fullmatch(name) and not is_text(value)
    }


def numbers(source: str) -> dict[str, str]:
    """Return the numbers, spans and days that a module defines, by name, each with the text of its value."""
    found = {name: value for name, value in constants(source).items() if is_number(value)}
    # Two and two seconds are one value.
    return {name: re.sub(r"\.0\b", "", ast.unparse(value)) for name, value in found.items()}


def with_several_values(package: str) -> dict[str, dict[str, str]]:
    """Return the numbers that have several values in a package: by name, and by module."""
    values: dict[str, dict[str, str]] = defaultdict(dict)
    for path in sorted((ROOT / package).rglob("*.py")):
        if "migrations" not in path.parts:
            for name, value in numbers(path.read_text("utf-8")).items():
                values[name][str(path.relative_to(ROOT))] = value
    return {name: found for name, found in values.items() if len({*found.values()}) > 1}


def test_a_bound_of_one_name_has_one_value() -> None:
    values: dict[str, dict[str, str]] = defaultdict(dict)
    for path in modules():
        for name, value in measures(path.read_text("utf-8")).items():
            values[name][str(path.relative_to(ROOT))] = value
    assert {name: found for name, found in values.items() if len({*found.values()}) > 1} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_number_of_one_name_has_one_value_in_its_package(package: str) -> None:
    assert {name: found for name, found in with_several_values(package).items() if name not in SEVERAL} == {}


def test_every_name_that_may_have_several_values_still_has() -> None:
    assert SEVERAL.keys() <= {name for package in PACKAGES for name in with_several_values(package)}


def test_bounds_are_found_in_pairs_too() -> None:
    source = "PAUSE, LONGEST_PAUSE = 1, 2\nMOST: int = 3\nFIRST, LOT = first()\n"
    assert measures(source) == {"LONGEST_PAUSE": "2", "MOST": "3"}


def test_numbers_spans_and_days_are_told_from_texts_and_lists() -> None:
    source = """TRIES, PAUSE = 3, 2.0
HOUR: int = 60 * MINUTE
LEAST = -1
SCALE = 400 / math.log(10)
RECENT = timedelta(minutes=15)
STATE, KINDS, IS_ON, OTHER = "late", (1, 2), True, TRIES
"""
    found = {"TRIES": "3", "PAUSE": "2", "HOUR": "60 * MINUTE", "LEAST": "-1", "SCALE": "400 / math.log(10)"}
    assert numbers(source) == found | {"RECENT": "timedelta(minutes=15)"}


#: Events that are called otherwise than by what was done, and why; those of which others are kinds are called by what
#: they are about.
EVENTS_OTHERWISE = {
    "Event": "all of them",
    "GameEvent": "those of a game",
    "TurnEvent": "those after which a turn is due",
    "ChannelChanged": "a channel was set, removed or agreed to: pages show all three alike",
    "AppealRefused": "`answer_appeal` that lifts the decision publishes that instead",
    "DecisionsMade": "`decide_case`, `lift_decision` and `answer_appeal` make decisions; a letter says which",
    "GameFinished": "it follows from a move, a resignation or a clock",
    "GameStarted": "it follows when the last seat is taken",
    "NoticesListed": "it follows from what was recorded",
    "NoticesRecorded": "whatever was done, people are to be told",
    "PlayerReturned": "`come_back`, which has no noun",
    "PostsRecorded": "whatever was done, a channel is to hear of it",
    "SeatsChanged": "people join, leave, are invited or exchanged: pages show all alike",
    "SeekDue": "what is to be done, and not yet",
    "SideDue": "what is to be done, and not yet",
    "StandingTableDue": "what is to be done, and not yet",
    "StepAsked": "`step_game` asks a worker for a move: nothing has been stepped yet",
    "TermsChanged": "`edit_table` changes them, and so does what happens to the group of a table",
}
#: The past of verbs that do not end in -ed.
PAST = {"come": "came", "give": "given", "keep": "kept", "leave": "left", "read": "read", "send": "sent", "set": "set"}
PAST |= {"find": "found", "forget": "forgotten", "show": "shown", "spend": "spent", "take": "taken", "write": "written"}
PAST |= {"cancel": "cancelled", "drop": "dropped", "swap": "swapped"}


def past_of(verb: str) -> str:
    return PAST.get(verb) or re.sub(r"([^aeiou])y$", r"\1i", verb).removesuffix("e") + "ed"


def published(source: str) -> set[str]:
    """Return the events that a module publishes."""
    return set(re.findall(r"\bpublish\(\s*(?:events\.)?([A-Z]\w+)\(", source))


def done_before(event: str) -> set[str]:
    """Return the verbs of which an event may have the past: of the actions that publish it, else of them all."""
    modules = {path: path.read_text("utf-8") for path in (ROOT / "games" / "actions").rglob("[a-z]*.py")}
    own = {path.stem for path, source in modules.items() if event in published(source)}
    return {name.partition("_")[0] for name in own or {path.stem for path in modules}}


def is_past_of_an_action(event: str) -> bool:
    words = {word.lower() for word in re.findall(r"[A-Z][a-z]+", event)}
    return not words.isdisjoint(map(past_of, done_before(event)))


def event_names() -> set[str]:
    tree = ast.parse((ROOT / "games" / "events.py").read_text("utf-8"))
    kinds = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    bases = {node.name: {ast.unparse(base) for base in node.bases} for node in kinds}
    return {name for name, above in bases.items() if name == "Event" or above & {"Event", "GameEvent", "TurnEvent"}}


def test_an_event_has_the_past_of_its_actions_verb() -> None:
    assert len(event_names()) > 30
    assert {name for name in event_names() - EVENTS_OTHERWISE.keys() if not is_past_of_an_action(name)} == set()


def test_every_event_that_is_called_otherwise_still_is() -> None:
    assert EVENTS_OTHERWISE.keys() <= event_names()
    assert {name for name in EVENTS_OTHERWISE if is_past_of_an_action(name)} == set()


def test_the_past_of_a_verb_is_known() -> None:
    assert [past_of(verb) for verb in ("ask", "create", "deny", "take")] == ["asked", "created", "denied", "taken"]
