"""Walks over trees, and trees with other parts."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from typing import Any, get_args

import pytest
from front import kernel, module

from simt2simd.tree import nodes as tree
from simt2simd.tree import show
from simt2simd.tree.effects import declared_variables
from simt2simd.tree.nodes import Variable
from simt2simd.tree.rewrite import copied, renamed, replaced
from simt2simd.tree.same import same_text
from simt2simd.tree.walk import children, map_blocks, map_children, map_statements, walk

EVERYTHING = """
    int x[3] = {i, i + 1}, y = -i;
    S v = st;
    if (b && !i) { y = b ? 1 : x[2]; } else { ps->x += 2; }
    for (int k = 0, m = 9; k < m; k++, m--) { if (k == 3) continue; if (k == 4) break; }
    do { y++; } while (y < 3);
    switch (y) { case 1: case 2: y = 4; default: { pi = &y; *pi = *(pi + 1); } }
    l = pi - &x[threadIdx.x], f = sqrtf(v.a[1]);
    __syncthreads();
    return;
"""


def test_children_are_below() -> None:
    node = kernel(EVERYTHING)
    found = list(walk(node))
    assert len(found) == len(set(found)) == 1 + sum(len(children(below)) for below in found)
    missing = {kind.__name__ for kind in get_args(tree.Node)} - {type(below).__name__ for below in found}
    assert missing == {"Call", "Temporary"}


def test_a_map_that_changes_nothing_gives_the_same_node() -> None:
    for node in walk(kernel(EVERYTHING)):
        assert map_children(node, lambda child: child) is node


def test_a_map_changes_every_child() -> None:
    for node in walk(kernel(EVERYTHING)):
        fresh: dict[tree.Node, tree.Node] = {}

        def renew(child: tree.Node, fresh: dict[tree.Node, tree.Node] = fresh) -> tree.Node:
            return fresh.setdefault(child, replace(child))

        changed = map_children(node, renew)
        assert list(fresh) == list(children(node))
        assert list(children(changed)) == list(fresh.values())
        assert same_text(changed, node)


@pytest.mark.parametrize("kind", get_args(tree.Stmt), ids=lambda kind: kind.__name__)
def test_blocks_of_every_statement_are_mapped(kind: type[tree.Stmt]) -> None:
    """What a pass that goes from block to block would miss."""
    empty = tree.Block(kernel("").span, ())
    for node in walk(kernel(f"{{ {EVERYTHING} }}")):
        if isinstance(node, kind):
            met: list[tree.Block] = []

            def note(block: tree.Block, met: list[tree.Block] = met) -> tree.Block:
                met.append(block)
                return empty

            result = map_blocks(node, note)
            below = [node] if isinstance(node, tree.Block) else children(node)
            sections = [part.body for part in below if isinstance(part, tree.Section)]
            assert met == [part for part in below if isinstance(part, tree.Block)] + sections
            assert isinstance(result, kind)


def test_statements_are_replaced_by_several() -> None:
    block = kernel("i = 1; { i = 2; } i = 3;")
    first, middle, last = block.statements
    changed = map_statements(block, lambda node: [] if node is middle else [node, middle])
    assert changed.statements == (first, middle, last, middle)


def renames(node: Any) -> dict[Variable, Variable]:
    return {variable: replace(variable, name=f"{variable.name}_new") for variable in declared_variables(node)}


def test_a_copy_has_no_node_of_the_original() -> None:
    node = kernel(EVERYTHING)
    copy = copied(node, renames(node))
    assert not set(walk(node)) & set(walk(copy))
    assert declared_variables(copy).isdisjoint(declared_variables(node))
    assert same_text(copied(node), node)


def test_a_copy_declares_no_shared_variable() -> None:
    copy = copied(kernel("__shared__ int a[4]; { __shared__ int t; t = 1; } a[0] = 2;"))
    assert declared_variables(copy) == set()
    assert [type(node).__name__ for node in copy.statements] == ["Block", "Evaluate"]


def test_renaming_keeps_what_stays() -> None:
    node = kernel("int x = i; if (b) { f = 2; } x = x + 1;")
    declared, kept, changed = node.statements
    new = renamed(node, renames(node))
    assert new.statements[1] is kept
    assert new.statements[0] is not declared and new.statements[2] is not changed
    assert "x_new = x_new + 1" in show.show_statement(new.statements[2])
    assert renamed(node, {}) is node


def test_an_expression_is_replaced() -> None:
    (node,) = kernel("i = u + 3 * i;").statements
    product = next(below for below in walk(node) if isinstance(below, tree.Binary) and below.op == "*")
    other = tree.Constant(product.span, product.type, 7)
    assert show.show_statement(replaced(node, product, other)) == "i = u + 7;"


def test_printed_statements_are_one_line() -> None:
    function = module("__global__ void k(int n) { if (n) { n = 1; } for (;;) { n = 2; } do { } while (n); }")
    lines = [show.show_statement(node) for node in function.kernels[0].body.statements]
    assert lines == ["if (n) {", "for (;;) {", "do {"]


def test_a_block_that_was_walked_is_forgotten_with_the_tree() -> None:
    body = copied(kernel("int z = i; if (z) { z++; }"))
    found = list(walk(body))
    assert found == list(walk(body)) and found[0] is body
    left = weakref.ref(body)
    del body, found
    gc.collect()
    assert left() is None
