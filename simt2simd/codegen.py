"""LLVM's part: verify, optimise, emit, JIT. Nothing clever: that is in the shapes and in the IR."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import llvmlite.binding as llvm
from llvmlite import ir

from .diag import ToolError
from .target import Options


@functools.cache
def _initialised() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()  # for the switch at barriers


def target_machine(options: Options, *, jit: bool = False) -> llvm.TargetMachine:
    """Return LLVM's description of the target; position-independent code unless for the JIT."""
    _initialised()
    target = llvm.Target.from_triple("x86_64-unknown-linux-gnu")
    return target.create_target_machine(
        cpu=options.target.cpu,
        features=options.target.features,
        opt=options.optimise,
        reloc="default" if jit else "pic",
        codemodel="jitdefault" if jit else "default",
        jit=jit,
    )


def optimise(module: ir.Module | str, options: Options) -> llvm.ModuleRef:
    """Verify a lowered module and run LLVM's own pipeline on it, for the level of `options`."""
    machine = target_machine(options)
    parsed = llvm.parse_assembly(str(module))
    parsed.verify()
    parsed.triple = machine.triple
    tuning = llvm.create_pipeline_tuning_options(speed_level=options.optimise)
    tuning.loop_vectorization = False  # the lanes are full already
    tuning.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(parsed, builder)
    return parsed


def emit_object(module: llvm.ModuleRef, options: Options) -> bytes:
    return bytes(target_machine(options).emit_object(module))


def emit_assembly(module: llvm.ModuleRef, options: Options) -> str:
    machine = target_machine(options)
    machine.set_asm_verbosity(True)
    return str(machine.emit_assembly(module))


class Jit:
    """One module's machine code in this process. It lives as long as this object."""

    def __init__(self, module: llvm.ModuleRef, options: Options, symbols: Mapping[str, int]) -> None:
        """`symbols` are the addresses of the runtime's functions that the code calls."""
        for name, address in symbols.items():
            llvm.add_symbol(name, address)
        _load_math()
        self._engine = llvm.create_mcjit_compiler(module, target_machine(options, jit=True))
        self._engine.finalize_object()

    def address(self, symbol: str) -> int:
        """Return the address of a function or datum; raise `KeyError` if the module has none of that name."""
        address = int(self._engine.get_global_value_address(symbol))
        if not address:
            raise KeyError(symbol)
        return address


@functools.cache
def _load_math() -> None:
    """Make libm's and libmvec's functions known to the JIT."""
    for name in ("libm.so.6", "libmvec.so.1"):
        try:
            llvm.load_library_permanently(name)
        except RuntimeError as fault:
            raise ToolError(f"cannot load {name}, which glibc on x86-64 has: {fault}") from fault
