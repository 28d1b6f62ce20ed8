"""What the lanes of a warp do together: shuffles, votes, matches, reductions, in code that only some lanes run.

`Scope.mask` names, as text, lanes that are all here, or have ended for good: what `_sync` functions want. Where lanes
part, each side gets a mask of its own, from a ballot, a match or a constant. A shuffle may ask a lane that has ended,
or that the block does not have; what it gives is open then, and the program replaces it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .expressions import divergent, number, real, value, wide, within, word
from .groups import group_function
from .statements import note_place, statements
from .writer import DOUBLE, FLOAT, INT, LIMIT, LONG, UNSIGNED, WIDE, Function, Place, Scope, Type, Writer

# `HERE` and what follows it ask the hardware which lanes are here, which plain C++ has to get as an argument.
HEAD = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
#ifndef HERE
#define HERE(mask) __activemask()
#define COALESCED(mask) cg::coalesced_threads()
#define OLD_BALLOT(mask, vote) __ballot(vote)
#define OLD_ANY(mask, vote) __any(vote)
#define OLD_ALL(mask, vote) __all(vote)
#define OLD_SHUFFLE(mask, value, lane) __shfl(value, lane)
#endif
__device__ int source(int kind, int lane, int by, int width)
{
    int first = lane & ~(width - 1), last = first + width - 1, step = by & 31;
    if (kind == 0) return first + (step & (width - 1));
    if (kind == 1) return lane - step < first ? lane : lane - step;
    int at = kind == 2 ? lane + step : lane ^ step;
    return at > last ? lane : at;
}
""".strip().splitlines()

KINDS = ("", "_up", "_down", "_xor")


def declare_warps(w: Writer) -> None:
    w.line("__shared__ int sent[1024];")
    w.line("const int lane = tid & 31;")
    w.line("const unsigned there = size - (tid - lane) >= 32 ? 0xffffffffu : (1u << (size - (tid - lane))) - 1;")
    w.thread_numbers += ["lane", "(lane & 7)", "(31 - lane)"]


def together(w: Writer, scope: Scope, depth: int) -> None:
    """Write something at a place where all lanes of `scope.mask` are."""
    makers: list[tuple[int, Callable[[Writer, Scope, int], None]]] = [
        (6, _shuffle),
        (5, _vote),
        (2, _match),
        (3, _reduce),
        (2, _tree),
        (2, _nested),
        (1, _who),
    ]
    if w.function is None:
        makers += [(3, _through_memory), (2, _leader), (4, lambda w, s, _: group_function(w, s))]
        if w.warp_functions:
            makers.append((3, _call))
    if depth > 0:
        makers += [(5, _branch), (3, _loop), (2, _do), (2, _peel), (2, _switch), (2, _choice), (2, _constant)]
        if w.function is not None:
            makers.append((3, _return))
    w.choices.part(lambda: w.choices.weighted(makers)(w, scope, depth))


def _body(w: Writer, scope: Scope, depth: int, mask: str) -> None:
    """What lanes of `mask` do, alone and together: they may leave for good, not jump elsewhere."""
    inner = scope.inner()
    inner.mask, inner.loops, inner.in_switch = mask, 0, False

    def step() -> None:
        statements(w, inner, 0, 1, 1)
        together(w, inner, depth - 1)

    w.choices.several(1, 2, step)
    for place in inner.places[len(scope.places) :]:
        if w.chance(50):
            note_place(w, place)


def _named(w: Writer, scope: Scope) -> str:
    """Return the mask to write in a call. Lanes that the block does not have count as ones that have ended."""
    return w.pick([scope.mask, scope.mask, f"({scope.mask} & there)"])


def _alive(w: Writer, scope: Scope) -> str:
    """Return the name of a variable that has the lanes that are here."""
    name = w.name("here")
    asked = w.pick([f"__ballot_sync({scope.mask}, 1)", f"HERE({scope.mask})", f"OLD_BALLOT({scope.mask}, 1)"])
    if not w.may_leave and w.chance(40):
        asked = f"{scope.mask} & there"
    w.line(f"const unsigned {name} = {asked};")
    return name


def _type(w: Writer) -> Type:
    return w.pick([INT, INT, UNSIGNED, LONG, WIDE, FLOAT, DOUBLE])


def _value(w: Writer, scope: Scope, ctype: Type) -> str:
    if ctype.kind == "real":
        return (
            f"({ctype.name})({real(w, scope, ctype, 2)})"
            if w.features.reals
            else f"({ctype.name})({word(w, scope, 1)})"
        )
    if ctype == WIDE:
        return f"({ctype.name})({wide(w, scope, 2)})"
    return f"({ctype.name})({value(w, scope, ctype)})"


def _keep(w: Writer, scope: Scope, ctype: Type, text: str, *, unless: str = "") -> None:
    """Write the result of a function into a variable; 0 where the condition `unless` holds."""
    name = w.name("x")
    w.line(f"{ctype.name} {name} = {text};")
    if unless:
        w.line(f"if ({unless}) {name} = 0;")
    place = Place(name, ctype, name)
    scope.places.append(place)
    if w.chance(80):
        note_place(w, place)


# ------------------------------------------------------------------------------------------------------- functions


def _shuffle(w: Writer, scope: Scope, _depth: int) -> None:
    alive, ctype = _alive(w, scope), _type(w)
    if w.chance(20):  # of the first or the last lane that is here
        lane = w.pick([f"__ffs({alive}) - 1", f"31 - __clz({alive})"])
        with w.expression(scope):
            form = w.pick(["__shfl_sync", "OLD_SHUFFLE"])
            _keep(w, scope, ctype, f"{form}({_named(w, scope)}, {_value(w, scope, ctype)}, {lane})")
        return
    kind, width = w.choices.upto(3), w.pick([32, 32, 16, 8, 4, 2, 1])
    by, limit = w.name("by"), w.pick(["31", "7", "1", "63"])
    with w.expression(scope):
        w.line(f"const int {by} = {w.pick([str(w.choices.upto(31)), f'({number(w, scope, 1)[0]} & {limit})'])};")
    last = f", {width}" if width < 32 or w.chance(20) else ""
    with w.expression(scope):
        call = f"__shfl{KINDS[kind]}_sync({_named(w, scope)}, {_value(w, scope, ctype)}, {by}{last})"
        _keep(w, scope, ctype, call, unless=f"!({alive} >> source({kind}, lane, {by}, {width}) & 1)")


def _vote(w: Writer, scope: Scope, _depth: int) -> None:
    with w.expression(scope):
        vote, mask = divergent(w, scope, 2), _named(w, scope)
        form = w.pick(["__ballot_sync", "__any_sync", "__all_sync", "__uni_sync", "OLD_BALLOT", "OLD_ANY", "OLD_ALL"])
        text = f"{form}({mask}, {vote})"
    if "allot" in form.lower():
        _keep(w, scope, UNSIGNED, text)
    elif w.chance(50):
        _keep(w, scope, INT, text)
    else:
        with w.braces(f"if ({text})"):
            statements(w, scope.inner(), 0, 2, 1)


def _match(w: Writer, scope: Scope, _depth: int) -> None:
    ctype = _type(w)
    with w.expression(scope):
        key = _value(w, scope, ctype)
    if ctype.kind != "real" and w.chance(60):
        key = f"({ctype.name})({key} & 3)"
    if w.chance(50):
        _keep(w, scope, UNSIGNED, f"__match_any_sync({_named(w, scope)}, {key})")
        return
    same = w.name("same")
    w.line(f"int {same};")
    _keep(w, scope, UNSIGNED, f"__match_all_sync({_named(w, scope)}, {key}, &{same})")
    scope.places.append(Place(same, INT, same))


def _reduce(w: Writer, scope: Scope, _depth: int) -> None:
    op = w.pick(["add", "min", "max", "and", "or", "xor"])
    ctype = w.pick([UNSIGNED, INT]) if op in ("add", "min", "max") else UNSIGNED
    with w.expression(scope):
        text = f"__reduce_{op}_sync({_named(w, scope)}, {_value(w, scope, ctype)})"
    _keep(w, scope, ctype, f"{text} & {LIMIT}" if ctype == INT else text)


def _tree(w: Writer, scope: Scope, _depth: int) -> None:
    """A reduction or a prefix sum by shuffles."""
    alive, sum_, d = _alive(w, scope), w.name("sum"), w.name("d")
    with w.expression(scope):
        w.line(f"unsigned {sum_} = {word(w, scope, 2)};")
    kind = w.choices.between(1, 3)
    head = w.pick([f"int {d} = 16; {d} > 0; {d} /= 2", f"int {d} = 1; {d} < 32; {d} <<= 1"])
    with w.braces(f"for ({head})"):
        other = w.name("other")
        w.line(f"unsigned {other} = __shfl{KINDS[kind]}_sync({_named(w, scope)}, {sum_}, {d});")
        guard = f"{alive} >> source({kind}, lane, {d}, 32) & 1"
        w.line(f"if ({guard}) {sum_} {w.pick(['+=', '^='])} {other};")
    scope.places.append(Place(sum_, UNSIGNED, sum_))
    note_place(w, scope.places[-1])


def _nested(w: Writer, scope: Scope, _depth: int) -> None:
    """Functions as operands of functions, and of operators that have an order."""
    mask = _named(w, scope)
    with w.expression(scope):
        vote = f"__ballot_sync({mask}, {divergent(w, scope, 1)})"
    form = w.pick(["__reduce_add_sync({0}, {1} & 255u)", "__match_any_sync({0}, {1} & 3u)", "__popc({1} & ~0u << lane)",
                   "__reduce_xor_sync({0}, __match_any_sync({0}, {1} >> lane & 1))"])  # fmt: skip
    _keep(w, scope, UNSIGNED, form.format(mask, vote))


def _who(w: Writer, scope: Scope, _depth: int) -> None:
    _keep(w, scope, UNSIGNED, f"HERE({scope.mask})")


def _through_memory(w: Writer, scope: Scope, _depth: int) -> None:
    alive, by = _alive(w, scope), w.name("by")
    with w.expression(scope):
        w.line(f"const int {by} = {number(w, scope, 1)[0]} & 31;")
    with w.expression(scope):
        w.line(f"sent[tid] = {value(w, scope, INT)};")
    wait = f"__syncwarp({w.pick([scope.mask, f'{scope.mask} & there'])});"
    w.line(wait)
    _keep(w, scope, INT, f"{alive} >> {by} & 1 ? sent[tid - lane + {by}] : 0")
    w.line(wait)


def _leader(w: Writer, scope: Scope, _depth: int) -> None:
    """One lane adds for all that are here."""
    alive = _alive(w, scope)
    first = w.pick(
        [f"lane == __ffs({alive}) - 1", f"({alive} & ((1u << lane) - 1)) == 0", f"lane == 31 - __clz({alive})"]
    )
    w.line(f"if ({first}) atomicAdd(&tally[{w.pick(['0', '3', 'lane & 7'])}], __popc({alive}));")


# ---------------------------------------------------------------------------------------------------- lanes that part


def _part(w: Writer, scope: Scope) -> tuple[str, str]:
    """Write a condition into a variable, and which lanes fulfil it; return their names."""
    cond, mask = w.name("c"), w.name("m")
    with w.expression(scope):
        w.line(f"const bool {cond} = {divergent(w, scope, 2)};")
    w.line(f"const unsigned {mask} = __ballot_sync({_named(w, scope)}, {cond});")
    return cond, mask


def _branch(w: Writer, scope: Scope, depth: int) -> None:
    cond, mask = _part(w, scope)
    with w.braces(f"if ({cond})"):
        _body(w, scope, depth, mask)
    if w.chance(50):
        with w.braces("else"):
            _body(w, scope, depth, f"({scope.mask} & ~{mask})")


def _constant(w: Writer, scope: Scope, depth: int) -> None:
    """A condition of the lane's number, and masks that are constants."""
    cond, mask = w.pick([("lane < 16", 0xFFFF), ("(lane & 1) == 0", 0x55555555), ("lane >= 8", 0xFFFFFF00),
                         ("lane % 4 == 3", 0x88888888), ("lane == 0", 1), ("lane < 31", 0x7FFFFFFF)])  # fmt: skip
    both = [f"0x{bits:08x}u" for bits in (mask, 0xFFFFFFFF ^ mask)]
    if scope.mask != Scope().mask:
        both = [f"({scope.mask} & {bits})" for bits in both]
    with w.braces(f"if ({cond})"):
        _body(w, scope, depth, both[0])
    if w.chance(50):
        with w.braces("else"):
            _body(w, scope, depth, both[1])


def _choice(w: Writer, scope: Scope, _depth: int) -> None:
    """Functions in operands that only some lanes evaluate."""
    cond, mask = _part(w, scope)
    with w.expression(scope):
        yes = f"__reduce_add_sync({mask}, {word(w, scope, 1)})"
        no = w.pick([f"__ballot_sync({scope.mask} & ~{mask}, {divergent(w, scope, 1)})", "7u"])
    if w.chance(60):
        _keep(w, scope, UNSIGNED, f"{cond} ? {yes} : {no}")
    else:
        _keep(w, scope, INT, f"{cond} {w.pick(['&&', '&& 1 &&'])} ({yes} & 1)")


def _loop(w: Writer, scope: Scope, depth: int) -> None:
    """A loop of as many iterations as each lane wants; some `break` or `continue`."""
    k, bound, mask = w.name("k"), w.name("m"), w.name("m")
    with w.expression(scope):
        w.line(f"const int {bound} = {number(w, scope, 2)[0]} & {w.pick([3, 7])};")
    inner = scope.inner()
    inner.counter(k)
    if w.chance(50):
        w.line(f"int {k} = 0;")
        w.line(f"unsigned {mask} = __ballot_sync({scope.mask}, {k} < {bound});")
        with w.braces(f"while ({k} < {bound})"):
            _body(w, inner, depth, mask)
            w.line(f"{k}++;")
            if w.chance(40):
                _leave(w, inner, mask, "break;")
            w.line(f"{mask} = __ballot_sync({mask}, {k} < {bound});")
        return
    w.line(f"unsigned {mask} = {scope.mask};")
    with w.braces(f"for (int {k} = 0;; {k}++)"):
        w.line(f"{mask} = __ballot_sync({mask}, {k} < {bound});")
        w.line(f"if ({k} >= {bound}) break;")
        if w.chance(40):
            _leave(w, inner, mask, "break;")
        named = mask
        if w.chance(40):
            out, named = w.name("c"), w.name("m")
            with w.expression(inner):
                w.line(f"const bool {out} = {divergent(w, inner, 1)};")
            w.line(f"const unsigned {named} = __ballot_sync({mask}, !{out});")
            w.line(f"if ({out}) continue;")
        _body(w, inner, depth, named)


def _leave(w: Writer, scope: Scope, mask: str, jump: str) -> None:
    """Some lanes go; the others are in the mask then."""
    out = w.name("c")
    with w.expression(scope):
        w.line(f"const bool {out} = {divergent(w, scope, 1)};")
    w.line(f"{mask} = __ballot_sync({mask}, !{out});")
    w.line(f"if ({out}) {jump}")


def _do(w: Writer, scope: Scope, depth: int) -> None:
    fuel, mask, more = w.name("fuel"), w.name("m"), w.name("more")
    w.line(f"int {fuel} = {w.choices.between(1, 4)};")
    w.line(f"unsigned {mask} = {scope.mask};")
    w.line(f"bool {more};")
    inner = scope.inner()
    inner.counter(fuel)
    with w.braces("do", f" while ({more});"):
        _body(w, inner, depth, mask)
        with w.expression(inner):
            w.line(f"{more} = --{fuel} > 0 && {divergent(w, inner, 1)};")
        w.line(f"{mask} = __ballot_sync({mask}, {more});")


def _peel(w: Writer, scope: Scope, depth: int) -> None:
    """One iteration for each value that there is."""
    todo, key, now, same = w.name("todo"), w.name("key"), w.name("now"), w.name("same")
    with w.expression(scope):
        w.line(f"const int {key} = {number(w, scope, 1)[0]} & 3;")
    w.line(f"unsigned {todo} = {scope.mask};")
    with w.braces(f"while (({todo} &= __ballot_sync({scope.mask}, 1)) != 0)"):
        w.line(f"const int {now} = __shfl_sync({scope.mask}, {key}, __ffs({todo}) - 1);")
        w.line(f"const unsigned {same} = __ballot_sync({scope.mask}, {key} == {now});")
        with w.braces(f"if ({key} == {now})"):
            _body(w, scope, depth, same)
        w.line(f"{todo} &= ~{same};")


def _switch(w: Writer, scope: Scope, depth: int) -> None:
    key, same = w.name("key"), w.name("same")
    with w.expression(scope):
        w.line(f"const int {key} = {number(w, scope, 1)[0]} & 3;")
    w.line(f"const unsigned {same} = __match_any_sync({_named(w, scope)}, {key});")
    with w.braces(f"switch ({key})"):
        for label in w.pick([("case 0:", "case 2:"), ("case 1:", "case 2:", "case 3:", "case 0:"), ("case 3:",)]):
            w.line(label)
            with w.braces():
                _body(w, scope, depth, same)
                w.line("break;")


# -------------------------------------------------------------------------------------------------------- functions


def warp_function(w: Writer, name: str) -> None:
    """Write a function that lanes call together."""
    w.function = Function(name)
    features, w.features = w.features, replace(w.features, leaves=False, loops=False, recursion=False)
    scope = Scope(places=[Place("a", INT, f"{name}.a"), Place("b", UNSIGNED, f"{name}.b")], mask="m")
    scope.places.append(Place("d[1]", INT, f"{name}.d", writable=False, varying=True))
    scope.counter("lane")
    qualifier = w.pick(["", "", "__noinline__ ", "__forceinline__ "])
    head = f"__device__ {qualifier}int {name}(unsigned m, unsigned there, int lane, const int *d, int a, unsigned b)"
    with w.braces(head):
        w.line("unsigned h = b;")
        w.choices.several(1, 3, lambda: together(w, scope, 2))
        for place in scope.places[2:]:
            note_place(w, place)
        w.line(f"return (int)(h % {LIMIT}u);")
    w.features = features
    w.warp_functions.append(name)
    w.function = None


def _return(w: Writer, scope: Scope, _depth: int) -> None:
    """Some lanes return to the caller, where they wait; only where the mask of the rest can be kept."""
    if scope.mask == "m":
        _leave(w, scope, "m", f"return {w.choices.upto(9)};")


def _call(w: Writer, scope: Scope, _depth: int) -> None:
    name = w.pick(w.warp_functions)
    with w.expression(scope):
        a, b = within(w, number(w, scope, 1), INT), word(w, scope, 1)
        _keep(w, scope, INT, f"{name}({_named(w, scope)}, there, lane, {w.pick(['in', 'in + i'])}, {a}, {b})")
