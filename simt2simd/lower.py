"""Lowering of a module: one LLVM function per function instance, and the entries that the runtime calls.

A function instance takes the gang's record, the active mask as i16, and its arguments, each a scalar or a
vector as its shape says. It returns when all the lanes that came in have returned.
"""

from __future__ import annotations

from collections.abc import Iterator

from llvmlite import ir

from . import mask as masks
from . import storage, tree
from .ctype import Pointer, Scalar, leaves
from .diag import error
from .entry import emit_kernel
from .frame import Frame, Program
from .instance import FunctionShapes, Instance, Shapes
from .irtools import I8, const, undefined
from .lattice import VARYING, Shape
from .lower_stmt import block
from .mask import I16, LANE_BITS, NO_LANES
from .outcome import Outcomes
from .source import Span
from .storage import REGISTER, SHARED
from .target import Options
from .vector import PTR, Value, constant_data, member, opaque, scalar_type, vector_type
from .verify import forget


def lower(module: tree.Module, shapes: Shapes, options: Options, outcomes: Outcomes) -> ir.Module:
    """Return the LLVM module for `module`: its kernels' descriptors, entries and all that they call.

    What became of accesses and branches is written into `outcomes`.
    """
    return _Lowering(module, shapes, options, outcomes).run()


class _Lowering:
    def __init__(self, module: tree.Module, shapes: Shapes, options: Options, outcomes: Outcomes) -> None:
        self.module = module
        self.shapes = forget(shapes) if options.verify else shapes
        self.llvm = ir.Module(module.name)
        self.llvm.triple = "x86_64-unknown-linux-gnu"
        self.functions: dict[Instance, ir.Function] = {}
        self.todo: list[Instance] = []
        self.sites: list[Span] = []
        offsets, self.device_shared, self.kernel_shared = place_shared(module)
        self.program = Program(
            module=module,
            llvm=self.llvm,
            storage=shapes.storage,
            options=options,
            function=self.function,
            shapes=self.shapes,
            claims=shapes if options.verify else None,
            shared_offset=offsets,
            constants=self.constants(),
            site=self.site,
            outcomes=outcomes,
            checks_barriers=any(inside.checked for inside in shapes.instances.values()),
        )

    def run(self) -> ir.Module:
        for kernel in self.module.kernels:
            bodies = [self.function(self.shapes.kernel(kernel, linear).instance) for linear in (True, False)]
            self.drain()
            synchronises = kernel.name in self.shapes.storage.synchronising
            emit_kernel(
                self.llvm,
                self.module,
                kernel,
                bodies,
                synchronises=synchronises,
                sites=self.sites if synchronises else [],
                shared_bytes=max(self.device_shared, self.kernel_shared[kernel.name]),
            )
        return self.llvm

    def drain(self) -> None:
        while self.todo:
            instance = self.todo.pop()
            self.body(instance, self.functions[instance])

    def constants(self) -> dict[tree.Variable, ir.GlobalVariable]:
        """File-scope constants become constant data."""
        found: dict[tree.Variable, ir.GlobalVariable] = {}
        for variable in self.module.constants:
            data = bytearray(variable.initial or bytes(variable.type.size))
            item = constant_data(self.llvm, variable.name, ir.Constant(ir.ArrayType(I8, len(data)), data))
            item.align = 64
            found[variable] = item
        return found

    def site(self, span: Span) -> int:
        """Return the number, from 1, of the barrier that stands at `span`."""
        if span not in self.sites:
            self.sites.append(span)
        return self.sites.index(span) + 1

    # ------------------------------------------------------------------------------------- functions

    def function(self, instance: Instance) -> ir.Function:
        """Return the LLVM function of an instance, declaring it on first use."""
        if instance not in self.functions:
            shapes = self.shapes.instances[instance]
            params = [type_ for _, _, type_ in _parameters(shapes)]
            results = [
                scalar_type(leaf) if shape.scalar else vector_type(leaf)
                for (_, leaf), shape in zip(leaves(shapes.function.result), shapes.results, strict=False)
            ]
            returned = (
                ir.VoidType() if not results else results[0] if len(results) == 1 else ir.LiteralStructType(results)
            )
            name = self.llvm.get_unique_name(f"{instance.name}{'' if instance.linear else '.general'}")
            function = ir.Function(self.llvm, ir.FunctionType(returned, [PTR, I16, *params]), name)
            function.linkage = "internal"
            function.attributes.add("nounwind")
            if shapes.function.inline == "never":
                function.attributes.add("noinline")
            self.functions[instance] = function
            self.todo.append(instance)
        return self.functions[instance]

    def require_room(self, function: tree.Function) -> None:
        """Refuse a function whose local variables are too large for a stack."""
        local = [node for node in tree.walk(function.body) if isinstance(node, tree.Declare)]
        in_memory = [
            node for node in local if self.program.storage.of(node.variable) in (storage.INTERLEAVED, storage.FLAT)
        ]
        if sum(node.variable.type.size for node in in_memory) > MAX_LOCAL_BYTES:
            largest = max(in_memory, key=lambda node: node.variable.type.size)
            raise error(
                largest.span,
                f"the local variables of '{function.name}' take more than {MAX_LOCAL_BYTES >> 10} KiB per thread; "
                f"'{largest.variable.name}' takes {largest.variable.type.size} bytes",
                help="allocate it with cudaMalloc and pass a pointer",
            )

    def body(self, instance: Instance, function: ir.Function) -> None:
        shapes = self.shapes.instances[instance]
        gang, bits, *args = function.args
        gang.name, bits.name = "gang", "mask.bits"
        entry = ir.IRBuilder(function.append_basic_block("entry"))
        start, leave = function.append_basic_block("start"), function.append_basic_block("return")
        results = tuple(
            opaque(entry.alloca(scalar_type(leaf) if shape.scalar else vector_type(leaf), name="result"))
            for (_, leaf), shape in zip(leaves(shapes.function.result), shapes.results, strict=False)
        )
        returned = opaque(entry.alloca(LANE_BITS, name="returned"))
        b = ir.IRBuilder(start)
        frame = Frame(self.program, shapes, function, gang, b, entry, leave, results, returned)
        mask = masks.from_bits(b, bits)
        if shapes.function.kind == "kernel" and instance.linear:
            mask = masks.usually_full(b, mask)
        b.store(NO_LANES, returned)
        constants = dict(zip(shapes.function.params, instance.constants, strict=False))
        for (variable, offset, _), arg, (leaf, shape) in zip(
            _parameters(shapes), args, _leaf_shapes(shapes), strict=True
        ):
            arg.name = variable.name
            value = Value(leaf, arg, shape.stride if shape.scalar else 0, shape.interleave)
            known = constants.get(variable)
            if known is not None:
                value = Value(leaf, const(scalar_type(leaf), known))
            if self.program.storage.of(variable) == REGISTER:
                frame.write(variable, offset, leaf, value, mask, False)
            else:
                frame.memory.store(member(b, frame.address(variable), offset), value, mask)
        self.require_room(shapes.function)
        block(frame, shapes.function.body.statements, mask)
        if not frame.ended:
            b.branch(leave)
        entry.branch(start)
        b.position_at_end(leave)
        values = [b.load(slot, typ=slot.allocated_type) for slot in results]
        if not values:
            b.ret_void()
        elif len(values) == 1:
            b.ret(values[0])
        else:
            b.ret(_aggregate(b, function.return_value.type, values))


MAX_LOCAL_BYTES = 256 << 10  # of a function, per thread; 16 times that must not jump over a stack's guard


def _aggregate(b: ir.IRBuilder, type_: ir.Type, values: list[ir.Value]) -> ir.Value:
    whole: ir.Value = undefined(type_)
    for i, value in enumerate(values):
        whole = b.insert_value(whole, value, i)
    return whole


def _leaf_shapes(shapes: FunctionShapes) -> Iterator[tuple[Scalar | Pointer, Shape]]:
    """The C type and shape of every scalar that an instance takes."""
    for param, known in zip(shapes.function.params, shapes.args, strict=True):
        parts = known if isinstance(known, tuple) else (known,)
        for (_, leaf), shape in zip(leaves(param.type), parts, strict=True):
            yield leaf, shape or VARYING


def _parameters(shapes: FunctionShapes) -> list[tuple[tree.Variable, int, ir.Type]]:
    """For every scalar that an instance takes: its parameter, its offset in it, and its LLVM type."""
    places = [(param, offset) for param in shapes.function.params for offset, _ in leaves(param.type)]
    return [
        (param, offset, scalar_type(leaf) if shape.scalar else vector_type(leaf))
        for (param, offset), (leaf, shape) in zip(places, _leaf_shapes(shapes), strict=True)
    ]


def place_shared(module: tree.Module) -> tuple[dict[tree.Variable, int], int, dict[str, int]]:
    """Lay out static shared memory.

    The device functions' variables come first, at offsets that hold in every kernel; a kernel's own follow.
    Returns the offsets, the size of the first part, and the size that each kernel needs in all.
    """
    offsets: dict[tree.Variable, int] = {}
    end = 0

    def place(function: tree.Function, end: int) -> int:
        for node in tree.walk(function.body):
            if isinstance(node, tree.Declare) and node.variable.storage == SHARED:
                align = max(16, node.variable.type.align)
                offsets[node.variable] = -(-end // align) * align
                end = offsets[node.variable] + node.variable.type.size
        return end

    for function in module.functions.values():
        if function.kind != "kernel":
            end = place(function, end)
    return offsets, end, {kernel.name: place(kernel, end) for kernel in module.kernels}
