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
from simt2simd.transform.captures import follow_captures
from simt2simd.transform.consolidate import consolidate
from simt2simd.transform.descents import by_levels
from simt2simd.transform.early_reads import read_early
from simt2simd.transform.grid_stride import sweep_loops
from simt2simd.transform.hoist import hoist
from simt2simd.transform.inline_barriers import inline_barriers
from simt2simd.transform.inline_places import inline_places
from simt2simd.transform.launch_parameters import leave_in_place
from simt2simd.transform.lockstep import use_lockstep
from simt2simd.transform.lone_threads import join_lone_threads
from simt2simd.transform.loop_locals import give_twins
from simt2simd.transform.merge_calls import merge_calls
from simt2simd.transform.new_names import give_new_names
from simt2simd.transform.outline import outline
from simt2simd.transform.pointer_indices import index_pointers
from simt2simd.transform.pseudo_tail import Converted, pseudo_tail, put_in_place
from simt2simd.transform.query_order import add_query_orders
from simt2simd.transform.refill import use_refill
from simt2simd.transform.repeated_terms import name_repeated_terms
from simt2simd.transform.ropes import use_ropes
from simt2simd.transform.rows import join_rows
from simt2simd.transform.settled_reads import settle_reads
from simt2simd.transform.spin_locks import release_early
from simt2simd.transform.split_head import split_heads
from simt2simd.transform.split_structs import split_structs
from simt2simd.transform.stack_loops import walks_of_loops
from simt2simd.transform.static_ropes import use_static_ropes
from simt2simd.transform.stats import count_visits
from simt2simd.transform.straight_calls import straighten
from simt2simd.transform.two_forms import use_two_forms
from simt2simd.transform.whole_words import read_words
from simt2simd.tree import legal, show
from simt2simd.tree.calls import recursive_functions
from simt2simd.tree.nodes import Function, Module

TREES = Path(__file__).parent / "trees"
PASSES: dict[str, Callable[[Module], Module]] = {
    "consolidate": consolidate,
    "query_order": add_query_orders,
    "straight_calls": lambda module: _each(module, straighten),
    "pseudo_tail": lambda module: _in_pseudo_tail_form(module),
    "lockstep": use_lockstep,
    "ropes": use_ropes,
    "static_ropes": use_static_ropes,
    "two_forms": lambda module: use_two_forms(add_query_orders(module), use_ropes, use_lockstep),
    "descents": lambda module: by_levels(module, Traverse.FLAT)[0],
    "refill": use_refill,
    "stack_loops": walks_of_loops,
    "merge_calls": merge_calls,
    "stats": count_visits,
    "split_head": lambda module: split_heads(walks.mark(merge_calls(module))),
    "inline_barriers": inline_barriers,
    "inline_places": inline_places,
    "split_structs": split_structs,
    "captures": lambda module: follow_captures(split_structs(inline_places(module))),
    "repeated_terms": lambda module: name_repeated_terms(module, large=0),
    "settled_reads": settle_reads,
    "spin_locks": release_early,
    "new_names": give_new_names,
    "whole_words": read_words,
    "hoist": hoist,
    "early_reads": read_early,
    "loop_locals": give_twins,
    "grid_stride": sweep_loops,
    "launch_parameters": leave_in_place,
    "pointer_indices": index_pointers,
    "lone_threads": join_lone_threads,
    "rows": lambda module: join_rows(module, fuses=True, scalars=256),
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


@pytest.mark.parametrize("name", [name for name in PASSES if name not in ("outline", "straight_calls")])
def test_what_a_pass_makes_is_a_program(name: str) -> None:
    """It reads back as it is printed.

    But the function of a loop may name shared variables of its kernel, and constants are read as numbers.
    """
    lines = (TREES / f"{name}.out.cu").read_text().splitlines(keepends=True)
    text = "".join(line for line in lines if "__prefetch" not in line and "__s2s_visit" not in line)
    assert show.show(module(text)) == text


def test_every_pass_has_a_tree() -> None:
    passes = {path.stem for path in (Path(show.__file__).parents[1] / "transform").glob("*.py")} - {"__init__"}
    assert set(PASSES) == passes == {path.stem for path in TREES.glob("*.cu") if ".out" not in path.name}
