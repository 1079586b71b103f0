"""Write the types of the client for Python from the OpenAPI document: `make client`.

They stand in `clients/python/blockyou.py` between two lines, one type for each object of the document that a method of
the client takes or returns and for each inside these, with what the document says of it.
"""

import ast
import json
import os
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import django

CLIENT = Path(__file__).resolve().parents[1] / "clients" / "python" / "blockyou.py"
BEGIN = "# Generated from the OpenAPI document by `make client`: change games/api/ instead.\n"
END = "# The end of what is generated.\n"
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

Schema = Mapping[str, Any]


def main() -> None:
    """Bring the client's file up to date."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "blockyou.settings.dev")
    django.setup()
    from games.api.site import document

    CLIENT.write_text(with_types(CLIENT.read_text("utf-8"), document()), "utf-8")


def with_types(source: str, document: Schema) -> str:
    """Return the source of a client with the types that it needs."""
    head, _, rest = source.partition(BEGIN)
    _, _, tail = rest.partition(END)
    own = {node.name for node in ast.parse(head + tail).body if isinstance(node, ast.ClassDef)}
    named = {_name(key): found for key, found in document["components"]["schemas"].items()}
    schemas = {name: found for name, found in named.items() if name not in own}
    needed = "\n\n".join(_class(name, schemas[name]) for name in _needed(head + tail, schemas))
    return f"{head}{BEGIN}\n\n{needed}\n\n{END}{tail}"


def _needed(source: str, schemas: Mapping[str, Schema]) -> list[str]:
    """Return the names of the types in the signatures of a source and inside these, each after those that it names."""
    found: list[str] = []

    def add(name: str) -> None:
        if name not in found:
            for inner in _inside(schemas[name]):
                add(inner)
            found.append(name)

    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            for name in _annotated(function):
                if name in schemas:
                    add(name)
    return found


def _annotated(function: ast.FunctionDef) -> Iterator[str]:
    arguments = function.args
    every = [*arguments.args, *arguments.kwonlyargs, arguments.kwarg]
    for annotation in [*(each.annotation for each in every if each), function.returns]:
        if annotation:
            yield from (node.id for node in ast.walk(annotation) if isinstance(node, ast.Name))


def _inside(schema: Any) -> Iterator[str]:
    """Yield the names of the types that a part of the document refers to."""
    if isinstance(schema, Mapping):
        if "$ref" in schema:
            yield _name(schema["$ref"].rpartition("/")[2])
        for part in schema.values():
            yield from _inside(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _inside(part)


def _name(key: str) -> str:
    """Return what the client calls an object of the document."""
    return key.removesuffix("Out")


def _class(name: str, schema: Schema) -> str:
    said = schema["description"]
    text = f'"""{said}\n"""' if "\n" in said else f'"""{said}"""'
    lines = [f"class {name}(TypedDict):", textwrap.indent(text, "    "), ""]
    for part, found in schema["properties"].items():
        if "description" in found:
            lines.append(f"    #: {found['description']}")
        kind = kind_of(found)
        lines.append(f"    {part}: {kind if part in schema.get('required', ()) else f'NotRequired[{kind}]'}")
    return "\n".join(lines) + "\n"


def kind_of(schema: Schema) -> str:
    """Return a part of the document as a type of Python."""
    match schema:
        case {"$ref": str(reference)}:
            return _name(reference.rpartition("/")[2])
        case {"anyOf": list(choices)} | {"allOf": list(choices)}:
            return " | ".join(kind_of(each) for each in choices)
        case {"enum": list(values)}:
            return f"Literal[{', '.join(json.dumps(value) for value in values)}]"
        case {"const": value}:
            return f"Literal[{json.dumps(value)}]"
        case {"type": "array", "prefixItems": list(items)}:
            return f"tuple[{', '.join(kind_of(each) for each in items)}]"
        case {"type": "array", "items": dict(item)}:
            return f"list[{kind_of(item)}]"
        case {"type": "object", "additionalProperties": dict(value)}:
            return f"dict[str, {kind_of(value)}]"
        case {"type": "object"}:
            return "dict[str, Any]"
        case {"type": str(plain)}:
            return PLAIN[plain]
    raise ValueError(f"What type is this? {json.dumps(schema)}")


if __name__ == "__main__":
    main()
