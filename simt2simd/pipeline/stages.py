"""The device part of a program: from text to optimised LLVM IR, as one list of passes (`STAGES`).

    preprocess -> parse -> tree -> rewrites -> facts and decisions -> llvm -> opt -> (object file or assembly)

Each pass is a function of what the ones before it made; `--dump-ir=NAME` prints what it made. Those that only make code
better can be switched off: `--disable=NAME`.
"""

from __future__ import annotations

import io
from typing import Any

from ..analysis import (
    available_loads,
    call_sets,
    divergent_waits,
    liveness,
    nested_launches,
    row_streams,
    spin_waits,
    storage,
    walks,
)
from ..analysis.conservative_shapes import conservative_shapes
from ..analysis.program_shapes import analyse
from ..codegen import gather_coalescing, gather_outlining, llvm, scatter_order, scatter_to_stores, sign_masks
from ..codegen.module import OptimisedModule
from ..frontend.parse.parse import parse
from ..frontend.sema.module import check
from ..frontend.text.preprocess import preprocess
from ..lower.module import lower
from ..mapping import (
    barrier_fission,
    block_merging,
    block_size_specialisation,
    first_threads,
    gang_width,
    lane_compaction,
    partial_row_gangs,
    register_arrays,
    scalar_tail,
    single_lane,
    stack_walks,
    tiles,
    versions,
    warps,
)
from ..mapping.plans import Plans
from ..options import Traverse
from ..report import listings, remarks
from ..transform.barrier_after_broadcast_read import barrier_after_broadcast_read
from ..transform.common_subexpressions import common_subexpressions
from ..transform.grid_stride import grid_stride
from ..transform.inline_barriers import inline_barriers, inline_locks
from ..transform.inline_by_reference import inline_by_reference
from ..transform.kernel_parameters_in_place import kernel_parameters_in_place, leave_large_in_place
from ..transform.live_range_splitting import live_range_splitting
from ..transform.load_combining import load_combining
from ..transform.loop_invariant_motion import loop_invariant_motion
from ..transform.merge_calls import merge_calls
from ..transform.outline import outline
from ..transform.partial_inlining import partial_inlining
from ..transform.pointer_indices import pointer_indices
from ..transform.scalar_replacement import scalar_replacement
from ..transform.software_prefetch import software_prefetch
from ..transform.spin_locks import spin_locks
from ..transform.traversals import lane_refill, ropes, stack_loops
from ..transform.traversals.traversal_statistics import traversal_statistics
from ..transform.unreachable_code_elimination import unreachable_code_elimination
from ..transform.variable_splitting import variable_splitting
from ..tree import show
from ..tree.nodes import Module
from ..tree.shared_memory import lay_out
from ..tree.walk import loop_depth
from . import by_options, results
from .choices import chosen
from .passes import Pass, checked, lawful, making, rewriting
from .state import PipelineState

STAGES: tuple[Pass[Any], ...] = (
    # text -> tree
    Pass(
        results.PREPROCESS,
        lambda c: preprocess(c.source, c.options, c.kept),
        "macros and headers; lines stay where they were",
        lambda c: str(c[results.PREPROCESS].text),
    ),
    Pass(
        results.PARSE,
        lambda c: parse(c[results.PREPROCESS], whole=c.options.relocatable),
        "CUDA-C as pycparser's tree",
        lambda c: _c_tree(c),
    ),
    Pass(
        results.TREE,
        lambda c: lawful(c, "tree", check(c[results.PARSE], c.instances, by_options.mark(c))),
        "names, types and conversions, and what is not supported; all that follows works on this tree",
        lambda c: show.show(c[results.TREE]),
    ),
    rewriting(
        results.UNREACHABLE_CODE_ELIMINATION,
        unreachable_code_elimination,
        "what constants rule out, as a template's arguments do, is left out; first, so that no pass spends time on it",
    ),
    making(
        results.LAUNCH_CONSOLIDATION,
        by_options.consolidated,
        "launches from kernels become few; before all that is to be done to the kernels that it makes",
        lambda c: c.module,
        for_gpus=True,
    ),
    rewriting(
        results.INLINE_BY_REFERENCE,
        inline_by_reference,
        "functions take the place of their calls with addresses of a thread's own variables, which then live in "
        "registers; first, so that all that follows sees references and methods as what they denote",
    ),
    rewriting(
        results.SCALAR_REPLACEMENT,
        scalar_replacement,
        "the members of a thread's own structs are variables, so that all that follows treats them as such; after "
        "`inline-by-reference`, which brings the members of classes into the functions that use them",
    ),
    making(
        results.CAPTURE_FORWARDING,
        by_options.without_captures,
        "what lambdas capture by reference lives in registers; after `scalar-replacement`, which makes variables of "
        "the pointers that are members of closures",
        lambda c: c.module,
    ),
    making(
        results.COMMON_SUBEXPRESSIONS,
        lambda c: common_subexpressions(c.module),
        "in very large functions, integer terms that occur in many places are variables, so that all that follows has "
        "less to do; after `inline-by-reference` and `capture-forwarding`, which make variables of what their "
        "operands may be",
    ),
    rewriting(
        results.STACK_LOOPS,
        stack_loops.stack_loops,
        "loops over a stack of the thread's own are recursive walks; before all that helps recursions",
    ),
    Pass(
        results.CALL_SETS,
        lambda c: call_sets.Table(c.module),
        "in which orders recursive functions visit the children of a node, and whether threads choose, for remarks; "
        "before `merge-calls`, which makes one order of several",
        lambda c: listings.call_sets(c[results.CALL_SETS].found),
    ),
    # tree -> tree
    making(
        results.QUERY_ORDER,
        by_options.with_query_orders,
        "launches sort the threads of a traversal by what they search for; first, as all that follows is done to the "
        "kernels that it adds",
        lambda c: c.module,
        for_gpus=True,
    ),
    making(
        results.TRAVERSAL_STATISTICS,
        lambda c: traversal_statistics(c.module) if c.options.stats else c.module,
        "with --stats, recursive functions count their visits; before all that makes something else of their calls: "
        "the visit stays one",
    ),
    making(
        results.LEVEL_SYNCHRONOUS,
        by_options.by_levels,
        "with --traverse=flat or crec, kernels that launch themselves for the children of a tree's node take a level "
        "at a time; before `static-ropes`, which makes kernels of its own",
        for_gpus=True,
    ),
    making(
        results.STATIC_ROPES,
        by_options.with_static_ropes,
        "with --traverse=static-ropes, launches run unguided traversals without a stack; after `query-order`, so that "
        "they may sort the threads too",
        for_gpus=True,
    ),
    making(
        results.LANE_REFILL,
        lambda c: lane_refill.lane_refill(c.module) if c.options.traverse is Traverse.REFILL else c.module,
        "with --traverse=refill, lanes of traversals take one query after the other; before `ropes`, for the rest",
        for_gpus=True,
    ),
    making(
        results.LOCKSTEP,
        by_options.in_lockstep,
        "with --emit cuda --traverse=lockstep, a warp goes through a tree with one stack in shared memory; before "
        "`merge-calls`, which gives guided traversals one order for all lanes",
        for_gpus=True,
    ),
    making(
        results.ROPES,
        lambda c: ropes.ropes(c.module) if c.options.traverse.has_thread_stacks else c.module,
        "with --traverse=ropes, recursive traversals are loops over a stack for each thread; before what is done for "
        "recursion",
        for_gpus=True,
    ),
    making(
        results.TWO_FORMS,
        by_options.with_two_forms,
        "with --emit cuda --traverse=auto, launches choose between a loop over a stack for each thread and one for a "
        "warp; before `merge-calls`, as traversals in lockstep are made of calls as they are written",
        for_gpus=True,
    ),
    rewriting(
        results.MERGE_CALLS,
        merge_calls,
        "a guided traversal makes three calls at a node, not four; before `walks`, as merged calls may make a walk",
        for_gpus=True,
    ),
    Pass(
        results.WALKS,
        lambda c: checked(c, "walks", walks.mark(c.module)),
        "recursions that a loop over a stack can run are marked; before `partial-inlining`, which leaves these whole",
        lambda c: listings.names({name for name, f in c[results.WALKS].functions.items() if f.looped}),
        lambda c: c.module,
    ),
    rewriting(
        results.PARTIAL_INLINING,
        partial_inlining,
        "a call that returns at once costs no call; after `merge-calls`, so that there are fewer calls to put heads at",
        for_gpus=True,
    ),
    rewriting(
        results.INLINE_BARRIERS,
        inline_barriers,
        "a kernel can be divided only at barriers in its own text; waits for locks come along in any case, "
        "for `spin-locks`",
        without=inline_locks,
    ),
    making(
        results.BARRIER_AFTER_BROADCAST_READ,
        lambda c: barrier_after_broadcast_read(c.module),
        "what all threads read after a barrier, they have read before one of them writes it again; after "
        "`inline-barriers`, so that a function's result is one more read of its caller",
    ),
    making(
        results.SPIN_LOCKS,
        lambda c: spin_locks(c.module),
        "lanes that wait for a lock let its owner continue; after `inline-barriers`, as taking and giving back "
        "must be in one function",
    ),
    rewriting(
        results.VARIABLE_SPLITTING,
        variable_splitting,
        "a variable that gets another value for good is another one from there on, with a shape of its own; before "
        "`loop-invariant-motion`, to which a variable without other values stays the same",
    ),
    rewriting(
        results.LOAD_COMBINING,
        load_combining,
        "bytes that are read one by one and put together are read as words; before `loop-invariant-motion` and "
        "`live-range-splitting`: the loop disappears, so they need not handle it",
    ),
    rewriting(
        results.LOOP_INVARIANT_MOTION,
        loop_invariant_motion,
        "what is costly and the same in all iterations leaves loops with barriers; after `inline-barriers`, which "
        "brings these into kernels",
    ),
    rewriting(
        results.SOFTWARE_PREFETCH,
        software_prefetch,
        "loops with barriers ask early for what they read some iterations later; after `inline-barriers`, which brings "
        "these into kernels",
    ),
    rewriting(
        results.LIVE_RANGE_SPLITTING,
        live_range_splitting,
        "what a loop changes is a variable of its own, so that waiting lanes cost nothing in it; after "
        "`spin-locks`, which moves statements into loops",
    ),
    rewriting(
        results.GRID_STRIDE,
        grid_stride,
        "the gangs of a block run grid-stride loops iteration by iteration; after `live-range-splitting`, which would "
        "take the test around both copies for a place where lanes wait",
    ),
    rewriting(
        results.KERNEL_PARAMETERS_IN_PLACE,
        kernel_parameters_in_place,
        "structs with arrays that a kernel only reads are there once per launch, not once per thread; after "
        "the rewrites to which a parameter is a thread's own variable",
        without=leave_large_in_place,
    ),
    rewriting(
        results.POINTER_INDICES,
        pointer_indices,
        "a lane's own pointer into an array is a 32-bit index from one pointer for all; after "
        "`kernel-parameters-in-place`, as what the launch has put somewhere stays the same",
    ),
    making(
        results.SINGLE_THREAD_BLOCKS,
        by_options.with_lone_threads,
        "blocks of one thread run in the lanes of a gang, in kernels made for that; before `thread-coarsening`, "
        "which is about kernels that programs launch",
        lambda c: c.module,
    ),
    making(
        results.THREAD_COARSENING,
        by_options.with_rows,
        "rows of a block that read the same run in step, or columns; after all rewrites that see one thread at a time",
        lambda c: c.module,
    ),
    Pass(
        results.LIVENESS,
        lambda c: liveness.Table(),
        "what may be read where lanes wait, found when it is asked for; from here on functions stay as they are",
        lambda c: listings.lives(c.module, c[results.LIVENESS]),
    ),
    making(
        results.OUTLINE,
        lambda c: outline(c.module, c[results.LIVENESS]),
        "loops as functions too, for one lane or a narrower gang; the last rewrite: what it notes is keyed by loops, "
        "which another one would lose",
        lambda c: c.module,
    ),
    # facts and decisions
    Pass(
        results.SPIN_WAITS,
        lambda c: spin_waits.find(c.module),
        "loops that may wait for other threads: reported to the runtime when they take long",
        lambda c: listings.waits(c[results.SPIN_WAITS]),
    ),
    Pass(
        results.FIBERS,
        lambda c: spin_waits.fibers(c.module, c[results.SPIN_WAITS]),
        "kernels whose threads wait for each other: their gangs take turns, and blocks begin beside those that wait",
        lambda c: listings.names(c[results.FIBERS]),
    ),
    Pass(
        results.STORAGE,
        lambda c: storage.decide(c.module),
        "which variables live in registers, and which in memory, interleaved or not",
        lambda c: listings.storage(c.module, c[results.STORAGE]),
    ),
    Pass(
        results.WARPS,
        lambda c: warps.find(c.module, everywhere=c.options.warp_stats),
        "kernels that use warps, or whose threads hand each other values without a barrier: their gangs are warps; "
        "with --warp-stats those of all kernels are",
        lambda c: listings.names(c[results.WARPS].kernels),
    ),
    Pass(
        results.BLOCK_MERGING,
        lambda c: block_merging.along_axes(c.module, c[results.STORAGE], c[results.WARPS].kernels),
        "neighbouring blocks run together, row by row; before `wide-gangs`, as the rows get longer",
        lambda c: listings.strips(c[results.BLOCK_MERGING]),
        lambda c: {"x": {}, "y": {}},
    ),
    Pass(
        results.REDUNDANT_AXES,
        by_options.running_axes,
        "kernels whose blocks have rows or layers that all do the same: one does it for all",
        lambda c: listings.running_axes(c[results.REDUNDANT_AXES]),
        lambda c: {},
    ),
    Pass(
        results.PARTIAL_ROW_GANGS,
        lambda c: partial_row_gangs.possible(c.module, c[results.WARPS].kernels),
        "kernels whose rows of any width have gangs of their own, the last one with lanes off",
        lambda c: listings.names(c[results.PARTIAL_ROW_GANGS]),
        lambda c: frozenset(),
    ),
    Pass(
        results.DIVISIBLE,
        by_options.divisible,
        "kernels whose blocks a launch may divide, so that all hthreads have something to do",
        lambda c: listings.divisible(c[results.DIVISIBLE]),
        lambda c: {},
        under_verify=False,
    ),
    Pass(
        results.WIDE_GANGS,
        lambda c: gang_width.possible(c.module, c[results.STORAGE], c[results.BLOCK_MERGING]["x"], c.options.target),
        "kernels whose values may be two or four registers each",
        lambda c: listings.widths(c[results.WIDE_GANGS]),
        lambda c: {},
    ),
    Pass(
        results.ALONG_Y,
        lambda c: versions.along_y(c.module, c[results.STORAGE]),
        "kernels whose gangs may lie along y, where memory is read along y",
        lambda c: listings.names(c[results.ALONG_Y]),
        lambda c: frozenset(),
    ),
    Pass(
        results.TILES,
        lambda c: tiles.possible(c.module, c[results.STORAGE]) if c.options.debug != "full" else frozenset(),
        "kernels whose gangs may be tiles of a block, so that lanes that diverge are neighbours",
        lambda c: listings.names(c[results.TILES]),
        lambda c: frozenset(),
    ),
    Pass(
        results.VERSIONS,
        lambda c: versions.candidates(
            c.module,
            c[results.WIDE_GANGS],
            c[results.ALONG_Y],
            c[results.WARPS].kernels,
            c[results.TILES],
            c.options.lanes,
        ),
        "the versions of kernels that are analysed",
        lambda c: listings.versions(c[results.VERSIONS]),
    ),
    Pass(
        results.SHAPE,
        lambda c: analyse(
            c.module,
            c[results.STORAGE],
            c[results.LIVENESS],
            c[results.VERSIONS],
            likely=chosen(c.options)["likely"],
            ragged=partial_row_gangs.with_callees(c.module, c[results.PARTIAL_ROW_GANGS]),
            meetings=c[results.SPIN_WAITS].meetings,
        ),
        "block-uniform, uniform, affine or varying, for every value in every version",
        lambda c: remarks.listing(c[results.SHAPE]),
    ),
    Pass(
        results.KEEP_VERSIONS,
        lambda c: versions.worth_keeping(c.module, c[results.SHAPE], c[results.WARPS].kernels, c.options.lanes),
        "of the versions, those that are better; shapes say what accesses cost",
        lambda c: listings.versions(c.shapes.kernels),
    ),
    Pass(
        results.SHARED_MEMORY,
        lambda c: lay_out(c.module),
        "where the variables in shared memory lie",
        lambda c: listings.shared_memory(c[results.SHARED_MEMORY]),
    ),
    Pass(
        results.DIVERGENT_WAITS,
        lambda c: divergent_waits.find(c.module, c.shapes, c[results.SPIN_WAITS]),
        "lanes of a gang that wait where others do not come run on by themselves",
        lambda c: listings.instances(c[results.DIVERGENT_WAITS].functions),
    ),
    Pass(
        results.NESTED_LAUNCHES,
        lambda c: nested_launches.find(c.module),
        "kernels that launch kernels: blocks of theirs run one by one, and the runtime looks after the children",
        lambda c: listings.names(c[results.NESTED_LAUNCHES]),
    ),
    Pass(
        results.INDEPENDENT_BLOCKS,
        lambda c: block_merging.independent(c.module),
        "kernels whose blocks never wait for one another may run in any order",
        lambda c: listings.names(c[results.INDEPENDENT_BLOCKS]),
    ),
    Pass(
        results.BARRIER_FISSION,
        lambda c: barrier_fission.divide(c.module, c.shapes, c[results.FIBERS]),
        "kernels divided at their barriers run as loops over gangs, which never wait",
        lambda c: listings.divisions(c[results.BARRIER_FISSION]),
        lambda c: {},
        under_verify=False,
    ),
    Pass(
        results.FIRST_THREADS,
        lambda c: first_threads.choose(c.shapes, c[results.BARRIER_FISSION]),
        "gangs of which no thread is among the first ones skip what is for these; for divided kernels",
        lambda c: listings.first_threads(c[results.FIRST_THREADS]),
        lambda c: {},
    ),
    Pass(
        results.REGISTER_ARRAYS,
        lambda c: (
            register_arrays.choose(c.shapes, c[results.BARRIER_FISSION], c[results.FIRST_THREADS])
            if c.options.target.permutes and c.options.target.mask_registers
            else {}
        ),
        "the last steps of a reduction stay in registers; they are for the first threads only",
        lambda c: listings.register_arrays(c[results.REGISTER_ARRAYS]),
        lambda c: {},
    ),
    Pass(
        results.BLOCK_SIZE_SPECIALISATION,
        lambda c: block_size_specialisation.choose(
            c.module, c.shapes, c[results.BARRIER_FISSION], c[results.FIRST_THREADS], c[results.REGISTER_ARRAYS]
        ),
        "reductions and kernels with tiles have code of their own for blocks of the size of their arrays; for what "
        "`register-arrays` found",
        lambda c: listings.block_sizes(c[results.BLOCK_SIZE_SPECIALISATION]),
        lambda c: {},
    ),
    Pass(
        results.RUN_VERSIONS,
        lambda c: versions.that_run(c.shapes, c[results.BARRIER_FISSION], c[results.WARPS].kernels, c[results.FIBERS]),
        "the versions that launches use: wide gangs do not wait, so they need a division",
        lambda c: listings.versions(c[results.RUN_VERSIONS]),
    ),
    Pass(
        results.RARE_VERSIONS,
        by_options.find_rare_versions,
        "of these, the ones that hardly a launch uses: LLVM spends no time on them",
        lambda c: listings.instances(c[results.RARE_VERSIONS]),
        lambda c: frozenset(),
        under_verify=False,
    ),
    Pass(
        results.STACK_WALKS,
        lambda c: stack_walks.choose(c.shapes),
        "marked walks that become loops over a stack; shapes say whether all iterations are alike",
        lambda c: listings.walks(c[results.STACK_WALKS]),
        lambda c: {},
        under_verify=False,
    ),
    Pass(
        results.SINGLE_LANE,
        lambda c: single_lane.choose(c.shapes),
        "recursive functions continue in scalar code for a lane that is alone",
        lambda c: listings.single_lane(c[results.SINGLE_LANE]),
        lambda c: {},
        under_verify=False,
    ),
    Pass(
        results.SCALAR_TAIL,
        lambda c: scalar_tail.choose(c.shapes),
        "the last lanes of divergent loops finish one by one, in scalar code",
        lambda c: listings.scalar_tails(c[results.SCALAR_TAIL]),
        lambda c: {},
        under_verify=False,
    ),
    Pass(
        results.LANE_COMPACTION,
        lambda c: lane_compaction.choose(c.shapes) if c.options.target.compresses and c.options.target.permutes else {},
        "loops that few lanes of a wide gang enter run in a gang of 16",
        lambda c: listings.compacted_loops(c[results.LANE_COMPACTION]),
        lambda c: {},
        under_verify=False,
    ),
    Pass(
        results.AVAILABLE_LOADS,
        lambda c: available_loads.find(c.module),
        "what a thread has read of an object is not read again under narrower masks, while nothing is written",
        lambda c: listings.available_loads(c[results.AVAILABLE_LOADS]),
        lambda c: {},
        under_verify=False,
    ),
    Pass(
        results.ROW_STREAMS,
        lambda c: {} if c.options.target.gathers else row_streams.find(c.module),
        "loops in which each thread goes along a row of its own: elements are read many at a time, and transposed, "
        "where the CPU has no gathers, which do as well",
        lambda c: listings.row_streams(c[results.ROW_STREAMS]),
        lambda c: {},
        under_verify=False,
    ),
    Pass(
        results.PLANS,
        lambda c: _plans(c),
        "all these decisions, for the lowering to look up",
        lambda c: listings.plans(c.plans),
    ),
    # tree, shapes, plans -> LLVM IR
    Pass(
        results.ASSUMED_SHAPES,
        lambda c: conservative_shapes(c.shapes) if c.options.verify else c.shapes,
        "the shapes that code relies on: none under `--verify`, which checks them all",
        lambda c: remarks.listing(c[results.ASSUMED_SHAPES]),
    ),
    Pass(
        results.LLVM,
        lambda c: lower(
            c.module,
            c[results.ASSUMED_SHAPES],
            c.shapes if c.options.verify else None,
            c.plans,
            c.options,
            c.outcomes,
        ),
        "a function per node kind, mask in, mask out",
        lambda c: str(c[results.LLVM]),
    ),
    Pass(
        results.OPT,
        lambda c: OptimisedModule(llvm.optimise(c[results.LLVM], c.options, _loop_depth(c.module))),
        "LLVM's own passes, nothing clever",
        lambda c: str(c[results.OPT]),
    ),
    Pass(
        results.GATHER_COALESCING,
        lambda c: gather_coalescing.join(c[results.OPT], c.options),
        "gathers of neighbours become one of 64 bits; after LLVM, which has brought them from called functions into "
        "one place and found out what their addresses share",
        lambda c: str(c[results.GATHER_COALESCING]),
        lambda c: c[results.OPT],
    ),
    Pass(
        results.SCATTER_TO_STORES,
        lambda c: scatter_to_stores.use(c[results.LLVM], c[results.GATHER_COALESCING], c.options),
        "scatters whose mask LLVM has proved constant, with few lanes set, become scalar stores",
        lambda c: str(c[results.SCATTER_TO_STORES]),
        lambda c: c[results.GATHER_COALESCING],
    ),
    Pass(
        results.SIGN_MASKS,
        lambda c: sign_masks.keep_comparisons(c[results.SCATTER_TO_STORES], c.options),
        "masks that are the signs of bytes stay comparisons: what LLVM 22 makes of them may read a register too early",
        lambda c: str(c[results.SIGN_MASKS]),
    ),
    Pass(
        results.GATHER_OUTLINING,
        lambda c: gather_outlining.outline(c[results.SIGN_MASKS], c.options),
        "very many gathers and scatters of a function are calls, where LLVM would make a branch for each lane",
        lambda c: str(c[results.GATHER_OUTLINING]),
    ),
    Pass(
        results.SCATTER_ORDER,
        lambda c: scatter_order.order(c[results.LLVM], c[results.GATHER_OUTLINING], c.options),
        "what a gather needs is computed before the scatter ahead of it; after LLVM, which would undo it",
        lambda c: str(c[results.SCATTER_ORDER]),
        lambda c: c[results.GATHER_OUTLINING],
    ),
)

# ------------------------------------------------------------------------------------------------ what rows call


def _c_tree(c: PipelineState) -> str:
    """Return the parser's tree as text, node by node."""
    text = io.StringIO()
    for node in (node for item in c[results.PARSE].items for node in item.nodes):
        node.show(buf=text)
    return text.getvalue()


def _loop_depth(module: Module) -> int:
    return max((loop_depth(function.body) for function in module.functions.values()), default=0)


def _plans(c: PipelineState) -> Plans:
    return Plans(
        versions=c[results.RUN_VERSIONS],
        rows=c.module.rows_in_step,
        strips={} if c.options.verify else c[results.BLOCK_MERGING],  # blocks one by one, as their claims say
        running_axes=c[results.REDUNDANT_AXES],
        partial_row_gangs=c[results.PARTIAL_ROW_GANGS],
        divisible=c[results.DIVISIBLE],
        independent=c[results.INDEPENDENT_BLOCKS],
        warps=c[results.WARPS],
        waits=c[results.SPIN_WAITS],
        fibers=c[results.FIBERS],
        divisions=c[results.BARRIER_FISSION],
        rare=c[results.RARE_VERSIONS],
        first_threads=c[results.FIRST_THREADS],
        register_arrays=c[results.REGISTER_ARRAYS],
        walks=c[results.STACK_WALKS],
        single_lane=c[results.SINGLE_LANE],
        scalar_tails=c[results.SCALAR_TAIL],
        compacted_loops=c[results.LANE_COMPACTION],
        shared=c[results.SHARED_MEMORY],
        divergent_waits=c[results.DIVERGENT_WAITS],
        nested_launches=c[results.NESTED_LAUNCHES],
        available_loads=c[results.AVAILABLE_LOADS],
        row_streams=c[results.ROW_STREAMS],
        block_sizes=c[results.BLOCK_SIZE_SPECIALISATION],
        choices=chosen(c.options),
    )
