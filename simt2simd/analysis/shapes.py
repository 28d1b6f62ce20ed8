"""What the shape analysis finds out: for each function, once per combination of argument shapes (`Instance`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from ..lang.ctype import VOID, CType, Pointer, Scalar, Struct, common_size, leaf_type, leaves
from ..target import LANES, Along
from ..tree import nodes as tree
from ..tree.effects import outermost, root
from ..tree.nodes import Function, Variable
from ..tree.same import narrow_index
from . import storage
from .lattice import BLOCK, VARYING, Kind, Known, Shape, affine, converted, every_part, offset_by, spans_wrap
from .storage import REGISTER, Storage


@dataclass(frozen=True, slots=True)
class Instance:
    """One function for one combination of argument shapes.

    `along`: the axis of the block along which the threads of a gang lie; empty if a gang may span rows.
    `lanes`: the threads of a gang.
    `divergent`: called where some threads of the block may be missing; only functions that synchronise have both.
    `constants`: the values of parameters that are known and that a recursive function hands on unchanged, such as a
    dimension: its loops unroll.
    """

    name: str
    args: tuple[Known, ...]
    along: Along
    lanes: int = LANES
    divergent: bool = False
    constants: tuple[int | None, ...] = ()
    _hash: int = field(init=False, repr=False, compare=False)  # of all that is above: facts are looked up by it

    def __post_init__(self) -> None:
        parts = self.name, self.args, self.along, self.lanes, self.divergent, self.constants
        object.__setattr__(self, "_hash", hash(parts))

    def __hash__(self) -> int:
        return self._hash


Outlined = tuple[tree.OutlinedLoop, Instance]


@dataclass
class FunctionShapes:
    """The shapes within one instance. Register variables are keyed by (variable, byte offset of the scalar)."""

    instance: Instance
    function: Function
    args: tuple[Known, ...]
    result: Known = None
    variables: dict[tuple[Variable, int], Shape] = field(default_factory=dict)
    asked: set[tuple[Variable, int]] = field(default_factory=set)  # of which the walk, so far, has used the shape
    expressions: dict[tree.Expr, Known] = field(default_factory=dict)
    calls: dict[tree.Call, Instance] = field(default_factory=dict)
    lane_loops: dict[tree.Loop, Outlined] = field(default_factory=dict)  # what may serve a lane alone in a loop
    compacted_loops: dict[tree.Loop, Outlined] = field(default_factory=dict)  # what may serve few lanes of a wide gang
    alone: Instance | None = None  # what may serve a call for one lane, if that is another
    skipped: set[tree.BuiltinCall] = field(default_factory=set)  # barriers that some threads may skip
    diverging: set[tree.Node] = field(default_factory=set)  # calls and loops that some lanes of a gang may reach alone
    blended: set[tree.Node] = field(default_factory=set)  # assignments whose old value a waiting lane may still read
    blended_outside: set[tree.Node] = field(default_factory=set)  # ... that waits elsewhere than at the innermost `if`
    together: set[tree.Jump] = field(
        default_factory=set
    )  # jumps that all lanes of the loop, switch or function take at once
    divergent_loops: set[tree.Loop] = field(default_factory=set)  # lanes may leave them at different times
    raised: dict[tree.Loop | tree.Switch | None, Kind] = field(
        default_factory=dict
    )  # control inside, None: the function

    @property
    def results(self) -> tuple[Shape, ...]:
        """The shapes of the scalars that the function returns; VARYING if it never does."""
        if self.function.result == VOID:
            return ()
        known = self.result if isinstance(self.result, tuple) else (self.result,)
        if self.result is None:
            known = (None,) * len(list(leaves(self.function.result)))
        return tuple(part or VARYING for part in known)

    def of(self, expr: tree.Expr) -> Shape:
        """Return the shape of a scalar expression; VARYING if it is never evaluated."""
        shape = self.expressions.get(expr)
        assert not isinstance(shape, tuple)
        return shape or VARYING

    def parts(self, expr: tree.Expr) -> tuple[Shape, ...]:
        """Return the shapes of a struct expression's scalars."""
        shape = self.expressions.get(expr)
        if not isinstance(shape, tuple):
            return tuple(VARYING for _ in leaves(expr.type))
        return tuple(part or VARYING for part in shape)

    def variable(self, variable: Variable, offset: int = 0) -> Shape:
        return self.variables.get((variable, offset), VARYING)

    def read(self, variable: Variable, offset: int, ctype: CType) -> Known:
        """Return the shape of the part of `variable` at `offset`, read as a value of type `ctype`."""
        if isinstance(ctype, Struct):
            return tuple(self.read_scalar(variable, offset + at, leaf) for at, leaf in leaves(ctype))
        assert isinstance(ctype, Scalar | Pointer)
        return self.read_scalar(variable, offset, ctype)

    def read_scalar(self, variable: Variable, offset: int, ctype: Scalar | Pointer) -> Shape | None:
        self.asked.add((variable, offset))
        shape = self.variables.get((variable, offset))
        kept = leaf_type(variable.type, offset, ctype)
        return shape if kept == ctype else converted(shape, kept, ctype)


@dataclass(frozen=True)
class Shapes:
    """The result for a module: every instance that its kernels reach, kernels first."""

    storage: Storage
    instances: dict[Instance, FunctionShapes]
    kernels: Mapping[str, tuple[Instance, ...]]  # the versions of each kernel; the first is the one with gangs along x

    def versions(self, function: Function) -> list[FunctionShapes]:
        """The versions of a kernel: gangs along x, gangs that may span rows and, where they are better, others."""
        return [self.instances[instance] for instance in self.kernels[function.name]]


def reachable(
    instances: Mapping[Instance, FunctionShapes], roots: Iterable[Instance]
) -> dict[Instance, FunctionShapes]:
    """Return the instances that `roots` may run, themselves first."""
    found: dict[Instance, FunctionShapes] = {}
    todo = list(reversed(list(roots)))
    while todo:
        instance = todo.pop()
        if instance not in found:
            found[instance] = inside = instances[instance]
            todo += [inside.alone] if inside.alone is not None else []
            todo += reversed([*inside.calls.values(), *(alone for _, alone in inside.lane_loops.values())])
            todo += reversed([instance for _, instance in inside.compacted_loops.values()])
    return found


def kernel_instance(function: Function, along: Along, lanes: int = LANES) -> Instance:
    args = tuple(every_part(param.type, BLOCK) if param.storage != "launch" else None for param in function.params)
    return Instance(function.name, args, along, lanes)


def variable_address(variable: Variable, where: Storage) -> Shape:
    """Return the shape of the address of a variable in memory."""
    match where.of(variable):
        case storage.SHARED | storage.CONSTANT | storage.DEVICE:
            return BLOCK
        case storage.INTERLEAVED:
            size = common_size(variable.type)
            return affine(size, interleave=size)
        case _:
            return affine(variable.type.size)


def register_place(place: tree.Place, where: Storage) -> tuple[Variable, int] | None:
    """Return the variable and byte offset that `place` names, if it lives in registers."""
    whole, offset = outermost(place)
    if isinstance(whole, tree.VarRef) and where.of(whole.variable) == REGISTER:
        return whole.variable, offset
    return None


def may_wrap(pointer: tree.Expr, index: tree.Expr) -> bool:
    """Whether lanes on both sides of where `index` wraps may be in the object that `pointer` points into."""
    assert isinstance(pointer.type, Pointer)
    return spans_wrap(index.type, pointer.type.target.size) and not _in_small_object(pointer)


def _in_small_object(pointer: tree.Expr) -> bool:
    """Whether a pointer is known to point into a variable of less than 2 GiB."""
    match pointer:
        case tree.Decay() | tree.AddressOf():
            variable = root(pointer.place)
            if variable is not None:
                return variable.type.size < 1 << 31
            whole, _ = outermost(pointer.place)
            return not isinstance(whole, tree.Index | tree.Deref) or _in_small_object(whole.pointer)
        case tree.PointerAdd():
            return _in_small_object(pointer.pointer)
        case tree.Convert() if isinstance(pointer.operand.type, Pointer):
            return _in_small_object(pointer.operand)
        case _:
            return False


def access_shape(shapes: FunctionShapes, place: tree.Place, where: Storage) -> Shape:
    """Return the shape of the address of a place in memory, after the analysis."""
    match place:
        case tree.VarRef():
            return variable_address(place.variable, where)
        case tree.Deref():
            return shapes.of(place.pointer)
        case tree.Index():
            narrow = narrow_index(place.index)
            return offset_by(shapes.of(place.pointer), shapes.of(narrow), place.pointer.type, 1) or VARYING
        case tree.Member():
            return access_shape(shapes, place.base, where)
        case tree.Temporary():
            return affine(place.type.size)
        case _:
            assert_never(place)
