"""Cures: the smallest change of the program, or of the options, that makes the subject of a remark cost less."""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.lattice import Kind, Shape
from ..analysis.shapes import FunctionShapes
from ..costs import Form
from ..tree import nodes as tree
from ..tree.walk import walk

_SIDE_BY_SIDE = "elements of 4 bytes are {} by one instruction, without splitting words"
_FAR_APART = (
    "neighbouring threads are far apart: where the thread's number is added last, as in `a[j * n + i]`, "
    "they are side by side"
)
_INDEX = "one pointer for all threads and an `int` for each, as in `base[i]`, take half the time of a pointer for each"
_SHARED = "count in a __shared__ array, and add that to the other one once for each block: this takes no lock"
_AFTER_LOOP = "add up in a variable of the thread's own, and update memory once, after the loop"


def of_access(function: FunctionShapes, node: tree.Access, form: Form, shape: Shape) -> str | None:
    """Return the cure for a slow access to memory; None if it is quick, or nothing local helps."""
    if shape.kind == Kind.AFFINE and not shape.interleave and abs(shape.stride) > max(4, node.place.type.size):
        part = "field" if isinstance(node.place, tree.Member) else "column"
        return f"one array per {part} would be one vector {'load' if isinstance(node, tree.Load) else 'store'}"
    if form.kind not in ("gather", "scatter"):
        return None
    if _multiplies_by_unknown(function, node.place):
        return _FAR_APART
    if "64-bit addresses" in form.text:
        return _INDEX
    if "words around" in form.text:
        return _SIDE_BY_SIDE.format("gathered")
    return _SIDE_BY_SIDE.format("scattered") if "lane by lane" in form.text and node.place.type.size < 4 else None


def _multiplies_by_unknown(function: FunctionShapes, place: tree.Place) -> bool:
    """Whether the distance of neighbouring threads' elements is only known at run time: `i * n`."""
    for index in _indices(place):
        for node in walk(index):
            if isinstance(node, tree.Binary) and node.op == "*":
                sides = [function.of(side) for side in (node.left, node.right)]
                kinds = {side.kind for side in sides}
                if Kind.AFFINE in kinds and any(side.uniform for side in sides):
                    return True
    return False


def _indices(place: tree.Place) -> Iterator[tree.Expr]:
    """Yield the indices of a place, not those of places that are read to find it."""
    match place:
        case tree.Index():
            yield place.index
            yield from _pointer_indices(place.pointer)
        case tree.Deref():
            yield from _pointer_indices(place.pointer)
        case tree.Member():
            yield from _indices(place.base)


def _pointer_indices(pointer: tree.Expr) -> Iterator[tree.Expr]:
    match pointer:
        case tree.PointerAdd():
            yield pointer.index
            yield from _pointer_indices(pointer.pointer)
        case tree.Decay() | tree.AddressOf():
            yield from _indices(pointer.place)


def of_atomic(form: Form, loops: int, *, used: bool) -> str | None:
    """Return the cure for an atomic function; `used`: whether its old value is."""
    if used or not form.text.endswith(", locked"):
        return None
    return _SHARED if form.text.startswith("an update for each address") else _AFTER_LOOP if loops else None


_OF_BARRIERS = (
    ("may disagree", "let all threads reach the barrier: put the `if` around the work, and the barrier after it"),
    ("has a barrier", "call it in a statement of its own, that all threads reach"),
    ("part of an expression", "give what the barrier returns to a variable, in a statement of its own"),
    ("not computed once", "compute it from what is the same in all threads: parameters, blockIdx, constants"),
    ("have to be kept", "keep large arrays in shared memory, or use them between two barriers only"),
    ("parts between barriers", "make two kernels of it, or leave the loops around barriers rolled"),
    ("--verify", "compile without --verify and --disable=barrier-fission"),
)


def of_barriers(why: str) -> str | None:
    """Return the cure for barriers at which gangs take turns, by the reason why they do."""
    return next((cure for words, cure in _OF_BARRIERS if words in why), None)


PARAMETER = "leave it as it is, and change copies of single members: then it is there once for all threads"
KEPT = "a variable that is used on one side of a barrier only, or is as cheap to compute again, is not kept"
FLAT = (
    "hand its address only to functions that read and write through it, and keep it in no variable that changes: "
    "then the copies of neighbours lie side by side"
)
_OF_SERVICES = {
    "malloc": "allocate once for the block, or before the launch",
    "free": "allocate once for the block, or before the launch",
    "memcpy": "a small number of bytes that is known when the program is compiled makes loads and stores of it",
    "memset": "a small number of bytes that is known when the program is compiled makes stores of it",
}


def of_service(name: str) -> str | None:
    """Return the cure for a function that runs for one lane after the other."""
    return _OF_SERVICES.get(name)
