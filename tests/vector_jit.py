"""Compile small pieces of 16-lane IR and call them on NumPy arrays: what the tests of arith and vmath run on."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import llvmlite.binding as llvm
import numpy as np
import pytest
from llvmlite import ir

from simt2simd.lang.ctype import BOOL, DOUBLE, FLOAT, Scalar
from simt2simd.options import Options
from simt2simd.simd.builder import I1, I8, I64, const, element_type, lanes, with_element
from simt2simd.target import AVX2, AVX512, LANES, native

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
llvm.initialize_native_asmparser()
llvm.load_library_permanently("libmvec.so.1")
llvm.load_library_permanently("libm.so.6")

TARGETS = {"avx512": AVX512, "avx2": AVX2}
Kind = tuple[str, bool]
# The ways to emit an operation: (target, on scalars). Scalars are of this machine's target.
KINDS: dict[str, Kind] = {"avx512": ("avx512", False), "avx2": ("avx2", False), "uniform": (native().name, True)}
RUNNABLE = [kind for kind in KINDS.values() if TARGETS[kind[0]].required <= native().required]


def of_kinds(names: Iterable[str], executed: bool = True) -> pytest.MarkDecorator:
    """Give a test each of these kinds as `kind`. If it executes what it compiles, that needs the CPU that it is for."""
    marks = {"avx512": [pytest.mark.avx512]} if executed else {}
    return pytest.mark.parametrize(
        "kind", [pytest.param(KINDS[name], id=name, marks=marks.get(name, [])) for name in names]
    )


all_kinds, vectors_only = of_kinds(KINDS), of_kinds(TARGETS)


def dtype(scalar: Scalar) -> np.dtype:
    if scalar == BOOL:
        return np.dtype(np.bool_)
    if scalar in (FLOAT, DOUBLE):
        return np.dtype(f"f{scalar.size}")
    return np.dtype(f"{'i' if scalar.signed else 'u'}{scalar.size}")


@dataclass(frozen=True)
class Case:
    """A piece of IR: `build(b, mask, *values)` returns one value per result."""

    params: Sequence[Scalar]
    results: Sequence[Scalar]
    build: Callable[..., list[ir.Value]]


class Compiled:
    """Cases as functions on arrays, all compiled as one module."""

    def __init__(
        self,
        cases: dict[str, Case],
        options: Options | None = None,
        uniform: bool = False,
        masked: bool = False,
        optimise: int = 3,
    ) -> None:
        """`uniform`: the values are scalars, and each call handles one element at a time.

        `masked`: `build` gets a mask, and results of lanes that are off are replaced by 0; else its mask is None.
        """
        options = options or Options(target=native())
        self.cases, self.uniform, self.masked = cases, uniform, masked
        module = ir.Module("test")
        for name, case in cases.items():
            _define(module, _symbol(name), case, uniform, masked)
        parsed = llvm.parse_assembly(str(module))
        parsed.verify()
        machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
            cpu=options.target.cpu, features=options.target.features, opt=optimise
        )
        tuning = llvm.create_pipeline_tuning_options(speed_level=optimise)
        tuning.loop_unrolling = False  # the assembly shows each operation once
        passes = llvm.create_pass_builder(machine, tuning)
        passes.getModulePassManager().run(parsed, passes)
        self.assembly = machine.emit_assembly(parsed)
        self.ir_text = str(parsed)
        self._engine = llvm.create_mcjit_compiler(parsed, machine)
        self._engine.finalize_object()

    def call(self, name: str, *args: np.ndarray, mask: np.ndarray | None = None) -> list[np.ndarray]:
        """Run a case on 1-D arrays of equal length."""
        case = self.cases[name]
        count = len(args[0])
        size = count if self.uniform else -(-count // LANES) * LANES
        inputs = []
        for arg, scalar in zip(args, case.params, strict=True):
            padded = np.zeros(size, dtype(scalar))
            padded[:count] = arg
            inputs.append(padded)
        active = np.zeros(size, np.bool_)
        active[:count] = True if mask is None else mask
        outputs = [np.zeros(size, dtype(scalar)) for scalar in case.results]
        self.run(name, size, [*inputs, active, *outputs])
        return [output[:count] for output in outputs]

    def run(self, name: str, count: int, arrays: Sequence[np.ndarray]) -> None:
        """Run a case on `count` elements of the arguments, the mask and the results: arrays that are long enough."""
        function = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * len(arrays))
        gangs = count if self.uniform else count // LANES
        function(self._engine.get_function_address(_symbol(name)))(gangs, *(array.ctypes.data for array in arrays))

    def __call__(self, name: str, *args: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
        """Like `call`, for a case with a single result."""
        return self.call(name, *args, mask=mask)[0]

    def _lines(self, name: str) -> list[str]:
        text = self.assembly.split(f"\n{_symbol(name)}:\n")[1].split(".Lfunc_end")[0]
        return [line.strip() for line in text.splitlines()]

    def body(self, name: str) -> list[str]:
        """The instructions of a case, without labels and directives."""
        return [
            line for line in self._lines(name) if line and not line.startswith((".", "#")) and not line.endswith(":")
        ]

    def vectors_in_loop(self, name: str) -> list[str]:
        """The mnemonics of vector instructions in the loop of a case, which has no other jumps."""
        lines = self._lines(name)
        end = next(i for i, line in enumerate(lines) if line.startswith("j") and f"{line.split()[1]}:" in lines[:i])
        start = lines.index(f"{lines[end].split()[1]}:")
        return [line.split()[0] for line in lines[start:end] if line.startswith("v")]

    def mnemonics(self, name: str) -> list[str]:
        return [line.split()[0] for line in self.body(name)]


def _symbol(name: str) -> str:
    """Not `exp`: a case of that name calls the library's."""
    return f"case_{name}"


def _define(module: ir.Module, name: str, case: Case, uniform: bool, masked: bool) -> None:
    """Define `void name(i64 count, ptr args..., ptr mask, ptr results...)`: a loop over gangs, or elements."""
    pointers = [ir.PointerType()] * (len(case.params) + 1 + len(case.results))
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64, *pointers]), name)
    count, *arrays = function.args
    entry, loop, done = (function.append_basic_block(block) for block in ("entry", "loop", "done"))
    b = ir.IRBuilder(entry)
    b.branch(loop)
    b.position_at_end(loop)
    index = b.phi(I64, "gang")
    index.add_incoming(ir.Constant(I64, 0), entry)

    def shape(scalar: Scalar) -> ir.Type:
        base = I8 if scalar == BOOL else element_type(scalar)
        return base if uniform else ir.VectorType(base, LANES)

    def load(array: ir.Value, scalar: Scalar) -> ir.Value:
        type_ = shape(scalar)
        value = b.load(b.gep(array, [index], source_etype=type_), typ=type_, align=1)
        return b.icmp_unsigned("!=", value, const(type_, 0)) if scalar == BOOL else value

    values = [load(array, scalar) for array, scalar in zip(arrays, case.params, strict=False)]
    mask = load(arrays[len(case.params)], BOOL) if masked else None
    built = case.build(b, mask, *values)
    for array, scalar, value in zip(arrays[len(case.params) + 1 :], case.results, built, strict=True):
        type_ = shape(scalar)
        expected = with_element(type_, element_type(scalar))
        assert value.type == expected, (value.type, expected)
        assert lanes(value) == (0 if uniform else LANES)
        if mask is not None:
            value = b.select(mask, value, ir.Constant(value.type, None))
        if value.type == with_element(value.type, I1):
            value = b.zext(value, type_)
        b.store(value, b.gep(array, [index], source_etype=type_), align=1)
    following = b.add(index, ir.Constant(I64, 1))
    index.add_incoming(following, b.block)
    b.cbranch(b.icmp_signed("<", following, count), loop, done)
    b.position_at_end(done)
    b.ret_void()
