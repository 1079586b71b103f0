"""The document of the API, cut into what a page shows: groups of addresses, with what each takes and answers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Part:
    """A part of a request or an answer: its name, what it may be, and what is said of it."""

    name: str
    kind: str
    text: str
    is_required: bool


@dataclass(frozen=True)
class Address:
    """One thing that can be asked for: method and path, what it does, what it takes, and what kind of thing answers it.

    `answer` is empty where nothing does, and `answer_name` that of the object which is described below, if it is one.
    """

    method: str
    path: str
    title: str
    text: str
    takes: Sequence[Part]
    answer: str
    answer_name: str
    is_public: bool
    key: str

    @property
    def steps(self) -> list[str]:
        """Return the path between its slashes, after which a line may break."""
        return self.path.split("/")[1:]


@dataclass(frozen=True)
class OperationGroup:
    """Addresses that belong together."""

    title: str
    addresses: Sequence[Address]


@dataclass(frozen=True)
class Thing:
    """An object that answers hold, part by part."""

    name: str
    text: str
    parts: Sequence[Part]


def things_of(document: Mapping[str, Any]) -> list[Thing]:
    """Return the objects that an OpenAPI document describes, by name, without those that are only sent."""
    schemas = document["components"]["schemas"]
    sent = {
        _body(found).get("$ref", "").rpartition("/")[2]
        for methods in document["paths"].values()
        for found in methods.values()
    }
    return [
        Thing(name, schemas[name].get("description", ""), _parts(schemas[name], schemas))
        for name in sorted(schemas.keys() - sent)
        if "properties" in schemas[name]
    ]


def groups_of(document: Mapping[str, Any]) -> list[OperationGroup]:
    """Return what an OpenAPI document describes, in its order, by tag."""
    groups: defaultdict[str, list[Address]] = defaultdict(list)
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, found in methods.items():
            groups[found["tags"][0]].append(_address(method.upper(), path, found, schemas))
    return [OperationGroup(title.capitalize(), addresses) for title, addresses in groups.items()]


def _address(method: str, path: str, found: Mapping[str, Any], schemas: Mapping[str, Any]) -> Address:
    parameters = [
        Part(each["name"], _kind(each["schema"], schemas), _text(each["schema"]), each["required"])
        for each in found.get("parameters", ())
    ]
    good: Mapping[str, Any] = next(
        (answer for status, answer in found["responses"].items() if str(status).startswith("2")), {}
    )
    content: Mapping[str, Any] = next(iter(good.get("content", {}).values()), {})
    shown = content.get("schema", {})
    title, _, text = found.get("description", "").partition("\n")
    return Address(
        method=method,
        path=path,
        title=title,
        text=text.strip(),
        takes=[*parameters, *_parts(_body(found), schemas)],
        answer=_kind(shown, schemas) if shown else "",
        answer_name=shown.get("items", shown).get("$ref", "").rpartition("/")[2],
        is_public={} in found["security"],
        key=found["operationId"],
    )


def _body(found: Mapping[str, Any]) -> Mapping[str, Any]:
    body: Mapping[str, Any] = found.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema: Mapping[str, Any] = body.get("schema", {})
    return schema


def _parts(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> list[Part]:
    whole = _resolved(schema.get("items", schema), schemas)
    required = whole.get("required", ())
    return [
        Part(name, _kind(part, schemas), _text(part), name in required)
        for name, part in whole.get("properties", {}).items()
    ]


def _resolved(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return schemas[name] if name else schema


def _kind(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return in a word or two what a value is: "string", "list of Seat", "integer or null"."""
    if "anyOf" in schema:
        return " or ".join(_kind(each, schemas) for each in schema["anyOf"])
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}), schemas)}" if "items" in schema else "list"
    return str(schema.get("format") or schema.get("type", "anything"))


def _text(schema: Mapping[str, Any]) -> str:
    return str(schema.get("description", ""))
