"""Miscompilations of LLVM 20 to 23 that others have found, of code such as ours: each as a piece of IR that shows it.

The number is that of the issue or the pull request at github.com/llvm/llvm-project. `handed` makes the form that we
hand to LLVM, where that differs. Others concern what our IR does not have:

| number | what goes wrong | why not here |
| --- | --- | --- |
| 179057 | `vfixupimmss` under a mask | only whole vectors are fixed up, without a mask |
| 216649 | `llvm.experimental.cttz.elts` of few lanes | lanes are counted in integers |
| 156849, 125259, 135113, 117170 | the loop and the SLP vectoriser | both are off |
| 193277 | `llvm.masked.compressstore` of other lengths than powers of two | `vpcompress` in registers, of 16 lanes |
| 144170 | widened `llvm.masked.load` with a pass-through value | of vectors with `vscale` only |
| 199263, 199177 | `llvm.ldexp` | `vscalef`, or the C library's function |
| 199401 | `llvm.vector.reduce.mul` of an odd number of lanes | gangs have 16, 32 or 64 |
| 96720 | conditional loads and stores of scalars on APX CPUs | no target has these |
| 218908 | a bitwise blend of an undefined value | values that lanes may lack are frozen |
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir

from simt2simd.codegen import sign_masks
from simt2simd.codegen.llvm import emit_assembly, optimise, target_machine
from simt2simd.codegen.module import OptimisedModule
from simt2simd.options import Options
from simt2simd.simd.builder import I16, Builder
from simt2simd.simd.mask import Mask, from_bits
from simt2simd.simd.strided import load_vector, store_vector
from simt2simd.simd.values import PTR
from simt2simd.target import AVX2, AVX512, LANES, Target

Arrays = Sequence[np.ndarray]
LEVELS = (0, 1, 2, 3)


@dataclass(frozen=True)
class Fault:
    """`arguments` are arrays, which `function` gets as pointers; `expect` computes what stands in them afterwards."""

    number: int
    what: str
    text: str
    arguments: Callable[[], Arrays]
    expect: Callable[[Arrays], Arrays]
    handed: Callable[[str], str] = lambda text: text
    target: Target = AVX512


def run(fault: Fault, level: int, handed: bool) -> bool:
    """Whether LLVM compiles a fault's IR as it should; in the form that we hand over if `handed`."""
    options = Options(optimise=level, target=fault.target)
    text = fault.handed(fault.text) if handed else fault.text
    module = optimise(text, options)
    if handed:
        module = sign_masks.keep_comparisons(OptimisedModule(module), options).ref
    arrays = [array.copy() for array in fault.arguments()]
    wanted = fault.expect([array.copy() for array in arrays])
    engine = llvm.create_mcjit_compiler(module, target_machine(options))
    engine.finalize_object()
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(arrays))(engine.get_function_address("f"))
    function(*(array.ctypes.data for array in arrays))
    return all(np.array_equal(got, want) for got, want in zip(arrays, wanted, strict=True))


def assembly(fault: Fault, level: int) -> str:
    """Return the machine code of a fault's IR as we hand it over."""
    options = Options(optimise=level, target=fault.target)
    module = OptimisedModule(optimise(fault.handed(fault.text), options))
    return emit_assembly(sign_masks.keep_comparisons(module, options).ref, options)


# ------------------------------------------------------------------------------ 215453: a load is moved behind a store

ON = np.array([0b1010_0110_1111_0001], np.uint16)
IS_ON = np.array([bool(ON[0] >> lane & 1) for lane in range(LANES)])

SWAP = """
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, i32, <16 x i1>, <16 x float>)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr, i32, <16 x i1>)
define void @f(ptr %bits, ptr %place, ptr %held) {
  %on = load i16, ptr %bits
  %mask = bitcast i16 %on to <16 x i1>
  %now = load <16 x float>, ptr %held, align 4
  %old = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %place, i32 4, <16 x i1> %mask, <16 x float> zeroinitializer)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %now, ptr %place, i32 4, <16 x i1> %mask)
  %then = select <16 x i1> %mask, <16 x float> %old, <16 x float> %now
  store <16 x float> %then, ptr %held, align 4
  ret void
}
"""


def _swap(_: str) -> str:
    """Return the same as our own words for loads and stores build it."""
    module = ir.Module("swap")
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [PTR] * 3), "f")
    bits, place, held = function.args
    b = Builder(function.append_basic_block("entry"), LANES)
    lanes = ir.VectorType(ir.FloatType(), LANES)
    mask = from_bits(b, b.load(bits, typ=I16))
    every = Mask(ir.Constant(mask.lanes.type, [1] * LANES))
    now = load_vector(b, held, lanes, 4, every)
    old = load_vector(b, place, lanes, 4, mask)
    store_vector(b, place, now, 4, mask)
    store_vector(b, held, b.select(mask.lanes, old, now), 4, every)
    b.ret_void()
    return str(module)


def _swapped(arrays: Arrays) -> Arrays:
    bits, place, held = arrays
    return bits, np.where(IS_ON, held, place), np.where(IS_ON, place, held)


def _two_rows() -> Arrays:
    return ON, np.arange(LANES, dtype=np.float32), np.arange(100, 100 + LANES, dtype=np.float32)


_WAYS_TO_READ = {
    "gather": (
        "declare <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr>, i32, <16 x i1>, <16 x float>)",
        "@llvm.masked.gather.v16f32.v16p0(<16 x ptr> %places, i32 4, <16 x i1> %mask, <16 x float> zeroinitializer)",
    ),
    "instruction": (
        "declare <16 x float> @llvm.x86.avx512.mask.gather.dps.512(<16 x float>, ptr, <16 x i32>, <16 x i1>, i32)",
        "@llvm.x86.avx512.mask.gather.dps.512("
        "<16 x float> zeroinitializer, ptr %place, <16 x i32> %lanes, <16 x i1> %mask, i32 4)",
    ),
}


def _gathered_swap(way: str) -> str:
    """Return the swap with a gather in place of the load."""
    declaration, call = _WAYS_TO_READ[way]
    numbers = ", ".join(f"i32 {lane}" for lane in range(LANES))
    places = f"  %lanes = add <16 x i32> <{numbers}>, zeroinitializer\n"
    places += "  %places = getelementptr float, ptr %place, <16 x i32> %lanes\n"
    text = re.sub(r"(?m)^declare .*masked.load.*$", declaration, SWAP)
    return re.sub(r"  %old = .*\n", lambda _: f"{places}  %old = call <16 x float> {call}\n", text)


# ----------------------------------------------------- 198197, 191304: signs move to a general register, not to a mask

HALF = """
define void @f(ptr %bytes, ptr %divided, ptr %high) {
  %x = load <16 x i8>, ptr %bytes, align 1
  %n = load i32, ptr %divided
  %m = icmp slt <16 x i8> %x, zeroinitializer
  %bits = bitcast <16 x i1> %m to i16
  %z = zext i16 %bits to i32
  %d = udiv i32 %n, %z
  store volatile i32 %d, ptr %divided
  %h = shufflevector <16 x i1> %m, <16 x i1> %m, <8 x i32> <HIGH>
  %hb = bitcast <8 x i1> %h to i8
  store i8 %hb, ptr %high
  ret void
}
""".replace("HIGH", ", ".join(f"i32 {lane}" for lane in range(8, 16)))
LOW_BITS = HALF.replace("icmp slt <16 x i8> %x, zeroinitializer", "trunc <16 x i8> %x to <16 x i1>")
_WIDER = ", ".join(f"i32 {min(i, 16)}" for i in range(32))
HIGH_REGISTER = f"""
define void @f(ptr %bytes, ptr %result) {{
  %there = load <16 x i8>, ptr %bytes, align 1
  %x = call <16 x i8> asm sideeffect "", "={{xmm16}},0"(<16 x i8> %there)
  %m = icmp slt <16 x i8> %x, zeroinitializer
  %wide = shufflevector <16 x i1> %m, <16 x i1> zeroinitializer, <32 x i32> <{_WIDER}>
  %bits = bitcast <32 x i1> %wide to i32
  store i32 %bits, ptr %result
  ret void
}}
"""
SIGNS = np.array([-1, 2, -3, 4, 5, 6, -7, 8, -9, 10, 11, -12, 13, -14, -15, 17], np.int8)


def _bits(on: np.ndarray) -> int:
    return sum(int(lane) << i for i, lane in enumerate(on))


def _halves(on: Callable[[np.ndarray], np.ndarray]) -> Callable[[Arrays], Arrays]:
    def expect(arrays: Arrays) -> Arrays:
        bits = _bits(on(arrays[0]))
        return arrays[0], np.array([arrays[1][0] // bits], np.uint32), np.array([bits >> 8], np.uint8)

    return expect


# ----------------------------------------------------------------------- 157689: what a masked store wrote is loaded

FORWARDED = """
declare <16 x i32> @llvm.masked.load.v16i32.p0(ptr, i32, <16 x i1>, <16 x i32>)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr, i32, <16 x i1>)
define void @f(ptr %bits, ptr %place, ptr %from, ptr %to) {
  %on = load i16, ptr %bits
  %mask = bitcast i16 %on to <16 x i1>
  %x = load <16 x float>, ptr %from, align 4
  %seven = load <16 x i32>, ptr %to, align 4
  call void @llvm.masked.store.v16f32.p0(<16 x float> %x, ptr %place, i32 4, <16 x i1> %mask)
  %y = call <16 x i32> @llvm.masked.load.v16i32.p0(ptr %place, i32 4, <16 x i1> %mask, <16 x i32> %seven)
  store <16 x i32> %y, ptr %to, align 4
  ret void
}
"""
ANOTHER_STORE = FORWARDED.replace("  %y = call", "  store i32 5, ptr %place\n  %y = call")


def _forwarded(first: int | None) -> Callable[[Arrays], Arrays]:
    def expect(arrays: Arrays) -> Arrays:
        bits, place, source, to = arrays
        place = np.where(IS_ON, source.view(np.int32), place)
        if first is not None:
            place[0] = first
        return bits, place, source, np.where(IS_ON, place, to)

    return expect


def _four_rows() -> Arrays:
    rows = [np.arange(start, start + LANES, dtype=np.int32) for start in (1000, 7)]
    return ON, rows[0], np.arange(LANES, dtype=np.float32) / 3, rows[1]


# ------------------------------------------------------------- 145176: a store of a blend becomes a store under a mask

BLENDED = (
    """
define void @f(ptr %bits, ptr %place, ptr %other, ptr %from) {
  %on = load i16, ptr %bits
  %mask = bitcast i16 %on to <16 x i1>
  %x = load <16 x i32>, ptr %from, align 4
  %old = load <16 x i32>, ptr %place, align 4
  store <16 x i32> %x, ptr %other, align 4
  %both = select <16 x i1> %mask, <16 x i32> %x, <16 x i32> %old
  store <16 x i32> %both, ptr %place, align 4
  ret void
}
define void @same(ptr %bits, ptr %place, ptr %from) {
  call void @f(ptr %bits, ptr %place, ptr %place, ptr %from)
  ret void
}
""".replace("@f(", "@g(", 1)
    .replace("call void @f(", "call void @g(")
    .replace("@same(", "@f(")
)


# ---------------------------------------------------- 157929: `vpternlog` with an operand in memory; 214388: blends

OPERATIONS = {
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "andn": lambda x, y: ~x & y,
}


def _logic() -> str:
    """Two operations on three operands, one of them in memory, under a mask that keeps one of them."""
    lines = ["define void @f(ptr %bits, ptr %a.place, ptr %b.place, ptr %c.place, ptr %out) {",
             "  %on = load i16, ptr %bits", "  %mask = bitcast i16 %on to <16 x i1>"]  # fmt: skip
    lines += [f"  %{name} = load volatile <16 x i32>, ptr %{name}.place, align 4" for name in "abc"]
    for number, (first, second, swapped, memory, kept) in enumerate(_choices()):
        operands = dict.fromkeys("abc", "")
        for name in "abc":
            operands[name] = f"%{name}"
        if memory:
            operands[memory] = f"%m{number}"
            lines.append(f"  %m{number} = load <16 x i32>, ptr %{memory}.place, align 4")
        one = _operation(lines, first, operands["a"], operands["b"], f"%x{number}")
        pair = (operands["c"], one) if swapped else (one, operands["c"])
        both = _operation(lines, second, *pair, f"%y{number}")
        lines.append(f"  %z{number} = select <16 x i1> %mask, <16 x i32> {both}, <16 x i32> %{kept}")
        lines.append(f"  %o{number} = getelementptr i8, ptr %out, i64 {64 * number}")
        lines.append(f"  store <16 x i32> %z{number}, ptr %o{number}, align 4")
    return "\n".join([*lines, "  ret void", "}"])


def _choices() -> Iterator[tuple[str, str, bool, str, str]]:
    for first in OPERATIONS:
        for second in OPERATIONS:
            for swapped in (False, True):
                yield from ((first, second, swapped, memory, kept) for memory in ("", "a", "b", "c") for kept in "abc")


def _operation(lines: list[str], name: str, x: str, y: str, result: str) -> str:
    if name == "andn":
        lines.append(f"  {result}.not = xor <16 x i32> {x}, splat (i32 -1)")
        name, x = "and", f"{result}.not"
    lines.append(f"  {result} = {name} <16 x i32> {x}, {y}")
    return result


def _logic_result(arrays: Arrays) -> Arrays:
    bits, a, b, c, _ = arrays
    rows = []
    for first, second, swapped, _, kept in _choices():
        one = OPERATIONS[first](a, b)
        both = OPERATIONS[second](*((c, one) if swapped else (one, c)))
        rows.append(np.where(IS_ON, both, {"a": a, "b": b, "c": c}[kept]))
    return bits, a, b, c, np.concatenate(rows).astype(np.int32)


def _operands() -> Arrays:
    rng = np.random.default_rng(1)
    count = len(list(_choices()))
    numbers = [rng.integers(-(2**31), 2**31, LANES, dtype=np.int32) for _ in range(3)]
    return ON, *numbers, np.zeros(count * LANES, np.int32)


BLEND_OF_CONSTANTS = """
define void @f(ptr %from, ptr %to) {
  %x = load i32, ptr %from
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %sub = sub <4 x i32> <i32 20, i32 poison, i32 poison, i32 poison>, %all
  %xor = xor <4 x i32> %all, <i32 poison, i32 4, i32 8, i32 12>
  %both = shufflevector <4 x i32> %sub, <4 x i32> %xor, <4 x i32> <i32 0, i32 5, i32 6, i32 7>
  store <4 x i32> %both, ptr %to, align 4
  ret void
}
"""


def _blend_of_constants(arrays: Arrays) -> Arrays:
    x = int(arrays[0][0])
    return arrays[0], np.array([20 - x, x ^ 4, x ^ 8, x ^ 12], np.int32)


# ----------------------------------------------------------------------- 129141: a load that overlaps a store in a loop

OVERLAPPING = """
define void @f(ptr %p, ptr %sizes) {
entry:
  %source = load i64, ptr %sizes
  %second = getelementptr i64, ptr %sizes, i64 1
  %target = load i64, ptr %second
  %from = getelementptr i8, ptr %p, i64 %source
  br label %first
first:
  %length = phi i64 [ 0, %entry ], [ %longer, %next ]
  %end = add i64 %target, %length
  %apart = sub i64 %end, %source
  %near = icmp slt i64 %apart, 8
  br i1 %near, label %next, label %then
next:
  %value = load i64, ptr %from, align 1
  %to = getelementptr i8, ptr %p, i64 %end
  store i64 %value, ptr %to, align 1
  %longer = add i64 %length, %apart
  br label %first
then:
  %last = load i64, ptr %from, align 1
  %beyond = getelementptr i8, ptr %p, i64 %end
  store i64 %last, ptr %beyond, align 1
  ret void
}
"""


def _overlapping(arrays: Arrays) -> Arrays:
    data, sizes = arrays
    source, target, length = int(sizes[0]), int(sizes[1]), 0
    while target + length - source < 8:
        apart = target + length - source
        data[target + length : target + length + 8] = data[source : source + 8].copy()
        length += apart
    data[target + length : target + length + 8] = data[source : source + 8].copy()
    return data, sizes


FAULTS = (
    Fault(215453, "a masked load is moved to its blend, behind a store", SWAP, _two_rows, _swapped, _swap),
    Fault(215453, "the same on a CPU without mask registers", SWAP, _two_rows, _swapped, _swap, AVX2),
    Fault(215453, "the same of a gather", _gathered_swap("gather"), _two_rows, _swapped),
    Fault(215453, "the same of a gather by an instruction", _gathered_swap("instruction"), _two_rows, _swapped),
    Fault(
        198197, "a mask of signs whose register is also written is not made", HALF,
        lambda: (SIGNS, np.array([10**6], np.uint32), np.zeros(1, np.uint8)), _halves(lambda x: x < 0),
    ),
    Fault(
        198197, "the same for the lowest bits", LOW_BITS,
        lambda: (SIGNS, np.array([10**6], np.uint32), np.zeros(1, np.uint8)), _halves(lambda x: x & 1 != 0),
    ),
    Fault(
        191304, "signs in one of the upper registers are read from a lower one", HIGH_REGISTER,
        lambda: (SIGNS, np.full(1, 9, np.uint32)), lambda a: (a[0], np.array([_bits(a[0] < 0)], np.uint32)),
    ),
    Fault(157689, "what a masked store wrote is loaded as another type", FORWARDED, _four_rows, _forwarded(None)),
    Fault(157689, "the same with another store between", ANOTHER_STORE, _four_rows, _forwarded(5)),
    Fault(
        145176, "a blend with what was there is stored, and another store lies between", BLENDED,
        lambda: (ON, np.arange(LANES, dtype=np.int32), np.arange(50, 50 + LANES, dtype=np.int32)),
        lambda a: (a[0], np.where(IS_ON, a[2], a[1]), a[2]),
    ),
    Fault(157929, "logic of three operands, one in memory, under a mask", _logic(), _operands, _logic_result),
    Fault(
        214388, "a blend of vectors in which some lanes are open", BLEND_OF_CONSTANTS,
        lambda: (np.array([77], np.int32), np.zeros(4, np.int32)), _blend_of_constants, target=AVX2,
    ),
    Fault(
        129141, "a load in a loop whose store overlaps it", OVERLAPPING,
        lambda: (np.arange(64, dtype=np.uint8), np.array([16, 17], np.int64)), _overlapping, target=AVX2,
    ),
)  # fmt: skip
