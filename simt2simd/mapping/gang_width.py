"""Wide gangs: some kernels run faster if their values take two or four registers each.

**Known as:** vectorisation factor, unrolling across SIMD groups.

A chain of dependent operations on one register leaves most of the CPU's issue slots empty; on four registers each it
takes no longer and does four times as much, and what a gang does once - loops, branches, scalar arithmetic - serves
more threads. Accesses lane by lane gain nothing by it, and lanes that diverge lose. Where each gather
waits for the one before it (`analysis/pointer_chasing.py`), four registers are four chains side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .. import costs
from ..analysis import pointer_chasing
from ..analysis.shapes import FunctionShapes, Instance
from ..analysis.storage import FLAT, INTERLEAVED, Storage
from ..target import LANES, Target
from ..tree import nodes as tree
from ..tree.calls import functions_reaching, reached_functions, recursive_functions
from ..tree.companions import RunsInStep
from ..tree.nodes import Function, Module
from ..tree.walk import walk
from .block_merging import Strips
from .expected_costs import expected_cost
from .gather_bound import Chasing, mostly_searches, searching_loops
from .instruction_parallelism import fills_a_core
from .reduction_bound import mostly_sums


def possible(module: Module, storage: Storage, together: Mapping[str, Strips], target: Target) -> dict[str, int]:
    """How many lanes the gangs of each kernel have if there is a choice. `together`: how its blocks run together.

    Recursion and atomic functions go lane by lane, but for what a thread does once it is done with a chase, and
    variables in memory must fit the gang's stack. Blocks of one dimension are usually of 64 threads or more, the rows
    of others of 16 or 32, but fused ones are longer (`block-merging`).
    """
    recursive = recursive_functions(module)
    lane_by_lane = functions_reaching(
        module, lambda node: isinstance(node, tree.Call) and node.function in recursive
    ) | _updating(module)
    reached = reached_functions(module)
    several_rows = functions_reaching(module, lambda node: isinstance(node, tree.ThreadIndex) and node.axis > 0)
    lanes: dict[str, int] = {}
    for kernel in module.kernels:
        functions = [module.functions[name] for name in {kernel.name} | reached[kernel.name]]
        fits = _local_bytes(functions, storage) <= costs.MOST_LOCAL_BYTES
        if kernel.name not in lane_by_lane and kernel.body.statements and fits:
            fused = kernel.name in together and together[kernel.name].fused
            lanes[kernel.name] = costs.SHORT_ROWS if kernel.name in several_rows and not fused else costs.LONG_ROWS
    for (name, along), rows in module.rows_in_step.items():
        if name in lanes and along == "x":
            wide = min(lanes[name], _fitting(rows[0].role, target))
            lanes |= dict.fromkeys((name, *(each.kernel for each in rows)), wide)
    return lanes


def _fitting(rows: RunsInStep, target: Target) -> int:
    """Return how wide gangs may be if what rows in step carry between iterations is to fit half of the registers."""
    return max(LANES, 1 << (scalars_at_hand(target) // (rows.rows * rows.carried)).bit_length() - 1)


def scalars_at_hand(target: Target) -> int:
    """Return how many scalars of 32 bits fit half of the registers."""
    return target.registers // 2 * (target.register_bits // 32)


def _updating(module: Module) -> frozenset[str]:
    """Return the functions that reach atomic functions, but for those that also reach a search: it has none."""
    updating = functions_reaching(module, _is_atomic)
    if not updating:
        return updating
    searching = searching_loops(module, pointer_chasing.find(module)).keys()
    reached = reached_functions(module)
    return frozenset(name for name in updating if not ({name} | reached[name]) & searching)


def _is_atomic(node: tree.Node) -> bool:
    return isinstance(node, tree.BuiltinCall) and node.builtin.atomic


def _local_bytes(functions: Iterable[Function], storage: Storage) -> int:
    """Return the bytes that the variables in memory take for each thread."""
    nodes = (node for function in functions for node in walk(function.body) if isinstance(node, tree.Declare))
    kept = (node.variable for node in nodes if storage.of(node.variable) in (INTERLEAVED, FLAT))
    return sum(variable.type.size for variable in kept)


def pays(
    shapes: FunctionShapes,
    instances: Mapping[Instance, FunctionShapes],
    storage: Storage,
    chasing: Chasing,
) -> bool:
    """Whether a kernel gains by wide gangs.

    It searches, sums up, computes more than it reads and writes, or does little for each thread. `instances` has those
    of the functions that it calls, `chasing` the loops that only search. Between barriers the gangs of a block take
    turns, with their values in memory: they have nothing to wait for, and the iterations of a swept loop are too short.
    """
    if (
        shapes.function.name in storage.synchronising
        or _local_bytes([shapes.function], storage) > costs.FEW_LOCAL_BYTES
    ):
        return False
    if any(isinstance(node, tree.Loop) and node.swept for node in walk(shapes.function.body)):
        return False
    nodes = list(walk(shapes.function.body))
    if len(nodes) <= costs.SHORT_NODES and not any(isinstance(node, tree.Loop | tree.Call) for node in nodes):
        return True
    if len(nodes) > costs.LONG_NODES or fills_a_core(shapes.function):
        return False
    if mostly_searches(shapes, instances, storage, chasing) or mostly_sums(shapes, instances, storage):
        return True
    cost = expected_cost(shapes.instance, instances, storage)
    return not cost.lane_by_lane and cost.operations > cost.accesses and not any(map(_is_atomic, nodes))
