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

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import llvmlite.binding as llvm

from ..costs import EVEN_WEIGHTS
from ..options import Options
from ..simd import x86
from .llvm import rewritten
from .llvm_text import ATTRIBUTES, DEFINITION, NAME, NAMES, functions, without_attributes
from .pointer_differences import Doubt, distance, parted

T = TypeVar("T")

BYTES = 4  # of what is gathered
FAR = "llvm.masked.gather.v16"
MADE = "s2s.pair"  # begins the names of all that is made here
WINDOW = 24  # gathers ahead of which one is looked for that has the neighbours

_MASK = rf"{NAME}|splat \(i1 true\)"
_GATHER = re.compile(
    rf"(?:tail )?call <16 x (?P<element>i32|float)> @(?:"
    rf"{re.escape(x86.GATHER)}[is]\.512\(<16 x (?:i32|float)> zeroinitializer, "
    rf"ptr {ATTRIBUTES}(?P<base>{NAME}|@[-\w.$]+), <16 x i32> (?P<index>{NAME}), <16 x i1> (?P<mask>{_MASK}), "
    rf"i32 (?P<scale>\d)\)|"
    rf"{re.escape(FAR)}(?:i32|f32)\.v16p0\(<16 x ptr> {ATTRIBUTES}(?P<places>{NAME}), <16 x i1> (?P<on>{_MASK}), "
    rf"<16 x (?:i32|float)> (?:zeroinitializer|poison|undef)\))(?P<rest>.*)$"
)
_LABEL = re.compile(r'("[^"]*"|[-\w.$]+):')
_ARITHMETIC = re.compile(
    r"(?:add|sub|mul|[us]div|[us]rem|and|or|xor|shl|lshr|ashr|fadd|fsub|fmul|fdiv|frem|fneg|icmp|fcmp|select|zext|sext"
    r"|trunc|fptrunc|fpext|[us]itofp|fpto[us]i|bitcast|inttoptr|ptrtoint|getelementptr|shufflevector|insertelement"
    r"|extractelement|insertvalue|extractvalue|freeze)\b|(?:tail )?call <16 x i32> @llvm\.[su](?:min|max)\."
)
# What else may appear between two reads that become one: nothing that writes, or that orders memory.
_READ = re.compile(r"phi\b|load (?!volatile|atomic)")
_PURE_CALL = re.compile(
    r"(?:tail )?call .*@llvm\.(?:masked\.load|masked\.gather|x86\.avx512\.mask\.gather|[su](?:min|max)|abs|fabs|fma"
    r"|sqrt|floor|ceil|trunc|rint|roundeven|minnum|maxnum|copysign|ctpop|ctlz|cttz|fsh[lr]|bswap|vector\.reduce|"
    r"x86\.avx512\.(?:mask\.(?:cvt|compress|expand|range|getexp|getmant|scalef|fixupimm|rndscale)|permvar|vpermi2var|"
    r"rcp14|rsqrt14)|x86\.avx\.cvtt)"
)
_METADATA = re.compile(r"(?m)^!(\d+) = ")
_EVEN = ", ".join(f"i32 {2 * i}" for i in range(16))
_ODD = ", ".join(f"i32 {2 * i + 1}" for i in range(16))


@dataclass(frozen=True)
class _Gather:
    """A gather of 32 bits for each of 16 lanes, in a line of a function's text.

    It reads at `base` and `scale` times the lanes' `index`; at the lanes' pointers `places` if these are not empty.
    """

    line: int
    name: str
    element: str
    mask: str
    base: str
    index: str
    scale: int
    places: str
    call: str
    rest: str  # of the line: where it comes from


@dataclass(frozen=True)
class _Pair:
    """Two gathers, as they are in the text; `ascending`: whether the second one reads after the first."""

    first: _Gather
    second: _Gather
    ascending: bool
    doubt: Doubt | None


def join(optimised: llvm.ModuleRef, options: Options) -> llvm.ModuleRef:
    """Return an optimised module in which gathers of neighbours are one."""
    if options.optimise == 0 or not options.target.gathers:
        return optimised
    if not any(function.name.startswith((x86.GATHER, FAR)) for function in optimised.functions):
        return optimised
    return rewritten(optimised, rewrite)


def rewrite(text: str) -> str:
    """Return the text of a module with such gathers joined."""
    weights = f"!{1 + max(map(int, _METADATA.findall(text)), default=-1)}"
    parts = functions(text)
    joined = "".join(_in_function(part, weights) if "gather" in part else part for part in parts)
    if joined == text:
        return text
    declared = [line for name, line in _DECLARATIONS.items() if f"@{name}(" in joined and f"@{name}(" not in text]
    if f"!prof {weights}" in joined:
        declared.append(f'{weights} = !{{!"branch_weights", i32 {EVEN_WEIGHTS[0]}, i32 {EVEN_WEIGHTS[1]}}}')
    return "\n".join([joined, *declared, ""])


_NEAR_PAIR, _FAR_PAIR = f"{x86.GATHER}q.512", "llvm.masked.gather.v8i64.v8p0"
_DECLARATIONS = {
    _NEAR_PAIR: f"declare <8 x i64> @{_NEAR_PAIR}(<8 x i64>, ptr, <8 x i32>, <8 x i1>, i32 immarg)",
    _FAR_PAIR: f"declare <8 x i64> @{_FAR_PAIR}(<8 x ptr>, <8 x i1>, <8 x i64>)",
}


# ------------------------------------------------------------------------------------------- which


def _in_function(text: str, weights: str) -> str:
    named = _named(text)
    lines = named.split("\n")
    definitions = {found[1]: found[2] for line in lines if (found := DEFINITION.match(line))}
    for pair in reversed(_pairs(lines, definitions, _sure)):
        lines[pair.second.line] = ""
        lines[pair.first.line] = "\n".join(_at_once(pair, f"%{MADE}.{pair.first.line}"))
    joined = "\n".join(_with_tests("\n".join(lines).split("\n"), definitions, weights))
    return text if joined == named else joined


def _named(text: str) -> str:
    """Return a function in which no value has a number for a name: numbers must stay in order, and lines will not."""
    numbers = set(re.findall(r"(?m)^  %(\d+) = ", text))
    if not numbers:
        return text
    return re.sub(r"%(\d+)\b", lambda found: f"%{MADE}.{found[1]}n" if found[1] in numbers else found[0], text)


def _runs(lines: Sequence[str]) -> Iterator[list[_Gather]]:
    """Yield gathers between which nothing writes, and no block ends."""
    run: list[_Gather] = []
    for number, line in enumerate(lines):
        found = DEFINITION.match(line)
        gather = _GATHER.match(found[2]) if found else None
        if found and gather:
            run.append(_gather(number, found[1], gather))
        elif line and not line.startswith("    #dbg") and not (found and _changes_nothing(found[2])):
            if len(run) > 1:
                yield run
            run = []


def _changes_nothing(made: str) -> bool:
    return any(kind.match(made) for kind in (_ARITHMETIC, _READ, _PURE_CALL))


def _gather(line: int, name: str, found: re.Match[str]) -> _Gather:
    mask, scale = found["mask"] or found["on"], int(found["scale"] or 1)
    rest = without_attributes(found["rest"])
    where = found["base"] or "", found["index"] or "", scale, found["places"] or ""
    return _Gather(line, name, found["element"], mask, *where, call=found[0], rest=rest)


def _pairs(lines: Sequence[str], definitions: Mapping[str, str], chosen: Callable[[_Pair], T | None]) -> list[T]:
    """Return what `chosen` makes of pairs of neighbours, in the order of their first ones. Each gather is in one."""
    found: list[T] = []
    for run in _runs(lines):
        joined: set[str] = set()
        for i, first in enumerate(run):
            if first.name in joined:
                continue
            for second in run[i + 1 : i + 1 + WINDOW]:
                pair = None if second.name in joined else _pair(definitions, first, second)
                choice = None if pair is None else chosen(pair)
                if choice is not None:
                    found.append(choice)
                    joined |= {first.name, second.name}
                    break
    return found


def _sure(pair: _Pair) -> _Pair | None:
    """Return a pair of neighbours that are so in all lanes."""
    return pair if pair.doubt is None else None


def _pair(definitions: Mapping[str, str], first: _Gather, second: _Gather) -> _Pair | None:
    """Return two gathers as a pair if they read neighbours with the same lanes on."""
    if first.mask != second.mask or first.scale != second.scale or bool(first.places) != bool(second.places):
        return None
    if first.places:
        found = distance(definitions, first.places, second.places)
        offset = found.offset if found else 0
    else:
        (base, start), (other_base, other_start) = parted(definitions, first.base), parted(definitions, second.base)
        found = distance(definitions, first.index, second.index) if base == other_base else None
        offset = found.offset * first.scale + other_start - start if found else 0
    if found is None or abs(offset) != BYTES:
        return None
    return _Pair(first, second, offset > 0, found.doubt)


# ------------------------------------------------------------------------------------------- how


def _at_once(pair: _Pair, name: str, low: str = "", high: str = "") -> Iterator[str]:
    """Yield what reads both; as `low` and `high`, unless they keep their names."""
    first, second = pair.first, pair.second
    names = (first.name, second.name) if pair.ascending else (second.name, first.name)
    elements = (first.element, second.element) if pair.ascending else (second.element, first.element)
    back = 0 if pair.ascending else -BYTES
    if first.places:
        yield f"  {name}.places = getelementptr i8, <16 x ptr> {first.places}, i64 {back}"
    else:
        yield f"  {name}.base = getelementptr i8, ptr {first.base}, i64 {back}"
    for half, lanes in (("low", range(8)), ("high", range(8, 16))):
        part = f"{name}.{half}"
        picked = ", ".join(f"i32 {lane}" for lane in lanes)
        on = "splat (i1 true)"
        if first.mask.startswith("%"):
            on = f"{part}.on"
            yield f"  {on} = shufflevector <16 x i1> {first.mask}, <16 x i1> poison, <8 x i32> <{picked}>"
        if first.places:
            yield f"  {part}.places = shufflevector <16 x ptr> {name}.places, <16 x ptr> poison, <8 x i32> <{picked}>"
            arguments = f"<8 x ptr> align 1 {part}.places, <8 x i1> {on}, <8 x i64> zeroinitializer"
            yield f"  {part} = tail call <8 x i64> @{_FAR_PAIR}({arguments}){first.rest}"
        else:
            yield f"  {part}.index = shufflevector <16 x i32> {first.index}, <16 x i32> poison, <8 x i32> <{picked}>"
            arguments = f"ptr {name}.base, <8 x i32> {part}.index, <8 x i1> {on}, i32 {first.scale}"
            yield f"  {part} = tail call <8 x i64> @{_NEAR_PAIR}(<8 x i64> zeroinitializer, {arguments}){first.rest}"
        yield f"  {part}.words = bitcast <8 x i64> {part} to <16 x i32>"
    for word, places, element in zip((low or names[0], high or names[1]), (_EVEN, _ODD), elements, strict=True):
        whole = word if element == "i32" else f"{word}.bits"
        words = f"<16 x i32> {name}.low.words, <16 x i32> {name}.high.words"
        yield f"  {whole} = shufflevector {words}, <16 x i32> <{places}>"
        if element != "i32":
            yield f"  {word} = bitcast <16 x i32> {whole} to <16 x {element}>"


# ------------------------------------------------------------------------------------------- with a test


def _with_tests(lines: list[str], definitions: Mapping[str, str], weights: str) -> list[str]:
    """Return a function's lines in which gathers that are most likely neighbours are one in gangs where they are."""
    found = _pairs(lines, definitions, lambda pair: _needed(lines, pair))
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
        if block := _LABEL.match(line):
            label, tests = block[1], {}
        pair = pairs.get(number)
        if pair is None:
            if number not in gone:
                done.append(line)
            continue
        done += [lines[needed] for needed, user in early.items() if user == number]
        name = f"%{MADE}.test.{number}"
        asked = pair.doubt, pair.first.mask
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
        found = DEFINITION.match(lines[number])
        if found and found[1] in wanted:
            if not _ARITHMETIC.match(found[2]):
                return None
            needed.append(number)
            wanted |= set(NAMES.findall(found[2]))
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
    yield f"  {name}.on = and <16 x i1> {name}.other, {pair.first.mask}"
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
    for which, gather in (("first", pair.first), ("second", pair.second)):
        yield f"  {name}.separate.{which} = {gather.call}"
    yield f"  br label %{label}.done"
    yield f"{label}.done:"
    for which, gather in (("first", pair.first), ("second", pair.second)):
        ways = ", ".join(f"[ {name}.{way}.{which}, %{label}.{way} ]" for way in ("beside", "separate"))
        yield f"  {gather.name} = phi <16 x {gather.element}> {ways}"


def _from_ends(line: str, ends: dict[str, str]) -> str:
    """Return a line in which control comes from where its blocks now end."""
    if " = phi " not in line:
        return line
    return _FROM.sub(lambda found: f", %{ends.get(found[1], found[1])} ]", line)


_FROM = re.compile(r', %("[^"]*"|[-\w.$]+) \]')
