"""Lowering of a module: one LLVM function per function instance, and the entries that the runtime calls.

A function instance takes the gang's record, the active mask as i16, and its arguments, each a scalar or a
vector as its shape says. It returns when all the lanes that came in have returned.
"""

from __future__ import annotations

from llvmlite import ir

from ..abi import pack_params
from ..analysis import storage
from ..analysis.shapes import FunctionShapes, Instance, Shapes
from ..diag import error
from ..lang.ctype import leaves
from ..mapping.fission import Plan
from ..mapping.plans import Plans
from ..options import Options
from ..report.outcome import Outcomes
from ..simd import mask as masks
from ..simd.builder import I8, Builder, undefined
from ..simd.values import PTR, constant_data, opaque, scalar_type, vector_type
from ..source import Span
from ..target import LANES
from ..tree import nodes as tree
from ..tree.calls import expanded_nodes
from ..tree.walk import walk
from . import full_mask, single_lane, walk_stack
from .barrier import hold_context, write_context
from .block_loops import lower_block
from .entry import SLOTS, WIDE_SLOT, Version, emit_kernel
from .frame import Frame, Program
from .gang_loops import keep_loops
from .signature import leaving, parameters, receive, travelling_type
from .statements import block


def lower(
    module: tree.Module,
    shapes: Shapes,
    claims: Shapes | None,
    plans: Plans,
    options: Options,
    outcomes: Outcomes,
) -> ir.Module:
    """Return the LLVM module for `module`: its kernels' descriptors, entries and all that they call.

    `shapes`: what the code may rely on. `claims`: what it checks while it runs, if that is wanted. What became of
    accesses and branches is written into `outcomes`.
    """
    return _Lowering(module, shapes, claims, plans, options, outcomes).run()


class _Lowering:
    def __init__(
        self,
        module: tree.Module,
        shapes: Shapes,
        claims: Shapes | None,
        plans: Plans,
        options: Options,
        outcomes: Outcomes,
    ) -> None:
        self.module = module
        self.shapes = shapes
        self.plans = plans
        self.llvm = ir.Module(module.name)
        self.llvm.triple = options.target.triple
        self.functions: dict[Instance, ir.Function] = {}
        self.todo: list[Instance] = []
        self.sites: list[Span] = []
        self.nodes = expanded_nodes(module, TOO_MANY_NODES)
        self.program = Program(
            module=module,
            llvm=self.llvm,
            storage=shapes.storage,
            options=options,
            function=self.function,
            shapes=self.shapes,
            claims=claims,
            launch_offset=_launch_offsets(module),
            constants=self.constants(),
            site=self.site,
            outcomes=outcomes,
            plans=plans,
        )

    def run(self) -> ir.Module:
        for kernel in self.module.kernels:
            synchronises = kernel.name in self.shapes.storage.synchronising
            versions = [self.version(instance) for instance in self.plans.versions[kernel.name]]
            checked = any(version in self.plans.checked for version in self.shapes.kernels[kernel.name])
            self.drain()
            emit_kernel(
                self.llvm,
                self.module,
                kernel,
                versions,
                self.program.options.target,
                synchronises=synchronises,
                independent=kernel.name in self.plans.independent,
                always_wide=self.program.options.lanes is not None,
                in_step=kernel.name in self.plans.in_step,
                sites=self.sites if checked else [],
                shared_bytes=self.plans.shared.bytes[kernel.name],
            )
        return self.llvm

    def version(self, instance: Instance) -> Version:
        """Declare what a version of a kernel consists of."""
        wide = instance.lanes > LANES
        division = self.plans.division(instance)
        whole_block = None if division is None else self.whole_block(self.shapes.instances[instance], division)
        body = None if wide and whole_block is not None else self.function(instance)
        slot = WIDE_SLOT if wide else SLOTS[instance.along]
        return Version(slot, instance.along, instance.lanes, body, whole_block, self.plans.strips_of(instance))

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
            params = [type_ for _, _, type_ in parameters(shapes)]
            results = [
                travelling_type(leaf, shape, instance.lanes)
                for (_, leaf), shape in zip(leaves(shapes.function.result), shapes.results, strict=False)
            ]
            returned = (
                ir.VoidType() if not results else results[0] if len(results) == 1 else ir.LiteralStructType(results)
            )
            name = self.llvm.get_unique_name(instance.name + _suffix(instance))
            function = ir.Function(
                self.llvm, ir.FunctionType(returned, [PTR, masks.travelling(instance.lanes), *params]), name
            )
            function.linkage = "internal"
            function.attributes.add("nounwind")
            stack_walk = self.plans.walks.get(instance)
            if shapes.function.inline == "never" or self.nodes.get(instance.name) == TOO_MANY_NODES:
                function.attributes.add("noinline")
            elif shapes.function.inline == "always" or (stack_walk is not None and stack_walk.inlined):
                function.attributes.add("alwaysinline")
            self.functions[instance] = function
            self.todo.append(instance)
        return self.functions[instance]

    def whole_block(self, shapes: FunctionShapes, plan: Plan) -> ir.Function:
        """The function that runs a block of a divided kernel in one go."""
        types = [type_ for _, _, type_ in parameters(shapes)]
        name = self.llvm.get_unique_name(f"{shapes.function.name}.block{_suffix(shapes.instance)}")
        function = ir.Function(self.llvm, ir.FunctionType(ir.VoidType(), [PTR, *types]), name)
        function.linkage = "internal"
        function.attributes.add("nounwind")
        keep_loops(function)
        frame = self.frame(shapes, function)
        start = frame.b.block
        lower_block(frame, plan, function.args[1:])
        frame.entry.branch(start)
        frame.b.position_at_end(frame.leave)
        frame.b.ret_void()
        return function

    def frame(self, shapes: FunctionShapes, function: ir.Function) -> Frame:
        """A frame for the lowering of an instance into `function`, which stands at its start."""
        function.args[0].name = "gang"
        entry = Builder(function.append_basic_block("entry"), shapes.instance.lanes)
        start, leave = function.append_basic_block("start"), function.append_basic_block("return")
        results = tuple(
            opaque(entry.alloca(scalar_type(leaf) if shape.scalar else vector_type(leaf, entry.lanes), name="result"))
            for (_, leaf), shape in zip(leaves(shapes.function.result), shapes.results, strict=False)
        )
        returned = opaque(entry.alloca(masks.lane_bits(entry.lanes), name="returned"))
        b = Builder(start, shapes.instance.lanes)
        return Frame(self.program, shapes, function, function.args[0], b, entry, leave, results, returned)

    def require_room(self, function: tree.Function) -> None:
        """Refuse a function whose local variables are too large for a stack."""
        local = [node for node in walk(function.body) if isinstance(node, tree.Declare)]
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
        _, bits, *args = function.args
        bits.name = "mask.bits"
        frame = self.frame(shapes, function)
        b, entry, start, leave = frame.b, frame.entry, frame.b.block, frame.leave
        mask = masks.from_bits(b, bits)
        is_walk = instance in self.plans.walks
        if shapes.function.kind == "kernel" and instance.along and self.plans.division(instance) is None:
            mask = full_mask.usually_full(frame, mask)
        b.store(masks.no_lanes(b.lanes), frame.returned)
        for (variable, _, _), arg in zip(parameters(shapes), args, strict=True):
            arg.name = variable.name
        if not is_walk:
            single_lane.branch_off(frame, bits, args)
        receive(frame, shapes.function.params, args, mask)
        self.require_room(shapes.function)
        hold_context(frame)
        if is_walk:
            walk_stack.lower(frame, args, mask)
        else:
            block(frame, shapes.function.body.statements, mask)
        if not frame.ended:
            b.branch(leave)
        entry.branch(start)
        b.position_at_end(leave)
        write_context(frame)
        values = [leaving(b, b.load(slot, typ=slot.allocated_type)) for slot in frame.results]
        if not values:
            b.ret_void()
        elif len(values) == 1:
            b.ret(values[0])
        else:
            b.ret(_aggregate(b, function.return_value.type, values))


def _suffix(instance: Instance) -> str:
    """What tells apart the functions that are made for each kind of gang."""
    rows = {"x": "", "": ".general", "y": ".along_y"}[instance.along]
    return rows + (f".x{instance.lanes}" if instance.lanes > LANES else "")


TOO_MANY_NODES = 8000  # of a function, with all that it calls, for LLVM to copy it to its calls
MAX_LOCAL_BYTES = 256 << 10  # of a function, per thread; 16 times that must not jump over a stack's guard


def _launch_offsets(module: tree.Module) -> dict[tree.Variable, int]:
    """Where, behind a launch's arguments, the parameters are that stay there."""
    return {
        param: offset
        for kernel in module.kernels
        for param, offset in zip(kernel.params, pack_params(p.type for p in kernel.params)[0], strict=True)
        if param.storage == "launch"
    }


def _aggregate(b: ir.IRBuilder, type_: ir.Type, values: list[ir.Value]) -> ir.Value:
    whole: ir.Value = undefined(type_)
    for i, value in enumerate(values):
        whole = b.insert_value(whole, value, i)
    return whole
