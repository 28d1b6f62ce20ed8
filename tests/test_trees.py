"""What every tree-to-tree pass makes of a program, as text: `trees/PASS.cu` becomes `trees/PASS.out.cu`.

`pytest tests/test_trees.py --update-golden` writes the second file anew; read what has changed before you commit it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from front import module

from simt2simd.analysis import liveness, walks
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.options import Options, Traverse
from simt2simd.source import Source
from simt2simd.transform.barrier_after_broadcast_read import barrier_after_broadcast_read
from simt2simd.transform.capture_forwarding import capture_forwarding
from simt2simd.transform.common_subexpressions import common_subexpressions
from simt2simd.transform.grid_stride import grid_stride
from simt2simd.transform.inline_barriers import inline_barriers
from simt2simd.transform.inline_by_reference import inline_by_reference
from simt2simd.transform.kernel_parameters_in_place import kernel_parameters_in_place
from simt2simd.transform.live_range_splitting import live_range_splitting
from simt2simd.transform.load_combining import load_combining
from simt2simd.transform.loop_invariant_motion import loop_invariant_motion
from simt2simd.transform.merge_calls import merge_calls
from simt2simd.transform.nested_launches.launch_consolidation import launch_consolidation
from simt2simd.transform.nested_launches.level_synchronous import level_synchronous
from simt2simd.transform.outline import outline
from simt2simd.transform.partial_inlining import partial_inlining
from simt2simd.transform.pointer_indices import pointer_indices
from simt2simd.transform.scalar_replacement import scalar_replacement
from simt2simd.transform.single_thread_blocks import single_thread_blocks
from simt2simd.transform.software_prefetch import software_prefetch
from simt2simd.transform.spin_locks import spin_locks
from simt2simd.transform.thread_coarsening import thread_coarsening
from simt2simd.transform.traversals.lane_refill import lane_refill
from simt2simd.transform.traversals.lockstep import lockstep
from simt2simd.transform.traversals.normalise_recursion import normalise_recursion
from simt2simd.transform.traversals.pseudo_tail import Converted, pseudo_tail, put_in_place
from simt2simd.transform.traversals.query_order import query_order
from simt2simd.transform.traversals.ropes import ropes
from simt2simd.transform.traversals.stack_loops import stack_loops
from simt2simd.transform.traversals.static_ropes import static_ropes
from simt2simd.transform.traversals.traversal_statistics import traversal_statistics
from simt2simd.transform.traversals.two_forms import two_forms
from simt2simd.transform.unreachable_code_elimination import unreachable_code_elimination
from simt2simd.transform.variable_splitting import variable_splitting
from simt2simd.tree import legal, show
from simt2simd.tree.calls import recursive_functions
from simt2simd.tree.nodes import Function, Module

TREES = Path(__file__).parent / "trees"
PASSES: dict[str, Callable[[Module], Module]] = {
    "unreachable_code_elimination": unreachable_code_elimination,
    "launch_consolidation": launch_consolidation,
    "query_order": query_order,
    "normalise_recursion": lambda module: _each(module, normalise_recursion),
    "pseudo_tail": lambda module: _in_pseudo_tail_form(module),
    "lockstep": lockstep,
    "ropes": ropes,
    "static_ropes": static_ropes,
    "two_forms": lambda module: two_forms(query_order(module), ropes, lockstep),
    "level_synchronous": lambda module: level_synchronous(module, Traverse.FLAT)[0],
    "lane_refill": lane_refill,
    "stack_loops": stack_loops,
    "merge_calls": merge_calls,
    "traversal_statistics": traversal_statistics,
    "partial_inlining": lambda module: partial_inlining(walks.mark(merge_calls(module))),
    "inline_barriers": inline_barriers,
    "inline_by_reference": inline_by_reference,
    "scalar_replacement": scalar_replacement,
    "capture_forwarding": lambda module: capture_forwarding(scalar_replacement(inline_by_reference(module))),
    "common_subexpressions": lambda module: common_subexpressions(module, large=0),
    "barrier_after_broadcast_read": barrier_after_broadcast_read,
    "spin_locks": spin_locks,
    "variable_splitting": variable_splitting,
    "load_combining": load_combining,
    "loop_invariant_motion": loop_invariant_motion,
    "software_prefetch": software_prefetch,
    "live_range_splitting": live_range_splitting,
    "grid_stride": grid_stride,
    "kernel_parameters_in_place": kernel_parameters_in_place,
    "pointer_indices": pointer_indices,
    "single_thread_blocks": single_thread_blocks,
    "thread_coarsening": lambda module: thread_coarsening(module, fuses=True, scalars=256),
    "outline": lambda module: outline(module, liveness.Table()),
}


def _each(module: Module, change: Callable[[Function], Function]) -> Module:
    """Change the functions that call themselves."""
    names = recursive_functions(module)
    functions = {name: change(f) if name in names else f for name, f in module.functions.items()}
    return replace(module, functions=functions)


def _in_pseudo_tail_form(module: Module) -> Module:
    for name in sorted(recursive_functions(module)):
        made = pseudo_tail(module, name)
        module = put_in_place(module, made) if isinstance(made, Converted) else module
    return module


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_makes_the_tree_that_is_written_down(name: str, request: pytest.FixtureRequest) -> None:
    before = check(parse(preprocess(Source.read(TREES / f"{name}.cu"), Options())))
    after = PASSES[name](before)
    legal.check(after, name)
    expected, found = TREES / f"{name}.out.cu", show.show(after)
    if request.config.getoption("--update-golden"):
        expected.write_text(found)
    assert found == expected.read_text()


@pytest.mark.parametrize("name", [name for name in PASSES if name not in ("outline", "normalise_recursion")])
def test_what_a_pass_makes_is_a_program(name: str) -> None:
    """It reads back as it is printed.

    But the function of a loop may name shared variables of its kernel, and constants are read as numbers.
    """
    lines = (TREES / f"{name}.out.cu").read_text().splitlines(keepends=True)
    text = "".join(line for line in lines if "__prefetch" not in line and "__s2s_visit" not in line)
    assert show.show(module(text)) == text


def test_every_pass_has_a_tree() -> None:
    folder = Path(show.__file__).parents[1] / "transform"
    wings = (folder, folder / "traversals", folder / "nested_launches")
    passes = {path.stem for wing in wings for path in wing.glob("*.py")} - {"__init__"}
    assert set(PASSES) == passes == {path.stem for path in TREES.glob("*.cu") if ".out" not in path.name}
