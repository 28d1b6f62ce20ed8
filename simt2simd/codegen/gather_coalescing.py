"""Two gathers of neighbours become one gather of 64 bits for each lane, and a shuffle.

    low = row[v];                       both = gather 64 bits at row + v, eight lanes at a time
    high = row[v + 1];      becomes     low, high = the even and the odd halves of them

A gather takes as long as it has lanes, so that the two take half as long. Neighbours are the members of a struct, and
`a[i]` and `a[i + 1]`. Where indices differ by 1 unless they are at an edge (`pointer_differences`), as in

    a[min(x, n - 1)] + a[min(x + 1, n - 1)]

the gang looks whether they are neighbours in all its lanes. A CPU without gathers reads one lane after the other, and
would gain nothing.

What must hold: both have the same lanes on, and between them there is nothing but arithmetic and other reads, so that
the second one may be read with the first one. A volatile read is no such read: assembly precedes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from ..costs import EVEN_WEIGHTS
from ..options import Options
from ..simd import x86
from .llvm_text import (
    LABEL,
    NAMES,
    PREDECESSOR,
    Function,
    Gather,
    Values,
    call,
    callee,
    definition,
    gather,
    next_metadata,
    opcode,
    with_named_values,
)
from .module import OptimisedModule
from .pointer_differences import Doubt, distance, parted

T = TypeVar("T")

BYTES = 4  # of what is gathered
MADE = "s2s.pair"  # begins the names of all that is made here
WINDOW = 24  # gathers ahead of which one is looked for that has the neighbours

_ALL_ON = "splat (i1 true)"
_ARITHMETIC = frozenset(
    """add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv frem fneg icmp fcmp select zext sext
    trunc fptrunc fpext uitofp sitofp fptoui fptosi bitcast inttoptr ptrtoint getelementptr shufflevector insertelement
    extractelement insertvalue extractvalue freeze""".split()
)
_EXTREMES = tuple(f"llvm.{which}." for which in ("smin", "smax", "umin", "umax"))
# The functions that may also be called between two reads that become one: none that writes, or that orders memory.
_PURE = tuple(
    f"llvm.{name}"
    for name in """masked.load masked.gather smin smax umin umax abs fabs fma sqrt floor ceil trunc rint roundeven
    minnum maxnum copysign ctpop ctlz cttz fshl fshr bswap vector.reduce. x86.avx512.mask.gather x86.avx512.mask.cvt
    x86.avx512.mask.compress x86.avx512.mask.expand x86.avx512.mask.range x86.avx512.mask.getexp
    x86.avx512.mask.getmant x86.avx512.mask.scalef x86.avx512.mask.fixupimm x86.avx512.mask.rndscale
    x86.avx512.permvar x86.avx512.vpermi2var x86.avx512.rcp14 x86.avx512.rsqrt14 x86.avx.cvtt""".split()
)
_EVEN = ", ".join(f"i32 {2 * i}" for i in range(16))
_ODD = ", ".join(f"i32 {2 * i + 1}" for i in range(16))


@dataclass(frozen=True, slots=True)
class _Gather:
    """A gather, in a line of a function's text."""

    line: int
    name: str
    call: str
    read: Gather


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two gathers, as they are in the text; `ascending`: whether the second one reads after the first."""

    first: _Gather
    second: _Gather
    ascending: bool
    doubt: Doubt | None


def join(optimised: OptimisedModule, options: Options) -> OptimisedModule:
    """Return an optimised module in which gathers of neighbours are one."""
    if options.optimise == 0 or not options.target.gathers:
        return optimised
    return optimised.with_texts(rewrite(optimised.functions), options)


def rewrite(functions: Sequence[Function]) -> list[str]:
    """Return the texts of a module's functions with such gathers joined, and with what they refer to at the end."""
    weights = f"!{next_metadata(functions[-1].text)}"
    texts = [_in_function(function, weights) for function in functions]
    if all(text is function.text for text, function in zip(texts, functions, strict=True)):
        return texts
    declared = [
        line
        for name, line in _DECLARATIONS.items()
        if any(f"@{name}(" in text for text in texts) and not any(f"@{name}(" in each.text for each in functions)
    ]
    if any(f"!prof {weights}" in text for text in texts):
        declared.append(f'{weights} = !{{!"branch_weights", i32 {EVEN_WEIGHTS[0]}, i32 {EVEN_WEIGHTS[1]}}}')
    return [*texts, "\n".join(["", *declared, ""])]


_NEAR_PAIR, _FAR_PAIR = f"{x86.GATHER}q.512", "llvm.masked.gather.v8i64.v8p0"
_DECLARATIONS = {
    _NEAR_PAIR: f"declare <8 x i64> @{_NEAR_PAIR}(<8 x i64>, ptr, <8 x i32>, <8 x i1>, i32 immarg)",
    _FAR_PAIR: f"declare <8 x i64> @{_FAR_PAIR}(<8 x ptr>, <8 x i1>, <8 x i64>)",
}


# ------------------------------------------------------------------------------------------- which


def _in_function(function: Function, weights: str) -> str:
    """Return the text of a function with its gathers joined: the same object if there are none to join."""
    if function.text.count(".gather.") < 2 or not _pairs(function.lines, function, lambda pair: pair):
        return function.text
    named = with_named_values(function, f"{MADE}.")
    lines = list(named.lines)
    for pair in reversed(_pairs(lines, named, _sure)):
        lines[pair.second.line] = ""
        lines[pair.first.line] = "\n".join(_at_once(pair, f"%{MADE}.{pair.first.line}"))
    joined = "\n".join(_with_tests("\n".join(lines).split("\n"), named, weights))
    return function.text if joined == named.text else joined


def _runs(lines: Sequence[str]) -> Iterator[list[_Gather]]:
    """Yield gathers between which nothing writes, and no block ends."""
    gathers = [found for number, line in enumerate(lines) if "gather" in line and (found := _gather(number, line))]
    run = gathers[:1]
    for before, found in pairwise(gathers):
        if not all(map(_changes_nothing, lines[before.line + 1 : found.line])):
            if len(run) > 1:
                yield run
            run = []
        run.append(found)
    if len(run) > 1:
        yield run


def _changes_nothing(line: str) -> bool:
    """Whether a line only computes or reads."""
    found = definition(line)
    if found is None:
        return not line or line.startswith("    #dbg")
    match opcode(found[1]):
        case "call":
            return callee(found[1]).startswith(_PURE)
        case "load":
            return not found[1].startswith(("load volatile", "load atomic"))
        case word:
            return word in _ARITHMETIC or word == "phi"


def _is_arithmetic(made: str) -> bool:
    """Whether an instruction may go ahead of others, as it only computes."""
    if opcode(made) != "call":
        return opcode(made) in _ARITHMETIC
    found = call(made)
    return found is not None and found.kind == "<16 x i32>" and found.callee.startswith(_EXTREMES)


def _gather(number: int, line: str) -> _Gather | None:
    """Return the gather in a line if another one can be joined with it."""
    found = definition(line)
    read = gather(found[1]) if found else None
    if found is None or read is None or not (read.mask.startswith("%") or read.mask == _ALL_ON):
        return None
    if read.others != "zeroinitializer" and not (read.places and read.others in ("poison", "undef")):
        return None
    return _Gather(number, *found, read)


def _pairs(lines: Sequence[str], function: Function, chosen: Callable[[_Pair], T | None]) -> list[T]:
    """Return what `chosen` makes of pairs of neighbours, in the order of their first ones. Each gather is in one.

    `lines`: of the function, or what has become of them.
    """
    found: list[T] = []
    for run in _runs(lines):
        joined: set[str] = set()
        for i, first in enumerate(run):
            if first.name in joined:
                continue
            for second in run[i + 1 : i + 1 + WINDOW]:
                pair = None if second.name in joined else _pair(function.values, first, second)
                choice = None if pair is None else chosen(pair)
                if choice is not None:
                    found.append(choice)
                    joined |= {first.name, second.name}
                    break
    return found


def _sure(pair: _Pair) -> _Pair | None:
    """Return a pair of neighbours that are so in all lanes."""
    return pair if pair.doubt is None else None


def _pair(values: Values, first: _Gather, second: _Gather) -> _Pair | None:
    """Return two gathers as a pair if they read neighbours with the same lanes on."""
    one, other = first.read, second.read
    if one.mask != other.mask or one.scale != other.scale or bool(one.places) != bool(other.places):
        return None
    if one.places:
        found = distance(values, one.places, other.places)
        offset = found.offset if found else 0
    else:
        (base, start), (other_base, other_start) = parted(values, one.base), parted(values, other.base)
        found = distance(values, one.index, other.index) if base == other_base else None
        offset = found.offset * one.scale + other_start - start if found else 0
    if found is None or abs(offset) != BYTES:
        return None
    return _Pair(first, second, offset > 0, found.doubt)


# ------------------------------------------------------------------------------------------- how


def _at_once(pair: _Pair, name: str, low: str = "", high: str = "") -> Iterator[str]:
    """Yield what reads both; as `low` and `high`, unless they keep their names."""
    first, second, read = pair.first, pair.second, pair.first.read
    names = (first.name, second.name) if pair.ascending else (second.name, first.name)
    elements = (read.element, second.read.element) if pair.ascending else (second.read.element, read.element)
    back = 0 if pair.ascending else -BYTES
    if read.places:
        yield f"  {name}.places = getelementptr i8, <16 x ptr> {read.places}, i64 {back}"
    else:
        yield f"  {name}.base = getelementptr i8, ptr {read.base}, i64 {back}"
    for half, lanes in (("low", range(8)), ("high", range(8, 16))):
        part = f"{name}.{half}"
        picked = ", ".join(f"i32 {lane}" for lane in lanes)
        on = _ALL_ON
        if read.mask != _ALL_ON:
            on = f"{part}.on"
            yield f"  {on} = shufflevector <16 x i1> {read.mask}, <16 x i1> poison, <8 x i32> <{picked}>"
        if read.places:
            yield f"  {part}.places = shufflevector <16 x ptr> {name}.places, <16 x ptr> poison, <8 x i32> <{picked}>"
            arguments = f"<8 x ptr> align 1 {part}.places, <8 x i1> {on}, <8 x i64> zeroinitializer"
            yield f"  {part} = tail call <8 x i64> @{_FAR_PAIR}({arguments}){read.rest}"
        else:
            yield f"  {part}.index = shufflevector <16 x i32> {read.index}, <16 x i32> poison, <8 x i32> <{picked}>"
            arguments = f"ptr {name}.base, <8 x i32> {part}.index, <8 x i1> {on}, i32 {read.scale}"
            yield f"  {part} = tail call <8 x i64> @{_NEAR_PAIR}(<8 x i64> zeroinitializer, {arguments}){read.rest}"
        yield f"  {part}.words = bitcast <8 x i64> {part} to <16 x i32>"
    for word, places, element in zip((low or names[0], high or names[1]), (_EVEN, _ODD), elements, strict=True):
        whole = word if element == "i32" else f"{word}.bits"
        words = f"<16 x i32> {name}.low.words, <16 x i32> {name}.high.words"
        yield f"  {whole} = shufflevector {words}, <16 x i32> <{places}>"
        if element != "i32":
            yield f"  {word} = bitcast <16 x i32> {whole} to <16 x {element}>"


# ------------------------------------------------------------------------------------------- with a test


def _with_tests(lines: list[str], function: Function, weights: str) -> list[str]:
    """Return a function's lines in which gathers that are most likely neighbours are one in gangs where they are."""
    found = _pairs(lines, function, lambda pair: _needed(lines, pair))
    if not found:
        return lines
    pairs = {late.pair.first.line: late.pair for late in found}
    early = _first_users(found)
    gone = {late.pair.second.line for late in found} | early.keys()
    done: list[str] = []
    ends: dict[str, str] = {}  # the block that now is the end of one, by label
    tests: dict[tuple[Doubt | None, str], str] = {}  # by what they ask, of those that are in this block
    label = ""
    for number, line in enumerate(lines):
        if block := LABEL.match(line):
            label, tests = block[1], {}
        pair = pairs.get(number)
        if pair is None:
            if number not in gone:
                done.append(line)
            continue
        done += [lines[needed] for needed, user in early.items() if user == number]
        name = f"%{MADE}.test.{number}"
        asked = pair.doubt, pair.first.read.mask
        if asked not in tests:
            tests[asked] = f"{name}.holds"
            done += _test(pair, name)
        done += _either(pair, name, tests[asked], weights)
        ends[label] = f"{name}.done"[1:]
    return [_from_ends(line, ends) for line in done]


@dataclass(frozen=True)
class _Late:
    """A pair with the lines between the two gathers that make the second one's place: these go ahead of the first."""

    pair: _Pair
    lines: Sequence[int]


def _needed(lines: Sequence[str], pair: _Pair) -> _Late | None:
    """Return a pair with what goes ahead of it; None if that cannot be, as there is a read in it."""
    wanted, needed = set(NAMES.findall(pair.second.call)), []
    for number in range(pair.second.line - 1, pair.first.line, -1):
        found = definition(lines[number])
        if found and found[0] in wanted:
            if not _is_arithmetic(found[1]):
                return None
            needed.append(number)
            wanted |= set(NAMES.findall(found[1]))
    return None if pair.first.name in wanted else _Late(pair, needed[::-1])


def _first_users(pairs: Sequence[_Late]) -> dict[int, int]:
    """Return for each line that goes ahead of a gather the first such gather's line; lines in order."""
    users: dict[int, int] = {}
    for late in pairs:
        for line in late.lines:
            users.setdefault(line, late.pair.first.line)
    return dict(sorted(users.items()))


def _test(pair: _Pair, name: str) -> Iterator[str]:
    """Yield what finds out whether the two are neighbours in all lanes that are on."""
    doubt = pair.doubt
    assert doubt is not None
    low, high = doubt.first, doubt.second
    if doubt.part:
        low, high = f"{name}.nearer", f"{name}.further"
        yield f"  {low} = shufflevector {doubt.kind} {doubt.first}{doubt.part}"
        yield f"  {high} = shufflevector {doubt.kind} {doubt.second}{doubt.part}"
    yield f"  {name}.distance = sub <16 x i32> {high}, {low}"
    yield f"  {name}.other = icmp ne <16 x i32> {name}.distance, splat (i32 {doubt.offset})"
    yield f"  {name}.on = and <16 x i1> {name}.other, {pair.first.read.mask}"
    yield f"  {name}.bits = bitcast <16 x i1> {name}.on to i16"
    yield f"  {name}.holds = icmp eq i16 {name}.bits, 0"


def _either(pair: _Pair, name: str, holds: str, weights: str) -> Iterator[str]:
    """Yield what reads both at once or one after the other."""
    label = name[1:]
    yield f"  br i1 {holds}, label %{label}.beside, label %{label}.separate, !prof {weights}"
    yield f"{label}.beside:"
    low, high = (f"{name}.beside.{which}" for which in (("first", "second") if pair.ascending else ("second", "first")))
    yield from _at_once(pair, name, low, high)
    yield f"  br label %{label}.done"
    yield f"{label}.separate:"
    for which, found in (("first", pair.first), ("second", pair.second)):
        yield f"  {name}.separate.{which} = {found.call}"
    yield f"  br label %{label}.done"
    yield f"{label}.done:"
    for which, found in (("first", pair.first), ("second", pair.second)):
        ways = ", ".join(f"[ {name}.{way}.{which}, %{label}.{way} ]" for way in ("beside", "separate"))
        yield f"  {found.name} = phi <16 x {found.read.element}> {ways}"


def _from_ends(line: str, ends: dict[str, str]) -> str:
    """Return a line in which control comes from where its blocks now end."""
    if " = phi " not in line:
        return line
    return PREDECESSOR.sub(lambda found: f", %{ends.get(found[1], found[1])} ]", line)
