"""What PTX instructions mean: each becomes the nodes that CUDA-C would become.

`Instructions.statements` finds an instruction's method by the first word of its opcode. What the methods do not take is
refused by its name. Source: "Parallel Thread Execution ISA", chapter "Instruction Set".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....lang.builtins import ADDRESS_FUNCTIONS, ARRIVES, BUILTINS, OF_WARPS, Builtin
from ....lang.ctype import BOOL, FLOAT, INT, LONGLONG, UINT, ULONGLONG, VOID, Pointer, Scalar, is_float
from ....source import Span
from ....tree.nodes import Binary, BinaryOp, Comparison, Convert, Deref, Expr, Load, Logical, PointerAdd, Return, Stmt
from ....tree.rewrite import copied
from ...parse.ptx_text import Instruction, PtxFault
from .arithmetic import Arithmetic
from .async_copies import AsyncCopies
from .bits import Bits
from .matrices import Matrices
from .registers import CACHE_LEVELS, CACHED, SHARED, TYPES, UNSIGNED, canonical, is_shared, is_volatile, listed
from .short_arithmetic import ShortArithmetic
from .warps import Warps
from .wide_registers import WideRegisters

_COMPARISONS: dict[str, Comparison] = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">=",
}  # fmt: skip
_UNORDERED = {"equ": "ne", "neu": "eq", "ltu": "ge", "leu": "gt", "gtu": "le", "geu": "lt"}  # each with its contrary
_BITWISE: dict[str, BinaryOp] = {"and": "&", "or": "|", "xor": "^"}
_ATOMICS = {
    "add": "atomicAdd", "exch": "atomicExch", "min": "atomicMin", "max": "atomicMax", "inc": "atomicInc",
    "dec": "atomicDec", "cas": "atomicCAS", "and": "atomicAnd", "or": "atomicOr", "xor": "atomicXor",
}  # fmt: skip
# What takes subnormal numbers of 32 bits as zeros, and gives zeros instead, with `.ftz`.
_FLUSHING = frozenset(
    "add sub mul fma mad div rcp sqrt rsqrt ex2 lg2 sin cos min max abs neg setp set slct cvt".split()
)
# What is refused by its name, and the nearest that works.
_REFUSED = {
    "wgmma": "'mma.sync' works, with 'ldmatrix'",
    "tcgen05": "'mma.sync' works, with 'ldmatrix'",
    "wmma": "'mma.sync' works, and nvcuda::wmma of <mma.h>",
    "mma.sp": "'mma.sync' of matrices that are not sparse works",
    "mma.sync": "the language's page lists the sizes and types of 'mma.sync'",
    "cp.async.bulk": "'cp.async' works: each thread copies 4, 8 or 16 bytes",
    "cp.reduce": "'cp.async' works, and 'red' of what it has copied",
}
_LESS_AND_MORE: tuple[Comparison, Comparison] = ("<", ">")


class Instructions(Bits):
    """Translates instructions, those of families by their own classes, which have the same registers.

    `in_kernel`: the statement is in a kernel, not in a function that it calls.
    """

    in_kernel = False

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.shorts = ShortArithmetic(self.span, self.scopes, self.numbers)
        self.wide = WideRegisters(self.span, self.scopes, self.numbers)
        families = (kind(self.span, self.scopes, self.numbers) for kind in (Matrices, Warps, AsyncCopies))
        self.families: tuple[Arithmetic, ...] = (self, self.shorts, *families)

    def statements(self, node: Instruction) -> list[Stmt]:
        """Return what an instruction does. Raises `PtxFault`."""
        methods = (getattr(one, f"do_{node.words[0]}", None) for one in self.families)
        method = next((found for found in methods if found is not None), None)
        plain = node
        flushes = "ftz" in node.words and node.words[0] in _FLUSHING and "f32" in node.words[-2:]
        for one in self.families:
            one.flushes = flushes
        if flushes:
            plain = replace(node, words=tuple(word for word in node.words if word != "ftz"))
        made: list[Stmt] | None = self.wide.of_wide(node) or self.shorts.of_shorts(node) or self.rounded(plain)
        if made is None and method is not None:
            made = method(plain)
        if made is None:
            family = next((name for name in _REFUSED if node.opcode.startswith(name)), "")
            raise PtxFault(f"the PTX instruction '{node.opcode}' is not supported", _REFUSED.get(family))
        cond = self.guarding(node)
        return made if cond is None else [self.build.when(cond, made)]

    def guarding(self, node: Instruction) -> Expr | None:
        """Return what must hold so that an instruction is done."""
        if node.guard is None:
            return None
        name, negated = node.guard
        cond = self.value(name, BOOL)
        return self.build.negate(cond) if negated else cond

    # --------------------------------------------------------------------------------------------- comparisons

    def compared(self, word: str, ctype: Scalar, left: Expr, right: Expr) -> Expr | None:
        if word in ("num", "nan") and is_float(ctype):
            name = "isnan"
            either = Logical(self.span, BOOL, "||", self.call(name, left), self.call(name, right))
            return self.build.negate(either) if word == "num" else either
        if word in _UNORDERED and is_float(ctype):
            return self.build.negate(Binary(self.span, BOOL, _COMPARISONS[_UNORDERED[word]], left, right))
        if word == "ne" and is_float(ctype):  # false where one is no number
            less, more = (Binary(self.span, BOOL, op, *map(copied, (left, right))) for op in _LESS_AND_MORE)
            return Logical(self.span, BOOL, "||", less, more)
        if word not in _COMPARISONS:
            return None
        return Binary(self.span, BOOL, _COMPARISONS[word], self.promoted(left), self.promoted(right))

    def do_setp(self, node: Instruction) -> list[Stmt] | None:
        made = self.comparison(node)
        if made is None:
            return None
        target, _, contrary = node.operands[0].partition("|")
        if not contrary:
            return [self.assign(target.strip(), made)]
        if len(node.operands) > 3:  # the contrary is that of the comparison alone
            return None
        holds, statement = self.kept("holds", made)
        first = self.assign(target.strip(), self.build.read(holds))
        return [statement, first, self.assign(contrary.strip(), self.build.negate(self.build.read(holds)))]

    def comparison(self, node: Instruction) -> Expr | None:
        """`setp.lt.and.s32 p, a, b, q`"""
        ctype = TYPES.get(node.words[-1])
        if ctype is None or len(node.words) < 3 or len(node.operands) not in (3, 4):
            return None
        left, right = (self.value(operand, ctype) for operand in node.operands[1:3])
        made = self.compared(node.words[1], ctype, left, right)
        combining = node.words[2:-1]
        if made is None or len(combining) != len(node.operands) - 3:
            return made if made is None else None
        if combining:
            if combining[0] not in _BITWISE:
                return None
            with_, b = node.operands[3], self.build
            other = self.value(with_.removeprefix("!"), BOOL)
            other = b.negate(other) if with_.startswith("!") else other
            bits = b.binary(b.convert(INT, made), _BITWISE[combining[0]], b.convert(INT, other))
            made = b.convert(BOOL, bits)
        return made

    def do_set(self, node: Instruction) -> list[Stmt] | None:
        if len(node.words) != 4 or node.words[2] not in ("u32", "s32", "f32"):
            return None
        made = self.comparison(Instruction(("setp", node.words[1], node.words[3]), node.operands))
        if made is None:
            return None
        b = self.build
        if node.words[2] == "f32":
            return self.result(node, b.choose(made, b.number(FLOAT, 1.0), b.number(FLOAT, 0.0)))
        return self.result(node, b.choose(made, b.number(UINT, 0xFFFFFFFF), b.number(UINT, 0)))

    def do_selp(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 4)
        if ctype is None or node.words[1:-1]:
            return None
        then, other = (self.value(operand, ctype) for operand in node.operands[1:3])
        return self.result(node, self.build.choose(self.value(node.operands[3], BOOL), then, other))

    def do_slct(self, node: Instruction) -> list[Stmt] | None:
        ctype, tested = (TYPES.get(word) for word in node.words[-2:]) if len(node.words) == 3 else (None, None)
        if ctype is None or tested not in (INT, FLOAT) or len(node.operands) != 4:
            return None
        assert tested is not None
        then, other = (self.value(operand, ctype) for operand in node.operands[1:3])
        zero = self.build.number(tested, 0 if tested == INT else 0.0)
        return self.result(
            node, self.build.choose(self.build.binary(self.value(node.operands[3], tested), ">=", zero), then, other)
        )

    # ----------------------------------------------------------------------------------- moves and conversions

    def do_mov(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 2)
        if ctype is None or node.words[1:-1]:
            return None
        target, source = node.operands
        if source.startswith("{"):
            return self.packed(target, source, ctype)
        if target.startswith("{"):
            return self.unpacked(target, source, ctype)
        return [self.assign(target, self.value(source, ctype))]

    def packed(self, target: str, source: str, ctype: Scalar) -> list[Stmt] | None:
        """`mov.b64 d, {low, high};`"""
        names = listed(source)
        whole, b = canonical(ctype), self.build
        if len(names) not in (2, 4) or ctype.size // len(names) not in UNSIGNED or is_float(ctype):
            return None
        part = UNSIGNED[ctype.size // len(names)]
        made: Expr | None = None
        for i, name in enumerate(names):
            moved = b.binary(b.convert(whole, self.value(name, part)), "<<", b.number(INT, i * part.bits))
            made = moved if made is None else b.binary(made, "|", moved)
        assert made is not None
        return [self.assign(target, made)]

    def unpacked(self, target: str, source: str, ctype: Scalar) -> list[Stmt] | None:
        """`mov.b64 {low, high}, a;`"""
        names = listed(target)
        if len(names) not in (2, 4) or ctype.size // len(names) not in UNSIGNED or is_float(ctype):
            return None
        b, part = self.build, UNSIGNED[ctype.size // len(names)]
        whole = self.variable("whole", canonical(ctype))
        made: list[Stmt] = [b.declare(whole, self.value(source, canonical(ctype)))]
        for i, name in enumerate(names):
            moved = b.binary(b.read(whole), ">>", b.number(INT, i * part.bits))
            made.append(self.assign(name, b.convert(part, moved)))
        return made

    def do_cvta(self, node: Instruction) -> list[Stmt] | None:
        """Shared memory has addresses of its own, all other memory has one kind of address."""
        spaces = {"to", "global", "local", "const", "param", *SHARED}
        words, ctype = self.modifiers(node, *spaces), self.operand_type(node, 2)
        if words is None or ctype not in (UINT, ULONGLONG) or (ctype == UINT and not is_shared(words)):
            return None
        value = self.value(node.operands[1], ctype)
        if is_shared(words):
            value = self.to_shared(value) if "to" in words else self.from_shared(value)
        return self.result(node, value)

    # -------------------------------------------------------------------------------------------------- memory

    def access(self, node: Instruction) -> tuple[Scalar, int, set[str]] | None:
        """Return the type and the length of what a load or store accesses, and its modifiers."""
        ctype = TYPES.get(node.words[-1])
        words = [word for word in node.words[1:-1] if not word.startswith(CACHE_LEVELS)]
        count = next((int(word[1:]) for word in words if word in ("v2", "v4")), 1)
        modifiers = {word for word in words if word not in ("v2", "v4")}
        hinted = "L2::cache_hint" in node.words
        known = modifiers <= CACHED and ctype not in (None, BOOL) and len(node.operands) == 2 + hinted
        return (ctype, count, modifiers) if known and ctype is not None else None

    def do_ld(self, node: Instruction) -> list[Stmt] | None:
        access = self.access(node)
        if access is None:
            return None
        ctype, count, modifiers = access
        targets = listed(node.operands[0])
        if len(targets) != count:
            return None
        start, places = self.places(node.operands[1], ctype, count, modifiers, const=True)
        found = [self.variable("loaded", ctype) for _ in targets]
        made: list[Stmt] = [start]
        for variable, place in zip(found, places, strict=True):
            made.append(self.build.declare(variable, Load(self.span, ctype, place)))
        made += self.fence() if "acquire" in modifiers else []
        return [*made, *(self.assign(t, self.build.read(v)) for t, v in zip(targets, found, strict=True))]

    def places(
        self, address: str, ctype: Scalar, count: int, modifiers: set[str], *, const: bool
    ) -> tuple[Stmt, list[Deref]]:
        """Return the declaration of a pointer, and the objects that lie there."""
        b, volatile = self.build, is_volatile(modifiers)
        pointer = self.variable("address", Pointer(ctype, const, volatile))
        where = self.address(address, ctype, volatile=volatile, const=const, shared=is_shared(modifiers))
        declared = b.declare(pointer, where)
        at = (PointerAdd(self.span, pointer.type, b.read(pointer), b.number(INT, i)) for i in range(count))
        return declared, [Deref(self.span, ctype, element) for element in at]

    def do_st(self, node: Instruction) -> list[Stmt] | None:
        access = self.access(node)
        if access is None:
            return None
        ctype, count, modifiers = access
        sources = listed(node.operands[1])
        if len(sources) != count:
            return None
        start, places = self.places(node.operands[0], ctype, count, modifiers, const=False)
        made: list[Stmt] = [*(self.fence() if "release" in modifiers else []), start]
        for place, source in zip(places, sources, strict=True):
            made.append(self.build.assign(place, self.value(source, ctype)))
        return made

    def fence(self) -> list[Stmt]:
        return [self.build.evaluate(self.call("__threadfence"))]

    def do_membar(self, node: Instruction) -> list[Stmt] | None:
        allowed = ("cta", "cluster", "gl", "gpu", "sys", "sc", "acq_rel", "acquire", "release")
        proxies = ("proxy", "async", "alias", "mbarrier_init", "async::generic", "global", *SHARED)
        return self.fence() if not node.operands and set(node.words[1:]) <= {*allowed, *proxies} else None

    do_fence = do_membar

    def do_bar(self, node: Instruction) -> list[Stmt] | None:
        """`bar.sync a, b`, `bar.arrive a, b` and `bar.red.and.pred p, a, b, q`, where b may be missing."""
        words = [word for word in node.words[1:] if word not in ("cta", "aligned")]
        aligned = node.words[0] == "bar" or "aligned" in node.words
        match words:
            case ["warp", "sync"] if len(node.operands) == 1:
                return [self.build.evaluate(self.call("__syncwarp", self.value(node.operands[0], UINT)))]
            case ["sync"] if len(node.operands) in (1, 2):
                if node.operands == ("0",):
                    return [self.build.evaluate(self.call("__syncthreads"))]
                return [self.build.evaluate(self.meet(node.operands, 0, aligned))]
            case ["arrive"] if len(node.operands) == 2:
                return [self.build.evaluate(self.meet(node.operands, ARRIVES, aligned))]
            case ["red", "popc", "u32"] | ["red", "and" | "or", "pred"] if len(node.operands) in (3, 4):
                return self.result(node, self.counted_votes(words[1], node.operands[1:], aligned))
        return None

    def counted_votes(self, word: str, operands: Sequence[str], aligned: bool) -> Expr:
        """Return what `bar.red` returns of the votes of all threads that meet."""
        b, (*where, vote) = self.build, operands
        yes = self.value(vote.removeprefix("!"), BOOL)
        if vote.startswith("!") != (word == "and"):  # all say yes where none says no
            yes = b.negate(yes)
        votes = self.meet(where, 0, aligned, b.convert(UINT, yes))
        if word == "popc":
            return votes
        return Binary(self.span, BOOL, "==" if word == "and" else "!=", votes, b.number(UINT, 0))

    def meet(self, operands: Sequence[str], action: int, aligned: bool, vote: Expr | None = None) -> Expr:
        """Return the call of a named barrier."""
        b = self.build
        number, *count = (self.value(operand, UINT) for operand in operands)
        threads = count[0] if count else b.number(UINT, 0)
        how = b.number(UINT, action | (OF_WARPS if aligned else 0))
        return self.call("__s2s_barrier", number, threads, how, vote or b.number(UINT, 0))

    do_barrier = do_bar

    def do_atom(self, node: Instruction) -> list[Stmt] | None:
        called = self.atomic(node, node.operands[1:])
        return None if called is None else self.result(node, called)

    def do_red(self, node: Instruction) -> list[Stmt] | None:
        called = self.atomic(node, node.operands)
        return None if called is None else [self.build.evaluate(called)]

    def atomic(self, node: Instruction, operands: Sequence[str]) -> Expr | None:
        allowed = {"relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys", "global", *SHARED}
        names = [word for word in node.words[1:-1] if word not in allowed]
        ctype = TYPES.get(node.words[-1])
        if len(names) != 1 or names[0] not in _ATOMICS or ctype is None or len(operands) < 2:
            return None
        name = _ATOMICS[names[0]]
        row = next((row for row in _rows(name) if row.params[1] == ctype), None)
        if row is None and ctype == LONGLONG:  # adding is the same with and without signs
            row = next((row for row in _rows(name) if names[0] == "add" and row.params[1] == ULONGLONG), None)
        if row is None or len(operands) != len(row.params):
            return None
        target, wanted = row.params[0], row.params[1]
        assert isinstance(target, Pointer) and isinstance(wanted, Scalar)
        shared = is_shared(node.words)
        where = self.address(operands[0], target.target, volatile=False, const=False, shared=shared)
        return self.build.call_builtin(row, where, *(self.value(operand, wanted) for operand in operands[1:]))

    # -------------------------------------------------------------------------------------------------- others

    def do_isspacep(self, node: Instruction) -> list[Stmt] | None:
        """`isspacep.shared p, a;`"""
        space = node.words[-1].removesuffix("::cta").removesuffix("::cluster")  # a cluster is one block
        functions = {"global": "__isGlobal", "shared": "__isShared", "const": "__isConstant", "local": "__isLocal"}
        if len(node.words) != 2 or len(node.operands) != 2 or space not in functions:
            return None
        address = self.value(node.operands[1], ULONGLONG)
        pointer = Convert(self.span, Pointer(VOID, const=True), address, explicit=True)
        return self.result(node, self.build.call_builtin(ADDRESS_FUNCTIONS[functions[space]], pointer))

    def do_getctarank(self, node: Instruction) -> list[Stmt] | None:
        """`getctarank.shared::cluster.u32 d, a;`: a cluster is one block."""
        known = node.words[1:-1] in (("shared::cluster",), ()) and node.words[-1] in ("u32", "u64")
        return self.result(node, self.build.number(UINT, 0)) if known and len(node.operands) == 2 else None

    def do_createpolicy(self, node: Instruction) -> list[Stmt] | None:
        """How caches keep data, which they decide by themselves here."""
        return self.result(node, self.build.number(ULONGLONG, 0)) if node.words[-1] == "b64" else None

    def do_griddepcontrol(self, node: Instruction) -> list[Stmt] | None:
        """A grid begins when those before it in its stream have ended."""
        return [] if node.words[1:] in (("wait",), ("launch_dependents",)) else None

    def do_trap(self, node: Instruction) -> list[Stmt] | None:
        return [self.build.evaluate(self.call("__trap"))] if node.opcode == "trap" else None

    def do_exit(self, node: Instruction) -> list[Stmt] | None:
        if node.opcode != "exit":
            return None
        if not self.in_kernel:
            raise PtxFault("'exit' works in a kernel, and this function is none", "return, in the kernel too")
        return [self.build.when(self.build.number(BOOL, True), [Return(self.span, None)])]

    def do_nanosleep(self, node: Instruction) -> list[Stmt] | None:
        if node.opcode != "nanosleep.u32" or len(node.operands) != 1:
            return None
        return [self.build.evaluate(self.call("__nanosleep", self.value(node.operands[0], UINT)))]

    def do_brkpt(self, node: Instruction) -> list[Stmt] | None:
        """Also `pmevent`, `prefetch`, `discard` and `setmaxnreg`, which do nothing that a program can see."""
        return []

    do_pmevent = do_prefetch = do_prefetchu = do_discard = do_setmaxnreg = do_brkpt


def _rows(name: str) -> Sequence[Builtin]:
    return BUILTINS[name]
