"""Cooperative groups: tiles of a block, the lanes that are here, and parts of these."""

from __future__ import annotations

from .expressions import divergent, number, value, word
from .statements import note_place
from .writer import INT, LIMIT, UNSIGNED, Place, Scope, Writer

OPERATIONS = ("plus", "less", "greater", "bit_and", "bit_or", "bit_xor")


def group_function(w: Writer, scope: Scope) -> None:
    """Write what a group does, at a place where all lanes of `scope.mask` are."""
    group, full = _group(w, scope)
    if w.chance(30):
        part = w.name("g")
        if w.chance(50):
            with w.expression(scope):
                w.line(f"const cg::coalesced_group {part} = cg::binary_partition({group}, {divergent(w, scope, 1)});")
        else:
            with w.expression(scope):
                w.line(f"const int {part}key = {number(w, scope, 1)[0]} & 3;")
            w.line(f"const cg::coalesced_group {part} = cg::labeled_partition({group}, {part}key);")
        group, full = part, 0
    w.choices.several(1, 2, lambda: _use(w, scope, group, full))


def _group(w: Writer, scope: Scope) -> tuple[str, int]:
    """Declare a group; return its name, and its size if it is a tile."""
    name = w.name("g")
    if scope.mask == Scope().mask and not w.may_leave and w.chance(60):
        size = w.pick([32, 16, 8, 4, 2, 1])
        w.line(f"const cg::thread_block_tile<{size}> {name} = cg::tiled_partition<{size}>(cg::this_thread_block());")
        return name, size
    w.line(f"const cg::coalesced_group {name} = COALESCED({scope.mask});")
    return name, 0


def _keep(w: Writer, scope: Scope, text: str) -> None:
    name = w.name("x")
    w.line(f"unsigned {name} = {text};")
    scope.places.append(Place(name, UNSIGNED, name))
    if w.chance(80):
        note_place(w, scope.places[-1])


def _use(w: Writer, scope: Scope, group: str, tile: int) -> None:
    kind = w.choices.upto(7)
    if kind == 0:
        _keep(w, scope, f"{group}.size() * 64 + {group}.thread_rank()")
    elif kind == 1:
        _keep(w, scope, f"{group}.meta_group_rank() * 64 + {group}.meta_group_size()")
    elif kind == 2:
        with w.expression(scope):
            vote = divergent(w, scope, 1)
        _keep(w, scope, f"{group}.{w.pick(['ballot', 'any', 'all'])}({vote})")
    elif kind == 3:
        with w.expression(scope):
            _keep(w, scope, f"{group}.match_any({word(w, scope, 1)} & 3u)")
    elif kind == 4:
        _shuffle(w, scope, group, tile)
    elif kind == 5:
        with w.expression(scope):
            _keep(w, scope, f"cg::reduce({group}, {word(w, scope, 1)}, cg::{w.pick(OPERATIONS)}<unsigned>())")
    elif kind == 6:
        with w.expression(scope):
            op = w.pick(OPERATIONS)
            _keep(w, scope, f"cg::inclusive_scan({group}, {word(w, scope, 1)}, cg::{op}<unsigned>())")
    else:
        with w.expression(scope):
            op = w.pick(["plus", "bit_or", "bit_xor"])
            _keep(w, scope, f"cg::exclusive_scan({group}, {word(w, scope, 1)}, cg::{op}<unsigned>())")


def _shuffle(w: Writer, scope: Scope, group: str, tile: int) -> None:
    """A value of another thread of the group; of one that the block does not have, 0."""
    kind = w.pick(["shfl", "shfl_up", "shfl_down", *(["shfl_xor"] * (tile > 0))])
    by, rank, name = w.name("by"), f"{group}.thread_rank()", w.name("x")
    limit = f"{group}.size()" if kind in ("shfl", "shfl_xor") else "40"
    with w.expression(scope):
        w.line(f"const unsigned {by} = (unsigned){number(w, scope, 1)[0]} % {limit};")
    with w.expression(scope):
        w.line(f"int {name} = {group}.{kind}((int)({value(w, scope, INT)}), {by});")
    scope.places.append(Place(name, INT, name))
    source = {
        "shfl": by,
        "shfl_up": f"({rank} < {by} ? {rank} : {rank} - {by})",
        "shfl_down": f"({rank} + {by} < {tile} ? {rank} + {by} : {rank})",
        "shfl_xor": f"({rank} ^ {by})",
    }[kind]
    if tile > 0:
        w.line(f"if (tid - {rank} + {source} >= size) {name} = {LIMIT};")
    note_place(w, scope.places[-1])
