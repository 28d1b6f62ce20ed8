"""What the lowering of one function instance works with: its builder, its variables' homes, its exits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from llvmlite import ir

from ..abi import DIM3, GANG, LAUNCH
from ..analysis.lattice import Shape, converted
from ..analysis.shapes import FunctionShapes, Instance, Shapes
from ..analysis.storage import INTERLEAVED, REGISTER, SHARED, Storage
from ..costs import Form
from ..lang.ctype import CType, Pointer, Scalar, Struct, common_size, leaf_type, leaves
from ..mapping.plans import Plans
from ..options import Options
from ..report.outcome import Outcomes
from ..simd.address import Address
from ..simd.builder import I8, Builder
from ..simd.mask import Mask
from ..simd.memory import Memory
from ..simd.values import PTR, Value, move, opaque, reinterpreted, scalar_type, vector, vector_type
from ..source import Span
from ..target import run
from ..tree.nodes import Call, Module, Node, Variable
from .debug import DebugInfo, FunctionDebug
from .debug_types import Kept
from .sites import Sites

S = TypeVar("S")

Parts = tuple[Value, ...]  # a struct value: one value per scalar in it


@dataclass(frozen=True)
class Program:
    """What all functions of a module share."""

    module: Module
    llvm: ir.Module
    storage: Storage
    options: Options
    function: Callable[[Instance], ir.Function]
    shapes: Shapes  # what lowering may rely on
    claims: Shapes | None  # what is to be checked while the program runs
    launch_offset: Mapping[Variable, int]  # of the parameters that stay where the launch has put them
    globals: dict[Variable, ir.GlobalVariable]  # the variables at file scope, shared ones left out
    outcomes: Outcomes  # is filled in
    plans: Plans
    debug: DebugInfo | None  # debug information, if any
    children: dict[str, ir.GlobalVariable] = field(default_factory=dict)  # records of kernels that kernels launch
    sites: Sites | None = None  # what is counted while the program runs, if anything


@dataclass(frozen=True)
class LoopExits:
    """Where `break` and `continue` of one loop or switch lead.

    `continued` holds the lanes that wait at the `continue` point, `broken` those that have left a switch.
    """

    exit: ir.Block
    again: ir.Block | None
    continued: ir.Value | None
    broken: ir.Value | None


@dataclass
class Frame:
    """One function while it is lowered. The active mask is no part of it: masks are handed on explicitly.

    What only one module keeps of a function is a class of that module's, of which `state` gives the one there is.
    """

    program: Program
    shapes: FunctionShapes
    function: ir.Function
    gang: ir.Value
    b: Builder
    entry: Builder  # is in the entry block, where the variables' memory is allocated
    leave: ir.Block  # returns to the caller
    results: tuple[ir.AllocaInstr, ...]
    returned: ir.Value  # the lanes that have returned
    homes: dict[tuple[Variable, int], ir.AllocaInstr] = field(default_factory=dict)  # of register variables' scalars
    places: dict[Variable, ir.Value] = field(default_factory=dict)  # where variables in memory are
    loops: tuple[LoopExits, ...] = ()
    fields: dict[str, ir.Value] = field(default_factory=dict)
    slot_room: ir.AllocaInstr | None = None  # for arguments of the runtime
    slot_count: int = 0  # how many fit
    debug: FunctionDebug | None = None  # debug information, if any
    stacked: Callable[[Call, Mask], None] | None = None  # what becomes of recursive calls (`traversal_stack`)
    once: bool = False  # what is lowered is done once for the whole block
    uneven: ir.AllocaInstr | None = None  # whether an access that is counted went another way than in most gangs
    own_shared: dict[Variable, ir.Value] = field(default_factory=dict)  # shared arrays on the stack (`block_loops`)
    states: dict[type[Any], Any] = field(default_factory=dict)  # by their classes

    def state(self, kind: type[S]) -> S:
        """Return what a module keeps of this function; a new one, without arguments, when it first asks."""
        if kind not in self.states:
            self.states[kind] = kind()
        found: S = self.states[kind]
        return found

    @property
    def claims(self) -> FunctionShapes | None:
        """Return what `--verify` checks in this function."""
        return None if self.program.claims is None else self.program.claims.instances[self.shapes.instance]

    def may(self, choice: str) -> bool:
        """Whether the lowering may do what it decides on the spot, by the name that it has in the list of passes."""
        return self.program.plans.choices[choice] and not (choice == "full-mask" and self.rare)

    @property
    def rare(self) -> bool:
        """Whether hardly a launch runs this version, so that short code is better than fast code."""
        return self.shapes.instance in self.program.plans.rare

    def at(self, span: Span) -> None:
        """Say that what is built from here on is for the text at `span`."""
        if self.debug is not None and span.line:
            self.b.debug_metadata = self.debug.location(span)

    @property
    def lanes(self) -> int:
        """Return how many threads a gang has."""
        return self.shapes.instance.lanes

    def results_of(self, instance: Instance) -> tuple[Shape, ...]:
        """Return the shapes of the scalars that an instance returns."""
        return self.program.shapes.instances[instance].results

    def note(self, node: Node, form: Form) -> None:
        """Write down what `node` becomes."""
        self.program.outcomes.note(self.shapes.instance, node, form)

    @property
    def memory(self) -> Memory:
        return Memory(self.b, self.program.options.target, self.uneven, run(self.shapes.instance.along, self.lanes))

    def fixed(self, path: str, type_: ir.Type) -> ir.Value:
        """Return a field of the gang's record that does not change while the gang runs: it is read once, on entry."""
        if path not in self.fields:
            self.fields[path] = load_field(self.entry, self.gang, path, type_)
        return self.fields[path]

    def allocate(self, type_: ir.Type, name: str) -> ir.AllocaInstr:
        return opaque(self.entry.alloca(type_, name=name))

    def slots(self, count: int) -> ir.Value:
        """Return room for so many arguments of 64 bits from each lane; all calls of the runtime share it."""
        needed = max(1, count) * self.lanes
        if needed > self.slot_count:
            room = self.allocate(ir.ArrayType(ir.IntType(64), needed), "slots")
            room.align = 64
            self.slot_count, self.slot_room = needed, room
        assert self.slot_room is not None
        return self.slot_room

    # ------------------------------------------------------------------------- register variables

    def home(self, variable: Variable, offset: int, ctype: CType) -> ir.AllocaInstr:
        """Return the stack slot of a register variable's scalar; LLVM turns it into SSA values."""
        key = (variable, offset)
        if key not in self.homes:
            shape = self.shapes.variable(variable, offset)
            type_ = scalar_type(ctype) if shape.scalar else vector_type(ctype, self.lanes)
            self.homes[key] = self.allocate(type_, variable.name + (f".{offset}" if offset else ""))
            self.b.keep_in_register(self.homes[key])
            if self.debug is not None and isinstance(ctype, Scalar | Pointer):
                kept = Kept(ctype, shape.stride if shape.scalar else 0, 0 if shape.scalar else self.lanes)
                self.debug.scalar(self.entry, variable, offset, kept, self.homes[key])
        return self.homes[key]

    def read(self, variable: Variable, offset: int, ctype: CType) -> Value | Parts:
        if isinstance(ctype, Struct):
            return tuple(self.read_scalar(variable, offset + at, leaf) for at, leaf in leaves(ctype))
        return self.read_scalar(variable, offset, ctype)

    def read_scalar(self, variable: Variable, offset: int, ctype: CType) -> Value:
        assert isinstance(ctype, Scalar | Pointer)
        shape = self.shapes.variable(variable, offset)
        kept = leaf_type(variable.type, offset, ctype)
        home = self.home(variable, offset, kept)
        loaded = self.b.load(home, typ=home.allocated_type, name=variable.name)
        value = Value(kept, loaded, shape.stride if shape.scalar else 0, shape.interleave)
        if kept == ctype:
            return value
        return reinterpreted(self.b, coerce(self.b, value, converted(shape, kept, ctype)), ctype)

    def write(
        self, variable: Variable, offset: int, ctype: CType, value: Value | Parts, mask: Mask, blended: bool
    ) -> None:
        """Give the active lanes a new value. Unless `blended`, no waiting lane needs the old one."""
        if isinstance(value, tuple):
            for (at, leaf), part in zip(leaves(ctype), value, strict=True):
                self.write(variable, offset + at, leaf, part, mask, blended)
            return
        shape = self.shapes.variable(variable, offset)
        kept = leaf_type(variable.type, offset, value.type)
        home = self.home(variable, offset, kept)
        value = coerce(self.b, value if kept == value.type else reinterpreted(self.b, value, kept), shape)
        new = value.ir
        if not shape.scalar and blended and not mask.all_on:
            new = self.b.select(mask.lanes, new, self.b.load(home, typ=new.type))
        self.b.store(new, home)

    # --------------------------------------------------------------------------- variables in memory

    def address(self, variable: Variable) -> Address:
        """Return the address of a variable that lives in memory."""
        where = self.program.storage.of(variable)
        assert where != REGISTER
        if variable in self.own_shared:
            return Address(self.own_shared[variable])
        if where == SHARED:
            return self._within(variable, self.fixed("shared", PTR), self.program.plans.shared.offset[variable])
        if variable in self.program.globals:
            return Address(self.program.globals[variable])
        if variable in self.program.launch_offset:
            return self._within(variable, self.fixed("launch.args", PTR), self.program.launch_offset[variable])
        if variable not in self.places:
            type_ = ir.ArrayType(I8, max(1, variable.type.size) * self.lanes)
            home = self.allocate(type_, variable.name)
            home.align = 64
            self.places[variable] = home
            if self.debug is not None:
                self.debug.object(self.entry, variable, self.lanes, where, home)
        if where == INTERLEAVED:
            size = common_size(variable.type)
            return Address(self.places[variable], size, size)
        return Address(self.places[variable], variable.type.size)

    def _within(self, variable: Variable, base: ir.Value, offset: int) -> Address:
        """Return the address of what all lanes share, at an offset from `base`."""
        if self.debug is not None and variable not in self.places:
            self.places[variable] = move(self.entry, base, offset)
            self.debug.object(self.entry, variable, self.lanes, SHARED, self.places[variable])
        return Address(move(self.b, base, offset))

    # ------------------------------------------------------------------------------------ branches

    @contextmanager
    def within(self, exits: LoopExits) -> Iterator[None]:
        """Let jumps lead to `exits`, in the body of a loop or switch."""
        outside = self.loops
        self.loops = (*outside, exits)
        yield
        self.loops = outside

    def block(self, name: str) -> ir.Block:
        return self.function.append_basic_block(name)

    @property
    def ended(self) -> bool:
        """Whether the present block has a jump already: nothing more can run here."""
        return self.b.block.is_terminated


def coerce(b: Builder, value: Value, shape: Shape) -> Value:
    """Give `value` the form that `shape` calls for."""
    if not shape.scalar:
        return Value(value.type, vector(b, value), interleave=shape.interleave)
    assert not value.varying, f"shape {shape} claimed for a varying value"
    assert value.stride == shape.stride, f"shape {shape} claimed for a value of stride {value.stride}"
    return value


def merge(b: ir.IRBuilder, ways: list[tuple[Value, ir.Block]], shape: Shape) -> Value:
    """Return the phi of values that were coerced to `shape` in the blocks they come from."""
    first = ways[0][0]
    phi = b.phi(first.ir.type)
    for value, block in ways:
        phi.add_incoming(value.ir, block)
    return Value(first.type, phi, shape.stride if shape.scalar else 0, shape.interleave)


def as_value(ctype: CType, parts: Parts) -> Value | Parts:
    """Return the scalars of a value as the value: a struct is all of them, anything else the only one."""
    return parts if isinstance(ctype, Struct) else parts[0]


def zero(ctype: CType) -> Value:
    assert isinstance(ctype, Scalar | Pointer)
    return Value(ctype, ir.Constant(scalar_type(ctype), None if scalar_type(ctype) == PTR else 0))


def load_field(b: ir.IRBuilder, base: ir.Value, path: str, type_: ir.Type) -> ir.Value:
    """Read a field of the gang's record, or of the launch's by `launch.NAME`."""
    struct, *rest = path.split(".")
    layout = GANG
    if struct == "launch":
        base, layout = b.load(move(b, base, GANG.offset["launch"]), typ=PTR, name="launch"), LAUNCH
        struct, *rest = rest
    offset = layout.offset[struct] + sum(DIM3.offset[axis] for axis in rest)
    field = b.load(move(b, base, offset), typ=type_, name=path.replace("launch.", ""))
    return fixed(b, field) if layout is LAUNCH else field


def fixed(b: ir.IRBuilder, loaded: ir.Value) -> ir.Value:
    """Tell LLVM that what was loaded is not written while the kernel runs: the load may leave loops."""
    assert isinstance(loaded, ir.Instruction)
    loaded.set_metadata("invariant.load", b.module.add_metadata([]))
    return loaded


def stays(b: ir.IRBuilder, value: ir.Value) -> None:
    """Tell LLVM the same of `value` if one load has made it."""
    if isinstance(value, ir.Instruction) and value.opname == "load":
        fixed(b, value)
