"""What may run for nothing: in lanes that did not ask for it, or in none.

A short piece of plain arithmetic costs less than the branch around it; a load must not run where a lane might hold
any address, unless the same load was made just before, for those lanes too.
"""

from __future__ import annotations

from itertools import islice

from ..analysis.lattice import Kind, constant_of
from ..analysis.shapes import access_shape, register_place
from ..costs import DIVISION_NODES
from ..lang.ctype import Array, Struct, is_float
from ..tree import nodes as tree
from ..tree.effects import is_effect
from ..tree.same import only_repeats
from ..tree.walk import walk
from .frame import Frame

# Built-ins of one instruction or a few.
_CHEAP = frozenset(
    "abs bitcast brev ceil clz copysign fabs ffs floor fma fmax fmin isfinite isinf isnan make max min mul24 mulhi "
    "popc rint sad saturate signbit trunc".split()
)
MAX_NODES = 500  # a branch around more is as good as free


def runs_for_nothing(f: Frame, node: tree.Expr) -> bool:
    """Whether `node` may be evaluated where it is not asked for, instead of a branch around it."""
    return f.may("speculate") and not needs_lanes(f, node)


def needs_lanes(f: Frame, node: tree.Expr) -> bool:
    """Whether `node` must not run under an empty mask: it calls, assigns, or reads memory whatever the mask.

    What is too long to run for nothing counts as such.
    """
    nodes = [*islice(walk(node), MAX_NODES + 1)]
    if len(nodes) > MAX_NODES:
        return True
    return any(is_effect(below) or _reads_unmasked(f, below) for below in nodes)


def _reads_unmasked(f: Frame, node: tree.Node) -> bool:
    """Whether `node` reads memory through one scalar address, which may be wrong if no lane is on.

    That is a uniform address, or the same element of the gang's own interleaved memory in all lanes.
    """
    if not isinstance(node, tree.Load) or not _reads_memory(f, node):
        return False
    shape = f.shapes.expressions.get(node)
    if shape is None or isinstance(shape, tuple) or shape.uniform:
        return True
    return _is_same_element(f, node.place) and not _is_there(f, node.place)


def is_own_memory(f: Frame, place: tree.Place) -> bool:
    """Whether `place` is a scalar of an object of which each lane of the gang has one, interleaved: `q->count`.

    It may be read and written back whether or not a lane asks for it.
    """
    return not isinstance(place.type, Struct) and _is_same_element(f, place) and _is_there(f, place)


def is_own_memory_read(f: Frame, cond: tree.Expr, place: tree.Place) -> bool:
    """The same of a place that `cond` has read for all lanes, so that no index leads out of the object."""
    if isinstance(place.type, Struct) or not _is_same_element(f, place):
        return False
    return isinstance(place, tree.Index) and only_repeats(tree.Load(place.span, place.type, place), cond)


def _is_same_element(f: Frame, place: tree.Place) -> bool:
    """Whether `place` is the same part, in all lanes, of interleaved objects of their own: an access of one vector."""
    shape = access_shape(f.shapes, place, f.program.storage)
    return shape.interleave > 0 and shape.kind == Kind.AFFINE


def _is_there(f: Frame, place: tree.Place) -> bool:
    """Whether no index that could be out of bounds leads to a part of an interleaved object."""
    match place:
        case tree.VarRef():
            return True
        case tree.Member():
            return _is_there(f, place.base)
        case tree.Index(pointer=tree.Decay(place=array)):
            number = constant_of(place.index)
            inside = isinstance(array.type, Array) and number is not None and 0 <= number < array.type.count
            return inside and _is_there(f, array)
        case tree.Deref(pointer=tree.Load(place=tree.VarRef(variable=pointer))):
            return pointer not in f.program.storage.moved
    return False


def cost(f: Frame, node: tree.Expr) -> int | None:
    """Return about how many nodes of plain arithmetic `node` is worth; None if a branch around it is better."""
    total = 0
    for below in walk(node):
        match below:
            case tree.BuiltinCall() if below.builtin.op not in _CHEAP:
                return None
            case tree.Binary(op="/" | "%", type=ctype):
                if not is_float(ctype) and not isinstance(below.right, tree.Constant):
                    return None
                total += DIVISION_NODES
            case tree.Load() if _reads_memory(f, below):
                return None
        total += 1
        if total > MAX_NODES:
            return None
    return total


def costs_much(f: Frame, node: tree.Expr) -> bool:
    """Whether it is better to branch around `node` than to evaluate it for nothing."""
    return cost(f, node) is None


def loads_made(f: Frame, cond: tree.Expr, node: tree.Expr) -> bool:
    """Whether `node` reads memory, but nothing that `cond` has not read for all lanes, and changes nothing."""
    return f.may("repeated-loads") and reads_memory(f, node) and only_repeats(node, cond)


def reads_memory(f: Frame, node: tree.Node) -> bool:
    return any(_reads_memory(f, below) for below in walk(node))


def _reads_memory(f: Frame, node: tree.Node) -> bool:
    return isinstance(node, tree.Load) and register_place(node.place, f.program.storage) is None
