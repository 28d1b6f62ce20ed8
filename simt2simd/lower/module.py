"""Lowering of a module: one LLVM function per function instance, and the entries that the runtime calls.

A function instance takes the gang's record, the active mask as i16 (wider for wider gangs), and its arguments, each a
scalar or a vector as its shape says. It returns when all the lanes that came in have returned.
"""

from __future__ import annotations

from dataclasses import replace

from llvmlite import ir

from ..abi import pack_params
from ..analysis.shapes import FunctionShapes, Instance, Shapes
from ..lang.builtins import WARP_SIZE
from ..mapping.barrier_fission import Plan
from ..mapping.plans import Plans
from ..mapping.redundant_axes import AXES
from ..options import Options
from ..report.outcome import Outcomes
from ..simd.builder import I8
from ..simd.values import constant_data
from ..target import LANES
from ..tree import nodes as tree
from ..tree.calls import expanded_nodes, reached_functions, recursive_functions
from . import children, file_variables, profile_counters
from .debug import DebugInfo, as_utf8
from .entry import (
    SLOTS,
    TILE_SLOT,
    WIDE_SLOT,
    RowBody,
    Version,
    emit_instances,
    emit_kernel,
)
from .frame import Program
from .functions import lower_function, lower_whole_block
from .gang_loops import keep_loops
from .signature import block_function_type, declare_function, function_type, inlining, leave_as_it_is

LoweredModule = ir.Module


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


def _that_take_long(module: tree.Module) -> frozenset[str]:
    """Return the kernels that take long: they go through a tree, by a function that calls itself, or help such."""
    reached, recursive = reached_functions(module), recursive_functions(module)
    return frozenset(
        kernel.name for kernel in module.kernels if kernel.helps is not None or reached[kernel.name] & recursive
    )


class _Lowering:
    """The module that is made. A function is declared when a call first names it, and lowered later (`todo`)."""

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
        self.llvm = ir.Module(as_utf8(module.name))
        self.llvm.triple = options.target.triple
        self.functions: dict[Instance, ir.Function] = {}
        self.todo: list[Instance] = []
        self.nodes = expanded_nodes(module, TOO_MANY_NODES)
        self.taking_long = _that_take_long(module)
        self.program = Program(
            module=module,
            llvm=self.llvm,
            storage=shapes.storage,
            options=options,
            function=self.function,
            shapes=self.shapes,
            claims=claims,
            launch_offset=_launch_offsets(module),
            globals=self.globals(),
            outcomes=outcomes,
            plans=plans,
            debug=DebugInfo(self.llvm, module.name, options) if options.debug else None,
            sites=profile_counters.begin(self.llvm) if options.stats else None,
        )

    def run(self) -> ir.Module:
        """Lower kernel by kernel, each with what it calls."""
        in_step = {each.kernel for rows in self.plans.rows.values() for each in rows}
        entered = [kernel for kernel in self.module.kernels if kernel.name not in in_step]
        for kernel in sorted(entered, key=lambda kernel: kernel.helps is None):  # helpers come first
            fibers = kernel.name in self.plans.fibers
            synchronises = kernel.name in self.shapes.storage.synchronising and not fibers
            versions = [self.version(instance) for instance in self.plans.versions[kernel.name]]
            parts = any(version in self.plans.divergent_waits.kept for version in self.shapes.kernels[kernel.name])
            self.drain()
            emit_kernel(
                self.llvm,
                self.module,
                kernel,
                versions,
                self.program.options.target,
                synchronises=synchronises,
                fibers=fibers,
                independent=kernel.name in self.plans.independent,
                always_wide=self.program.options.lanes is not None,
                lanes=WARP_SIZE if kernel.name in self.plans.warps.kernels else LANES,
                counted=self.program.sites,
                parts=parts,
                with_events=self.plans.nested_launches.get(kernel.name),
                traced=self.program.options.debug == "full",
                divisible=self.plans.divisible.get(kernel.name, ()),
                shared_bytes=self.plans.shared.bytes[kernel.name],
                always_sorted=self.program.options.sort_queries,
            )
        emit_instances(self.llvm, self.module)
        if self.program.sites is not None:
            traffic = self.program.options.warp_stats
            profile_counters.complete(self.llvm, self.program.sites, self.module.traversals, traffic)
        children.complete(self.llvm, self.module, self.program.children)
        if self.program.debug is not None:
            self.program.debug.complete(self.module.kernels)
        return self.llvm

    def version(self, instance: Instance) -> Version:
        """Return what a version of a kernel consists of; its function is declared."""
        wide = instance.lanes > LANES and instance.name not in self.plans.warps.kernels
        division = self.plans.division(instance)
        whole_block = None if division is None else self.whole_block(self.shapes.instances[instance], division)
        alone = not wide and instance not in self.plans.rare  # a gang alone, of a block that several hthreads share
        body = self.function(instance) if alone or whole_block is None else None
        slot = TILE_SLOT if instance.along == "xy" else WIDE_SLOT if wide else SLOTS[instance.along]
        return Version(
            slot,
            instance.along,
            instance.lanes,
            body,
            whole_block,
            self.plans.strips_of(instance),
            self.plans.running_axes.get(instance.name, AXES),
            self.row_bodies(instance),
            self.plans.is_ragged(instance),
            instance.name in self.taking_long,
        )

    def row_bodies(self, instance: Instance) -> tuple[RowBody, ...]:
        """Return what runs several rows of a version in step, if they do."""
        rows = self.plans.rows.get((instance.name, instance.along)) if instance.along in ("x", "y") else None
        if rows is None:
            return ()
        first = rows[0].role
        if first.side is None:
            return tuple(RowBody(each.role.rows, self.function(replace(instance, name=each.kernel))) for each in rows)
        companion = replace(instance, name=rows[0].kernel)
        division = self.plans.division(companion)
        if division is None or self.plans.division(instance) is None or first.side != instance.lanes:
            return ()
        return (RowBody(first.rows, self.whole_block(self.shapes.instances[companion], division), first.side),)

    def drain(self) -> None:
        """Lower the functions that are declared so far, and those that they call."""
        while self.todo:
            instance = self.todo.pop()
            lower_function(self.program, self.shapes.instances[instance], self.functions[instance])

    def globals(self) -> dict[tree.Variable, ir.GlobalVariable]:
        """Make data of the variables at file scope."""
        found: dict[tree.Variable, ir.GlobalVariable] = {}
        for variable in self.module.constants:
            data = bytearray(variable.initial or bytes(variable.type.size))
            item = constant_data(self.llvm, variable.name, ir.Constant(ir.ArrayType(I8, len(data)), data))
            item.align = 64
            found[variable] = item
        return file_variables.declare(self.llvm, self.module, found)

    # ------------------------------------------------------------------------------------- functions

    def function(self, instance: Instance) -> ir.Function:
        """Return the LLVM function of an instance, declaring it on first use."""
        if instance not in self.functions:
            shapes = self.shapes.instances[instance]
            function = declare_function(self.llvm, instance.name + _suffix(instance), function_type(shapes))
            attribute = inlining(
                shapes.function,
                self.plans.walks.get(instance),
                too_large=self.nodes.get(instance.name) == TOO_MANY_NODES,
            )
            if instance in self.plans.rare:
                leave_as_it_is(function)
            elif attribute is not None:
                function.attributes.add(attribute)
            self.functions[instance] = function
            self.todo.append(instance)
        return self.functions[instance]

    def whole_block(self, shapes: FunctionShapes, plan: Plan) -> ir.Function:
        """Return the function that runs a block of a divided kernel in one go."""
        name = f"{shapes.function.name}.block{_suffix(shapes.instance)}"
        function = declare_function(self.llvm, name, block_function_type(shapes))
        keep_loops(function)
        if shapes.instance in self.plans.rare:
            leave_as_it_is(function)
        lower_whole_block(self.program, shapes, plan, function)
        return function


def _suffix(instance: Instance) -> str:
    """Return what distinguishes the names of the functions that are made for each kind of gang."""
    rows = {"x": "", "": ".general", "y": ".along_y", "xy": ".tile"}[instance.along]
    return rows + (f".x{instance.lanes}" if instance.lanes > LANES else "")


TOO_MANY_NODES = 8000  # of a function, with all that it calls, for LLVM to copy it to its calls


def _launch_offsets(module: tree.Module) -> dict[tree.Variable, int]:
    """Return where, after a launch's arguments, the parameters are that stay there."""
    return {
        param: offset
        for kernel in module.kernels
        for param, offset in zip(kernel.params, pack_params(p.type for p in kernel.params)[0], strict=True)
        if param.storage == "launch"
    }
