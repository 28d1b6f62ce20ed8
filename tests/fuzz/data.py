"""The arguments of a launch, as NumPy arrays and numbers: the same ones whenever they are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .functions import TREE_NODES
from .launch import Alias, Array, Launch, Members, Number, Program, Record

MARGIN = 64  # elements: a write out of bounds shows there

NumPyArray = np.ndarray[Any, np.dtype[Any]]

DTYPES = {
    "bool": np.bool_, "char": np.int8, "signed char": np.int8, "unsigned char": np.uint8, "short": np.int16,
    "unsigned short": np.uint16, "int": np.int32, "unsigned": np.uint32, "long long": np.int64,
    "unsigned long long": np.uint64, "float": np.float32, "double": np.float64, "Node": np.int32,
}  # fmt: skip


@dataclass(frozen=True)
class Arguments:
    """`values`: one per parameter. `arrays`: what memory there is, by name, with a margin at both ends."""

    values: list[Any]
    arrays: dict[str, NumPyArray]


def arguments(program: Program, launch: Launch) -> Arguments:
    rng = np.random.default_rng(program.seed)
    threads = launch.threads
    values: list[Any] = []
    arrays: dict[str, NumPyArray] = {}
    shifts = {p.of: p.per_thread * threads + p.more for p in program.parameters if isinstance(p, Alias)}
    for parameter in program.parameters:
        match parameter:
            case Number():
                values.append(np.int32(parameter.value(threads)))
            case Record():
                dtype = struct_dtype(parameter.members)
                values.append(_records(rng, dtype, 1)[0])
            case Array():
                count = parameter.per_thread * threads + parameter.more + shifts.get(parameter.name, 0)
                if parameter.members:
                    array = _records(rng, struct_dtype(parameter.members), count)
                else:
                    array = _content(rng, parameter.content, parameter.type.removeprefix("const "), count)
                arrays[parameter.name] = _with_margin(array)
                array = arrays[parameter.name][MARGIN:-MARGIN]
                values.append(array.view(np.uint8) if parameter.type.endswith("Node") else array)
            case Alias():
                values.append(arrays[parameter.of][MARGIN + parameter.per_thread * threads + parameter.more : -MARGIN])
    return Arguments(values, arrays)


def struct_dtype(members: Members) -> np.dtype[Any]:
    fields = [(name, DTYPES[ctype], (length,)) if length else (name, DTYPES[ctype]) for ctype, name, length in members]
    return np.dtype(fields, align=True)


def _records(rng: np.random.Generator, dtype: np.dtype[Any], count: int) -> NumPyArray:
    array = np.zeros(count, dtype)
    for name in dtype.names or ():
        field = array[name]
        field[...] = rng.integers(0, 100, field.shape).astype(field.dtype)
    return array


def _with_margin(array: NumPyArray) -> NumPyArray:
    whole = np.zeros(len(array) + 2 * MARGIN, array.dtype)
    whole[MARGIN:-MARGIN] = array
    return whole


def _content(rng: np.random.Generator, content: str, ctype: str, count: int) -> NumPyArray:
    dtype = DTYPES[ctype]
    if content == "zeros":
        return np.zeros(count, dtype)
    if content == "tree":
        return _tree(rng)
    numbers = rng.integers(0, 8, count)
    if content == "numbers":
        numbers = np.where(rng.integers(0, 3, count) == 0, numbers, rng.integers(-200, 4096, count))
    if ctype in ("float", "double"):
        return (numbers / 4).astype(dtype)
    return numbers.astype(dtype)


def _tree(rng: np.random.Generator) -> NumPyArray:
    """Return nodes as (key, left, right); each child comes behind its parent, and -1 stands for none."""
    nodes = np.full((TREE_NODES, 3), -1, np.int32)
    nodes[:, 0] = rng.integers(0, 16, TREE_NODES)
    for child in range(1, TREE_NODES):
        free = np.argwhere(nodes[:child, 1:] < 0)
        parent, side = free[rng.integers(0, min(len(free), 6))]
        nodes[parent, 1 + side] = child
    return nodes.reshape(-1)
