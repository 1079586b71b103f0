"""What immutable values are made of: a mapping that never changes, and a class of values that never do."""

from collections.abc import Iterator, Mapping
from typing import NoReturn, TypeVar

Key = TypeVar("Key")
Held = TypeVar("Held", covariant=True)


class Frozen:
    """A value whose attributes can be neither set nor deleted once it is made."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: {name} cannot be set.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: {name} cannot be deleted.")


class FrozenMapping(Frozen, Mapping[Key, Held]):
    """A mapping that never changes: equal to any mapping of the same items, and hashed where its values are."""

    __slots__ = ("_held",)

    _held: dict[Key, Held]

    def __init__(self, held: Mapping[Key, Held] | None = None) -> None:
        object.__setattr__(self, "_held", dict(held or {}))

    def __getitem__(self, key: Key) -> Held:
        return self._held[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __hash__(self) -> int:
        return hash(frozenset(self._held.items()))

    def __repr__(self) -> str:
        return repr(self._held)

    def __reduce__(self) -> tuple[type["FrozenMapping[Key, Held]"], tuple[dict[Key, Held]]]:
        return type(self), (self._held,)
