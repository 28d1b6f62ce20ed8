"""The tree of one file as bytes, for the section of its object file, until it is linked with those of others.

A tree names structs, variables of the file and sources in many places. Here they are in tables, and the tree has
their numbers: so a reader may put others in their place (`structs`, `merge`).
"""

from __future__ import annotations

import functools
import hashlib
import io
import pickle
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from .. import abi
from ..lang import ctype as ctypes
from ..lang.ctype import Scalar, Struct
from ..lang.device_runtime import EVENT_STRUCT, STREAM_STRUCT
from ..lang.instance import AnyInstance
from ..lang.vectors import BFLOAT16_RAW, BFLOAT162, HALF2, HALF_RAW, VECTOR_TYPES
from ..options import Options
from ..source import NOWHERE, Source
from ..tree.nodes import Content, External, Function, Module, Variable
from ..tree.rewrite import with_kernels

_MAGIC = b"simt2simd tree 1"
_PACKAGE = Path(__file__).parent.parent

_SCALARS = {item.name: item for item in vars(ctypes).values() if isinstance(item, Scalar)}
_STRUCTS = {
    item.tag: item
    for item in (*VECTOR_TYPES.values(), HALF2, BFLOAT162, HALF_RAW, BFLOAT16_RAW, STREAM_STRUCT, EVENT_STRUCT)
}
_STRUCT_NAMES = {struct: name for name, struct in _STRUCTS.items()}
_STRUCT_FIELDS = tuple(field.name for field in fields(Struct))

# What a tree consists of; nothing else is made of what is in a file.
_MODULES = frozenset(
    f"simt2simd.{name}"
    for name in ("tree.nodes", "lang.ctype", "lang.instance", "lang.builtins", "source", "options", "target",
                 "link.relocatable")
)  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Body:
    """What a file is made of. `instances_symbol`: of the list of the kernels that it asks for."""

    file: str
    instances_symbol: str
    structs: tuple[Struct, ...]
    functions: dict[str, Function]
    constants: tuple[Variable, ...]
    shared: tuple[Variable, ...]
    variables: dict[Variable, Content]
    instances: Mapping[AnyInstance, str]
    external: External


@dataclass(frozen=True, eq=False, slots=True)
class Relocatable:
    """What `to_bytes` has written: tables, and what is to be read when these are known.

    `file`: the program file. `options` are those with which it is compiled, but for those about its text.
    """

    file: str
    options: Options
    sources: tuple[tuple[str, str, bool], ...]
    structs: tuple[bytes, ...]
    variables: bytes
    body: bytes


def to_bytes(module: Module, options: Options) -> bytes:
    """Return the tree of a file that is to be linked with others."""
    assert module.external is not None
    names = _own_names(module)
    body = Body(
        module.name, abi.instances_symbol(module.name), module.structs, _with_own_kernels(module, names),
        module.constants, module.shared, module.variables,
        {instance: names.get(name, name) for instance, name in module.instances.items()}, module.external,
    )  # fmt: skip
    variables = dict.fromkeys([*body.constants, *body.shared, *body.variables, *body.external.variables.values()])
    tables = _Tables(variables)
    main = tables.bytes_of(body)
    rows = tables.bytes_of_variables([_with_symbol(variable, module) for variable in variables])
    structs: list[bytes] = []
    while len(structs) < len(tables.structs):  # a struct may name others
        struct = list(tables.structs)[len(structs)]
        structs.append(tables.bytes_of([getattr(struct, name) for name in _STRUCT_FIELDS]))
    sources = tuple((source.name, source.text, source.library) for source in tables.sources.values())
    made = Relocatable(module.name, _plain(options), sources, tuple(structs), rows, main)
    packed = zlib.compress(_version() + pickle.dumps(made), 1)
    return _MAGIC + len(packed).to_bytes(8, "little") + packed


def pieces(section: bytes) -> list[bytes]:
    """Return what `to_bytes` has written into a section; several objects may have become one.

    Raises `ValueError` if the section is damaged.
    """
    found: list[bytes] = []
    at = 0
    while at < len(section):
        if section[at] == 0:  # between what came from two objects
            at += 1
            continue
        begin = at + len(_MAGIC) + 8
        end = begin + int.from_bytes(section[begin - 8 : begin], "little")
        if section[at : at + len(_MAGIC)] != _MAGIC or end > len(section):
            raise ValueError("its device code is damaged")
        found.append(section[at:end])
        at = end
    return found


def from_bytes(piece: bytes) -> Relocatable:
    """Return what `to_bytes` has written. Raises `ValueError` if this compiler cannot read it."""
    try:
        text = zlib.decompress(piece[len(_MAGIC) + 8 :])
        if not text.startswith(_version()):
            raise ValueError("it was made by another version of simt2simd: compile it again")
        made = _Unpickler(io.BytesIO(text[len(_version()) :])).load()
    except (zlib.error, pickle.UnpicklingError, EOFError, AttributeError, TypeError) as fault:
        raise ValueError("its device code is damaged") from fault
    assert isinstance(made, Relocatable)
    return made


def _own_names(module: Module) -> dict[str, str]:
    """Return a name that no other file has for each kernel that is private to the file."""
    assert module.external is not None
    private = (one.name for one in module.kernels if one.static and one.name not in module.external.functions)
    return {name: abi.private_kernel(name, module.name) for name in private}


def _with_own_kernels(module: Module, names: Mapping[str, str]) -> dict[str, Function]:
    found: dict[str, Function] = {}
    for name, function in module.functions.items():
        own = names.get(name)
        if own is not None:
            function = replace(function, name=own, static=False, shown=function.title)
        found[function.name] = replace(function, body=with_kernels(function.body, names))
    return found


def _with_symbol(variable: Variable, module: Module) -> Variable:
    """Return a variable with the linker's name for it."""
    assert module.external is not None
    if not variable.space:
        return variable
    if module.external.variables.get(variable.qualified) is variable:
        return replace(variable, symbol=abi.linked_variable_symbol(variable.qualified))
    return replace(variable, symbol=abi.variable_symbol(variable.qualified, module.name))


def _plain(options: Options) -> Options:
    return replace(options, defines=(), include_dirs=(), relocatable=False, architecture=Options.architecture)


@functools.cache
def _version() -> bytes:
    """Return a name for the compiler as far as trees in files depend on it."""
    own = (path for folder in ("tree", "lang", "link") for path in sorted((_PACKAGE / folder).glob("*.py")))
    texts = [path.read_bytes() for path in (*own, _PACKAGE / "source.py", _PACKAGE / "options.py")]
    return hashlib.sha256(b"\0".join(texts)).digest()


class _Tables:
    """The items of the tables, with their numbers, while a tree is written."""

    def __init__(self, variables: Iterable[Variable]) -> None:
        self.variables = {variable: number for number, variable in enumerate(variables)}
        self.structs: dict[Struct, int] = {}
        self.sources: dict[int, Source] = {}
        self._source_numbers: dict[int, int] = {}

    def bytes_of(self, what: object) -> bytes:
        return self._written(what, self._number)

    def bytes_of_variables(self, variables: list[Variable]) -> bytes:
        """Return the table of variables itself."""
        return self._written(variables, lambda item: None if isinstance(item, Variable) else self._number(item))

    def _written(self, what: object, number: Callable[[Any], object]) -> bytes:
        buffer = io.BytesIO()
        pickler = _Pickler(buffer, pickle.HIGHEST_PROTOCOL)
        pickler.number = number
        pickler.dump(what)
        return buffer.getvalue()

    def _number(self, item: Any) -> object:
        match item:
            case Scalar():
                return ("scalar", item.name)
            case Struct() if item in _STRUCT_NAMES:
                return ("vector", _STRUCT_NAMES[item])
            case Struct():
                return ("struct", self.structs.setdefault(item, len(self.structs)))
            case Variable() if item in self.variables:
                return ("variable", self.variables[item])
            case Source():
                self.sources.setdefault(id(item), item)
                return ("source", self._source_numbers.setdefault(id(item), len(self._source_numbers)))
        return None


class _Pickler(pickle.Pickler):
    number: Callable[[Any], object]

    def persistent_id(self, item: Any) -> object:
        return self.number(item)


class Reader:
    """What reads the tables of a file, one after the other, and the tree when they are known."""

    def __init__(self, made: Relocatable) -> None:
        self.made = made
        self.structs: list[Struct] = []
        self.variables: list[Variable] = []
        self._sources = [Source(*each) for each in made.sources]

    def read_structs(self) -> list[Struct]:
        """Read the structs, which may name one another."""
        self.structs = [Struct("", NOWHERE) for _ in self.made.structs]
        for struct, row in zip(self.structs, self.made.structs, strict=True):
            for name, value in zip(_STRUCT_FIELDS, self._read(row), strict=True):
                setattr(struct, name, value)
        return self.structs

    def read_variables(self) -> list[Variable]:
        self.variables = self._read(self.made.variables)
        return self.variables

    def read_body(self) -> Body:
        body = self._read(self.made.body)
        assert isinstance(body, Body)
        return body

    def _read(self, written: bytes) -> Any:
        unpickler = _Unpickler(io.BytesIO(written))
        unpickler.found = self._found
        return unpickler.load()

    def _found(self, where: tuple[str, Any]) -> object:
        kind, item = where
        match kind:
            case "scalar":
                return _SCALARS[item]
            case "vector":
                return _STRUCTS[item]
            case "struct":
                return self.structs[item]
            case "variable":
                return self.variables[item]
        return self._sources[item]


class _Unpickler(pickle.Unpickler):
    """A reader that makes parts of trees and nothing else, whatever is in the file."""

    found: Callable[[Any], object]

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module in _MODULES else None
        if not isinstance(found, type):
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a tree")
        return found

    def persistent_load(self, where: Any) -> object:
        return self.found(where)
