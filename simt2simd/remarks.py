"""What the shapes mean for the programmer: remarks on what is slow and why, and the listing of every shape.

A remark is about blocks whose gangs do not span two rows, the common case. Where a function is compiled for several
combinations of argument shapes, a remark that holds for some of them ends in "in some calls".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from . import tree
from .ctype import CType, Struct, leaves
from .diag import Diagnostic
from .instance import FunctionShapes, Shapes, register_place, variable_address
from .lattice import VARYING, Kind, Known, Shape, offset_by
from .source import Span
from .storage import Storage


def remarks(shapes: Shapes) -> list[Diagnostic]:
    """Return what is slow and why, and which calls stay lockstep, in source order."""
    counts: dict[_Remark, int] = {}
    instances: dict[str, int] = {}
    for instance, function in shapes.instances.items():
        if instance.linear:
            instances[instance.name] = instances.get(instance.name, 0) + 1
            for remark in set(_of_function(function, shapes)):
                counts[remark] = counts.get(remark, 0) + 1
    result = []
    for remark, count in counts.items():
        some = "" if count == instances[remark.function] else ", in some calls"
        result.append(Diagnostic(remark.span, remark.message + some, help=remark.help, severity="remark"))
    return sorted(result, key=lambda remark: (remark.span.source.name, remark.span.line, remark.span.column))


def listing(shapes: Shapes) -> str:
    """Return every instance with the shapes of its parameters, variables and result, and its remarks."""
    parts: list[str] = []
    for instance, function in shapes.instances.items():
        params = zip(function.function.params, instance.args, strict=True)
        args = ", ".join(f"{param.name}: {_text(shape)}" for param, shape in params)
        rows = "" if instance.linear else ", gangs may span rows"
        where = ", in divergent control" if instance.divergent else ""
        parts.append(f"{instance.name}({args}) -> {_text(function.result)}{rows}{where}")
        for (variable, offset), shape in function.variables.items():
            if variable.storage == "local":
                member = f"+{offset}" if isinstance(variable.type, Struct) else ""
                parts.append(f"  {variable.name}{member}: {shape}  [line {variable.span.line}]")
        for remark in dict.fromkeys(_of_function(function, shapes)):
            parts.append(f"  {remark.message}  [line {remark.span.line}]")
    return "\n".join(parts)


class _Remark(NamedTuple):
    function: str
    span: Span
    message: str
    help: str | None = None


def _of_function(function: FunctionShapes, shapes: Shapes) -> Iterator[_Remark]:
    name = function.function.name
    for node in tree.walk(function.function.body):
        match node:
            case tree.Load():
                yield from _access(function, shapes.storage, node.place, node.type, "read", "gather")
            case tree.Assign():
                yield from _access(function, shapes.storage, node.place, node.place.type, "write", "scatter")
            case tree.CompoundAssign() | tree.Increment():
                yield from _access(
                    function, shapes.storage, node.place, node.place.type, "change", "gather and scatter"
                )
            case tree.If() if function.of(node.cond).kind == Kind.VARYING:
                yield _Remark(name, node.span, "divergent if: lanes may disagree; each arm runs under a mask")
            case tree.Switch() if not function.of(node.value).uniform:
                yield _Remark(name, node.span, "divergent switch: lanes may disagree; the sections run under masks")
            case tree.Loop() if node in function.divergent_loops:
                message = "divergent loop: lanes leave at different times; it runs until the last one is done"
                yield _Remark(name, node.span, message)
            case tree.Call() if node in function.calls:
                yield from _call(function, shapes, node)


def _call(function: FunctionShapes, shapes: Shapes, node: tree.Call) -> Iterator[_Remark]:
    instance = function.calls[node]
    params = shapes.instances[instance].function.params
    uniform = [f"'{p.name}'" for p, arg in zip(params, instance.args, strict=True) if _is_uniform(arg)]
    if not params:
        return
    if uniform:
        message = f"call of '{node.function}' is lockstep in {', '.join(uniform)}"
    else:
        message = f"call of '{node.function}' is not lockstep in any argument"
    yield _Remark(function.function.name, node.span, message)


def _is_uniform(shape: Known) -> bool:
    parts = shape if isinstance(shape, tuple) else (shape,)
    return all(part is not None and part.uniform for part in parts)


# ---------------------------------------------------------------------------------------------- memory


def _access(
    function: FunctionShapes, storage: Storage, place: tree.Place, ctype: CType, verb: str, instruction: str
) -> Iterator[_Remark]:
    """Yield a remark if the lanes' parts of `place` do not lie side by side."""
    if register_place(place, storage) is not None or isinstance(_outermost(place), tree.Temporary):
        return
    address = _address(function, storage, place)
    size = next((leaf.size for _, leaf in leaves(ctype)), 0)
    if address.uniform or (address.kind == Kind.AFFINE and address.stride == size):
        return
    name, span = function.function.name, place.span
    if address.kind == Kind.AFFINE:
        yield _Remark(
            name,
            span,
            f"{instruction}: neighbouring lanes {verb} {abs(address.stride)} bytes apart",
            f"one array per field would be one vector {'load' if verb == 'read' else 'store'}"
            if abs(address.stride) > size
            else None,
        )
    else:
        yield _Remark(name, span, f"{instruction}: the lanes {verb} at addresses that differ in no known way")


def _outermost(place: tree.Place) -> tree.Place:
    while isinstance(place, tree.Member):
        place = place.base
    return place


def _address(function: FunctionShapes, storage: Storage, place: tree.Place) -> Shape:
    match place:
        case tree.VarRef():
            return variable_address(place.variable, storage)
        case tree.Deref():
            return function.of(place.pointer)
        case tree.Index():
            pointer, index = function.of(place.pointer), function.of(tree.narrow_index(place.index))
            return offset_by(pointer, index, place.pointer.type, 1) or VARYING
        case tree.Member():
            return _address(function, storage, place.base)
        case tree.Temporary():
            return Shape(Kind.AFFINE, place.type.size)
        case _:
            assert_never(place)


def _text(shape: Known) -> str:
    if isinstance(shape, tuple):
        return "{" + ", ".join(map(_text, shape)) + "}"
    return "none" if shape is None else str(shape)
