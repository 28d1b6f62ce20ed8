"""Lowering of a module: one LLVM function per function instance, and the entries that the runtime calls.

A function instance takes the gang's record, the active mask as i16, and its arguments, each a scalar or a
vector as its shape says. It returns when all the lanes that came in have returned.
"""

from __future__ import annotations

from collections.abc import Mapping

from llvmlite import ir

from ..analysis import storage
from ..analysis.shapes import FunctionShapes, Instance, Shapes
from ..diag import error
from ..lang.ctype import leaves
from ..mapping import fission
from ..mapping.block_strips import Strips
from ..report.outcome import Outcomes
from ..simd import mask as masks
from ..simd.builder import I8, Builder, undefined
from ..simd.values import PTR, constant_data, opaque, scalar_type, vector_type
from ..source import Span
from ..target import LANES, Options
from ..tree import nodes as tree
from ..tree.calls import functions_reaching
from ..tree.effects import may_wait
from ..tree.shared_memory import lay_out
from ..tree.walk import walk
from . import single_lane, walk_stack
from .barrier import hold_context, write_context
from .block_loops import lower_block
from .claims import forget
from .entry import SLOTS, WIDE_SLOT, Version, emit_kernel
from .frame import Frame, Program
from .gang_loops import keep_loops
from .signature import leaving, parameters, receive, travelling_type
from .statements import block


def lower(
    module: tree.Module,
    shapes: Shapes,
    strips: Mapping[str, Mapping[str, Strips]],
    options: Options,
    outcomes: Outcomes,
) -> ir.Module:
    """Return the LLVM module for `module`: its kernels' descriptors, entries and all that they call.

    `strips`: how blocks run together, by the axis of the gangs and by kernel. What became of accesses and branches is
    written into `outcomes`.
    """
    return _Lowering(module, shapes, strips, options, outcomes).run()


class _Lowering:
    def __init__(
        self,
        module: tree.Module,
        shapes: Shapes,
        strips: Mapping[str, Mapping[str, Strips]],
        options: Options,
        outcomes: Outcomes,
    ) -> None:
        self.module = module
        self.shapes = forget(shapes) if options.verify else shapes
        self.llvm = ir.Module(module.name)
        self.llvm.triple = options.target.triple
        self.functions: dict[Instance, ir.Function] = {}
        self.todo: list[Instance] = []
        self.sites: list[Span] = []
        self.may_divide = options.fission and not options.verify
        self.divided: set[Instance] = set()  # kernels that run their barriers as loops: by gangs only in teams
        self.strips = {} if options.verify else strips
        self.shared = lay_out(module)
        self.program = Program(
            module=module,
            llvm=self.llvm,
            storage=shapes.storage,
            options=options,
            function=self.function,
            shapes=self.shapes,
            claims=shapes if options.verify else None,
            shared_offset=self.shared.offset,
            constants=self.constants(),
            site=self.site,
            outcomes=outcomes,
            checked=checked_instances(module, shapes),
        )

    def run(self) -> ir.Module:
        waiting = functions_reaching(self.module, may_wait)
        for kernel in self.module.kernels:
            synchronises = kernel.name in self.shapes.storage.synchronising
            versions = [self.version(shapes, synchronises) for shapes in self.shapes.versions(kernel)]
            checked = any(shapes.instance in self.program.checked for shapes in self.shapes.versions(kernel))
            self.drain()
            emit_kernel(
                self.llvm,
                self.module,
                kernel,
                [version for version in versions if version is not None],
                self.program.options.target,
                synchronises=synchronises,
                independent=kernel.name not in waiting,
                always_wide=self.program.options.lanes is not None,
                sites=self.sites if checked else [],
                shared_bytes=self.shared.bytes[kernel.name],
            )
        return self.llvm

    def version(self, shapes: FunctionShapes, synchronises: bool) -> Version | None:
        """Declare what a version of a kernel consists of. None: its gangs are wide, and would wait."""
        instance = shapes.instance
        wide = instance.lanes > LANES
        whole_block = None
        if instance.along == "x":
            swept = any(isinstance(node, tree.Loop) and node.swept for node in walk(shapes.function.body))
            whole_block = self.whole_block(shapes) if synchronises or swept else None
            if wide and synchronises and whole_block is None:
                return None
        body = None if wide and whole_block is not None else self.function(instance)
        slot = WIDE_SLOT if wide else SLOTS[instance.along]
        together = self.strips.get(instance.along, {}).get(instance.name) if whole_block is None else None
        return Version(slot, instance.along, instance.lanes, body, whole_block, together)

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
            if shapes.function.inline == "never":
                function.attributes.add("noinline")
            elif shapes.function.inline == "always" or (self.is_walk(shapes) and walk_stack.is_small(shapes.function)):
                function.attributes.add("alwaysinline")
            self.functions[instance] = function
            self.todo.append(instance)
        return self.functions[instance]

    def is_walk(self, shapes: FunctionShapes) -> bool:
        """Whether an instance becomes a loop over a stack. Checks are made call by call."""
        return not self.program.options.verify and walk_stack.runs(shapes)

    def whole_block(self, shapes: FunctionShapes) -> ir.Function | None:
        """The function that runs a block of a divided kernel in one go; None if the kernel does not qualify."""
        if not self.may_divide:
            return None
        plan = fission.plan(self.module, shapes, self.program.storage)
        if isinstance(plan, str):
            return None
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
        self.divided.add(shapes.instance)
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
        if shapes.function.kind == "kernel" and instance.along and instance not in self.divided:
            mask = masks.usually_full(b, mask)
        b.store(masks.no_lanes(b.lanes), frame.returned)
        for (variable, _, _), arg in zip(parameters(shapes), args, strict=True):
            arg.name = variable.name
        if not self.is_walk(shapes):
            single_lane.branch_off(frame, bits, args)
        receive(frame, shapes.function.params, args, mask)
        self.require_room(shapes.function)
        hold_context(frame)
        if self.is_walk(shapes):
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


MAX_LOCAL_BYTES = 256 << 10  # of a function, per thread; 16 times that must not jump over a stack's guard


def _aggregate(b: ir.IRBuilder, type_: ir.Type, values: list[ir.Value]) -> ir.Value:
    whole: ir.Value = undefined(type_)
    for i, value in enumerate(values):
        whole = b.insert_value(whole, value, i)
    return whole


def checked_instances(module: tree.Module, shapes: Shapes) -> frozenset[Instance]:
    """Return the function instances whose barriers are checked, since some threads may skip one of them.

    The gangs of a block wait all at checked barriers or all at others: so all barriers that a kernel reaches are
    checked if one is, and those of another kernel too if both call the same function with barriers.
    """

    def with_barriers(instance: Instance, found: set[Instance]) -> set[Instance]:
        if instance.name in shapes.storage.synchronising and instance not in found:
            found.add(instance)
            for called in shapes.instances[instance].calls.values():
                with_barriers(called, found)
        return found

    roots = [version.instance for kernel in module.kernels for version in shapes.versions(kernel)]
    groups = [with_barriers(root, set()) for root in roots]
    checked = {instance for instance, inside in shapes.instances.items() if inside.checked}
    while more := [group for group in groups if group & checked and not group <= checked]:
        checked.update(*more)
    return frozenset(checked)
