"""How x86 says what LLVM's portable IR has no words for: the names of its intrinsics, and two pieces of assembly.

Nothing else knows these names. The functions are those of `instructions.Instructions`, which says what they mean;
each works on sixteen lanes, or on as many doubles as a register holds, unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ..target import LANES, Target
from . import mask as masks
from .builder import F32, F64, I1, I8, I32, I64, const, declare, element, in_parts, lanes, undefined
from .values import I32_LANES, PTR

GATHER = "llvm.x86.avx512.mask.gather.dp"  # and the kind of element
SCATTER = "llvm.x86.avx512.mask.scatter.dp"
_CURRENT_ROUNDING = ir.Constant(I32, 4)


# ------------------------------------------------------------------------------------------- lanes


def compress(b: ir.IRBuilder, values: ir.Value, on: ir.Value) -> ir.Value:
    function = declare(b.module, "llvm.x86.avx512.mask.compress.v16i32", I32_LANES, _MOVED)
    return b.call(function, [values, const(I32_LANES, 0), on])


def expand(b: ir.IRBuilder, values: ir.Value, on: ir.Value, name: str = "") -> ir.Value:
    function = declare(b.module, "llvm.x86.avx512.mask.expand.v16i32", I32_LANES, _MOVED)
    return b.call(function, [values, const(I32_LANES, 0), on], name=name)


_MOVED = [I32_LANES, I32_LANES, masks.lane_bits(LANES)]


def permute(b: ir.IRBuilder, registers: Sequence[ir.Value], places: ir.Value) -> ir.Value:
    if len(registers) == 1:
        function = declare(b.module, "llvm.x86.avx512.permvar.si.512", I32_LANES, [I32_LANES, I32_LANES])
        return b.call(function, [registers[0], places])
    first, second = registers
    function = declare(b.module, "llvm.x86.avx512.vpermi2var.d.512", I32_LANES, [I32_LANES, I32_LANES, I32_LANES])
    return b.call(function, [first, places, second])


def conflicts(b: ir.IRBuilder, values: ir.Value, name: str = "") -> ir.Value:
    function = declare(b.module, "llvm.x86.avx512.conflict.d.512", I32_LANES, [I32_LANES])
    return b.call(function, [values], name=name)


def deposit(b: ir.IRBuilder, bits: ir.Value, pattern: ir.Value) -> ir.Value:
    return b.call(declare(b.module, "llvm.x86.bmi.pdep.64", I64, [I64, I64]), [bits, pattern])


# ------------------------------------------------------------------------------------------- memory


def gather(
    b: ir.IRBuilder, kind: ir.VectorType, base: ir.Value, offsets: ir.Value, on: ir.Value, scale: int
) -> ir.Value:
    types = [kind, PTR, offsets.type, on.type, I32]
    function = declare(b.module, f"{GATHER}{_letter(kind)}.512", kind, types)
    return b.call(function, [const(kind, 0), base, offsets, on, ir.Constant(I32, scale)])


def scatter(b: ir.IRBuilder, base: ir.Value, offsets: ir.Value, values: ir.Value, on: ir.Value, scale: int) -> None:
    types = [PTR, on.type, offsets.type, values.type, I32]
    function = declare(b.module, f"{SCATTER}{_letter(values.type)}.512", ir.VoidType(), types)
    b.call(function, [base, on, offsets, values, ir.Constant(I32, scale)])


def _letter(kind: ir.Type) -> str:
    """How the names of gathers and scatters spell an element: an integer of 32 or 64 bits, a float or a double."""
    held = element(kind)
    if isinstance(held, ir.IntType):
        return {32: "i", 64: "q"}[held.width]
    return "s" if held == F32 else "d"


def lookup(b: ir.IRBuilder, table: ir.Value, index: ir.Value, target: Target) -> ir.Value:
    width = 8 if target.gathers else 4
    vector, indices = ir.VectorType(F64, width), ir.VectorType(I32, width)
    if target.gathers:
        on = const(ir.VectorType(I1, width), 1)
        return in_parts(b, width, lambda part: gather(b, vector, table, part, on, 8), index)
    on = const(vector, -1.0)  # the lane's sign bit says that it is on
    function = declare(b.module, "llvm.x86.avx2.gather.d.pd.256", vector, [vector, PTR, indices, vector, I8])
    zero, scale = ir.Constant(vector, None), ir.Constant(I8, 8)
    return in_parts(b, width, lambda part: b.call(function, [zero, table, part, on, scale]), index)


# ------------------------------------------------------------------------------------------- floating point


def _masked(
    b: ir.IRBuilder, name: str, *values: ir.Value, options: Sequence[ir.Constant] = (), rounding: bool = True
) -> ir.Value:
    """Call `llvm.x86.avx512.NAME.ps.512` with all lanes on.

    Its arguments are the operands, the options, the value for lanes that are off, the mask and the rounding.
    """
    single = element(values[0].type) == F32
    width = 16 if single else 8
    vector, mask_type = ir.VectorType(element(values[0].type), width), ir.IntType(width)
    tail = [const(mask_type, -1), *([_CURRENT_ROUNDING] if rounding else [])]

    def part(*operands: ir.Value) -> ir.Value:
        args = [*operands, *options, operands[0], *tail]
        name_of_type = f"llvm.x86.avx512.{name}.p{'s' if single else 'd'}.512"
        return b.call(declare(b.module, name_of_type, vector, [arg.type for arg in args]), args)

    return in_parts(b, width, part, *values)


def scalef(b: ir.IRBuilder, x: ir.Value, power: ir.Value) -> ir.Value:
    return _masked(b, "mask.scalef", x, power)


def getexp(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    return _masked(b, "mask.getexp", x)


def getmant(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    interval, nan_if_negative = 3, 2 << 2
    return _masked(b, "mask.getmant", x, options=[ir.Constant(I32, interval | nan_if_negative)])


def significand(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    interval, without_sign = 0, 1 << 2
    return _masked(b, "mask.getmant", x, options=[ir.Constant(I32, interval | without_sign)])


def fraction_around_nearest(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    to_nearest = 0
    return _masked(b, "mask.reduce", x, options=[ir.Constant(I32, to_nearest)])


def nearer_zero(b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    smaller_magnitude, sign_of_first = 2, 0
    return _masked(b, "mask.range", x, y, options=[ir.Constant(I32, smaller_magnitude | sign_of_first)])


def fraction_above_floor(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    towards_minus_infinity = 1
    return _masked(b, "mask.reduce", x, options=[ir.Constant(I32, towards_minus_infinity)])


def minimum(b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    return _range(b, x, y, 0)


def maximum(b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    return _range(b, x, y, 1)


def _range(b: ir.IRBuilder, x: ir.Value, y: ir.Value, which: int) -> ir.Value:
    sign_of_result = 1 << 2
    option = ir.Constant(I32, which | sign_of_result)
    if lanes(x):
        return _masked(b, "mask.range", x, y, options=[option])
    name, count = ("ss", 4) if x.type == F32 else ("sd", 2)
    vector, low = ir.VectorType(x.type, count), ir.Constant(I32, 0)
    left, right = (b.insert_element(undefined(vector), value, low) for value in (x, y))
    args = [left, right, left, ir.Constant(I8, 1), option, _CURRENT_ROUNDING]
    function = declare(b.module, f"llvm.x86.avx512.mask.range.{name}", vector, [arg.type for arg in args])
    return b.extract_element(b.call(function, args), low)


def inverse_estimate(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    return _masked(b, "rcp14", x, rounding=False)


def inverse_root_estimate(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    return _masked(b, "rsqrt14", x, rounding=False)


# For each class of the source, what the result is: 0 for what it was, 1 for the source. From the lowest four bits on
# the classes are quiet and signalling NaN, 0, 1, -infinity, infinity, other negative numbers, other positive ones.
_SOURCE_IF_ZERO_OR_INFINITE = 0x00110100


def refined(b: ir.IRBuilder, better: ir.Value, estimate: ir.Value) -> ir.Value:
    vector, table = ir.VectorType(F32, LANES), const(I32_LANES, _SOURCE_IF_ZERO_OR_INFINITE)
    tail = [table, ir.Constant(I32, 0), const(ir.IntType(LANES), -1), _CURRENT_ROUNDING]
    types = [vector, vector, *(arg.type for arg in tail)]
    function = declare(b.module, "llvm.x86.avx512.mask.fixupimm.ps.512", vector, types)
    return in_parts(b, LANES, lambda *parts: b.call(function, [*parts, *tail]), better, estimate)


# ------------------------------------------------------------------------------------------- rounding

# How the instructions number the directions.
_DIRECTIONS = {"rd": 1, "ru": 2, "rz": 3}
_NO_EXCEPTIONS = 8


def rounded(b: ir.IRBuilder, op: str, direction: str, args: Sequence[ir.Value], target: Target) -> ir.Value:
    kind = element(args[0].type)
    count = (64 if target.float_parts else 32) // (4 if kind == F32 else 8)
    emit = _rounded_by_instruction if target.float_parts else _rounded_by_mode
    if lanes(args[0]):
        return in_parts(b, count, lambda *parts: emit(b, op, direction, parts), *args)
    first, none = ir.Constant(I32, 0), const(ir.VectorType(kind, count), 1.0)
    parts = [b.insert_element(none, arg, first) for arg in args]
    return b.extract_element(emit(b, op, direction, parts), first)


def whole(b: ir.IRBuilder, value: ir.Value, to: ir.Type, signed: bool, rounding: str, target: Target) -> ir.Value:
    source = element(value.type)
    form = "ps" if source == F32 else "pd"
    if not target.float_parts:
        count = 256 // (32 if source == F32 else 64)
        vector, result = ir.VectorType(source, count), ir.VectorType(to, count)
        function = declare(b.module, f"llvm.x86.avx.cvtt.{form}2dq.256", result, [vector])
        return in_parts(b, count, lambda part: b.call(function, [part]), value)
    count = 16 if source == F32 and to == I32 else 8
    vector, result = ir.VectorType(source, count), ir.VectorType(to, count)
    name = f"cvt{'t' if rounding == 'rz' else ''}{form}2{'' if signed else 'u'}{'dq' if to == I32 else 'qq'}"
    mode = _CURRENT_ROUNDING
    if rounding in ("rd", "ru"):
        mode = ir.Constant(I32, _NO_EXCEPTIONS | _DIRECTIONS[rounding])
    tail = [const(result, 0), const(ir.IntType(count), -1), mode]
    types = [vector, *(arg.type for arg in tail)]
    function = declare(b.module, f"llvm.x86.avx512.mask.{name}.512", result, types)
    return in_parts(b, count, lambda part: b.call(function, [part, *tail]), value)


def _rounded_by_instruction(b: ir.IRBuilder, op: str, direction: str, args: Sequence[ir.Value]) -> ir.Value:
    kind = args[0].type
    name = f"llvm.x86.avx512.{'vfmadd' if op == 'fma' else op}.{'ps' if element(kind) == F32 else 'pd'}.512"
    function = declare(b.module, name, kind, [*(arg.type for arg in args), I32])
    return b.call(
        function, [*args, ir.Constant(I32, _NO_EXCEPTIONS | _DIRECTIONS[direction])], name=f"{op}.{direction}"
    )


def _rounded_by_mode(b: ir.IRBuilder, op: str, direction: str, args: Sequence[ir.Value]) -> ir.Value:
    """Set the direction for one instruction. LLVM may have put something into the 128 bytes below the stack's top."""
    kind = args[0].type
    form = "ps" if element(kind) == F32 else "pd"
    compute = {
        "sqrt": f"vsqrt{form} $1, $0",
        "fma": f"vmovaps $1, $0\nvfmadd213{form} $3, $2, $0",
    }.get(op, f"v{op}{form} $2, $1, $0")
    code = f"""leaq -136(%rsp), %rsp
stmxcsr (%rsp)
movl (%rsp), %eax
andl $$-24577, %eax
orl $${_DIRECTIONS[direction] << 13}, %eax
movl %eax, 4(%rsp)
ldmxcsr 4(%rsp)
{compute}
ldmxcsr (%rsp)
leaq 136(%rsp), %rsp"""
    constraints = f"=&x,{'x,' * len(args)}~{{eax}},~{{flags}}"
    return b.asm(ir.FunctionType(kind, [arg.type for arg in args]), code, constraints, list(args), False)


# ------------------------------------------------------------------------------------------- gangs take turns

# A context is {rsp, rip, rbp, gang}, as runtime/include/s2s.h declares it. The following gang nearly always waits at
# the same place. This is tested, as CPUs predict a branch more cheaply than the target of an indirect jump.
_RESUME = ["mov ({next}), %rsp", "mov 16({next}), %rbp", "jmp *8({next})"]
_SWITCH = ["lea 1f(%rip), %rax", "mov %rsp, ($2)", "mov %rax, 8($2)", "mov %rbp, 16($2)"]
_SWITCH += ["cmp %rax, 8($3)", "mov ($3), %rsp", "mov 16($3), %rbp", "je 1f", "jmp *8($3)", ".p2align 4", "1:"]
_LEAVE = [line.format(next="%rsi") for line in _RESUME]
_GENERAL = ["rax", "rbx", "rcx", "rdx", *(f"r{i}" for i in range(8, 16))]


def switch(b: ir.IRBuilder, own: ir.Value, following: ir.Value, target: Target) -> ir.Value:
    pair = ir.LiteralStructType([PTR, PTR])
    constraints = ",".join(["={di}", "={si}", "0", "1", *(f"~{{{name}}}" for name in _clobbered(target))])
    code = ir.InlineAsm(ir.FunctionType(pair, [PTR, PTR]), "\\0A".join(_SWITCH), constraints, side_effect=True)
    return b.extract_value(b.call(code, [own, following]), 1)


def _clobbered(target: Target) -> list[str]:
    vectors = [f"zmm{i}" for i in range(32)] if target.register_bits == 512 else [f"ymm{i}" for i in range(16)]
    mask_registers = [f"k{i}" for i in range(8)] if target.mask_registers else []
    return [*_GENERAL, *vectors, *mask_registers, "memory", "dirflag", "fpsr", "flags"]


def resume(b: ir.IRBuilder, context: ir.Value) -> None:
    type_ = ir.FunctionType(ir.VoidType(), [PTR])
    b.call(ir.InlineAsm(type_, "\\0A".join(_LEAVE), "{si},~{memory}", side_effect=True), [context])
