"""Compile small pieces of 16-lane IR and call them on NumPy arrays: what the tests of arith and vmath run on."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir

from simt2simd.ctype import BOOL, DOUBLE, FLOAT, Scalar
from simt2simd.irtools import I1, I8, I64, const, element_type, lanes, with_element
from simt2simd.target import LANES, Options

Build = Callable[..., list[ir.Value]]

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
llvm.load_library_permanently("libmvec.so.1")
llvm.load_library_permanently("libm.so.6")


def dtype(scalar: Scalar) -> np.dtype:
    if scalar == BOOL:
        return np.dtype(np.bool_)
    if scalar in (FLOAT, DOUBLE):
        return np.dtype(f"f{scalar.size}")
    return np.dtype(f"{'i' if scalar.signed else 'u'}{scalar.size}")


@dataclass
class Compiled:
    """A piece of IR as a function on arrays. `engine` owns the machine code behind `address`."""

    engine: llvm.ExecutionEngine
    address: int
    results: Sequence[Scalar]
    params: Sequence[Scalar]
    assembly: str
    ir_text: str
    masked: bool
    uniform: bool

    def call(self, *args: np.ndarray, mask: np.ndarray | None = None, rounds: int = 1) -> list[np.ndarray]:
        """Run on 1-D arrays of equal length; lanes that `mask` leaves out give 0 (all bits)."""
        count = len(args[0])
        size = count if self.uniform else -(-count // LANES) * LANES
        inputs = []
        for arg, scalar in zip(args, self.params, strict=True):
            padded = np.zeros(size, dtype(scalar))
            padded[:count] = arg
            inputs.append(padded)
        active = np.zeros(size, np.bool_)
        active[:count] = True if mask is None else mask
        outputs = [np.zeros(size, dtype(scalar)) for scalar in self.results]
        arrays = [*inputs, active, *outputs]
        function = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * len(arrays))(self.address)
        for _ in range(rounds):
            function(size if self.uniform else size // LANES, *(array.ctypes.data for array in arrays))
        return [output[:count] for output in outputs]

    def __call__(self, *args: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
        """Like `call`, for a single result."""
        return self.call(*args, mask=mask)[0]

    def body(self) -> list[str]:
        """The instructions, without labels and directives."""
        lines = (line.strip() for line in self.assembly.splitlines())
        return [line for line in lines if line and not line.startswith((".", "#")) and not line.endswith(":")]

    def mnemonics(self) -> list[str]:
        return [line.split()[0] for line in self.body()]


def compile_lanes(
    build: Build,
    params: Sequence[Scalar],
    results: Sequence[Scalar],
    options: Options | None = None,
    masked: bool = False,
    uniform: bool = False,
) -> Compiled:
    """Compile `for each gang: results[...] = build(b, mask, args...)`.

    `build` gets the builder, the mask (None unless `masked`) and one value per parameter: `<16 x T>`, or T if
    `uniform`.
    """
    options = options or Options()
    module = ir.Module("test")
    pointer = ir.PointerType()
    function = ir.Function(
        module, ir.FunctionType(ir.VoidType(), [I64] + [pointer] * (len(params) + 1 + len(results))), "run"
    )
    count, *arrays = function.args
    entry, loop, done = (function.append_basic_block(name) for name in ("entry", "loop", "done"))
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

    values = [load(array, scalar) for array, scalar in zip(arrays, params, strict=False)]
    mask = load(arrays[len(params)], BOOL) if masked else None
    for array, scalar, value in zip(arrays[len(params) + 1 :], results, build(b, mask, *values), strict=True):
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

    parsed = llvm.parse_assembly(str(module))
    parsed.verify()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=options.target.cpu, features=options.target.features, opt=3
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_unrolling = False  # the assembly shows each operation once
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(parsed, passes)
    assembly = machine.emit_assembly(parsed)
    ir_text = str(parsed)
    engine = llvm.create_mcjit_compiler(parsed, machine)
    engine.finalize_object()
    return Compiled(engine, engine.get_function_address("run"), results, params, assembly, ir_text, masked, uniform)
