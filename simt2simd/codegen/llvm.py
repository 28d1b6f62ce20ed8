"""LLVM's part: verify, optimise, emit. Nothing clever: that is in the shapes and in the IR."""

from __future__ import annotations

import functools

import llvmlite.binding as llvm
from llvmlite import ir

from ..target import Options
from . import scatter_order


@functools.cache
def _initialised() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()  # for the switch at barriers
    # In functions of so many blocks, look again only at those that changed: else a pass takes their square.
    llvm.set_option("simt2simd", "-cgpp-huge-func=500")


def target_machine(options: Options) -> llvm.TargetMachine:
    """Return LLVM's description of the target, for position-independent code."""
    _initialised()
    target = llvm.Target.from_triple(options.target.triple)
    return target.create_target_machine(
        cpu=options.target.cpu,
        features=options.target.features,
        opt=options.optimise,
        reloc="pic",
        codemodel="default",
    )


def optimise(module: ir.Module | str, options: Options) -> llvm.ModuleRef:
    """Verify a lowered module and run LLVM's own pipeline on it, for the level of `options`."""
    machine = target_machine(options)
    text = str(module)
    parsed = llvm.parse_assembly(text)
    parsed.verify()
    parsed.triple = machine.triple
    tuning = llvm.create_pipeline_tuning_options(speed_level=options.optimise)
    tuning.loop_vectorization = False  # the lanes are full already
    tuning.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(parsed, builder)
    if options.optimise == 0 or not scatter_order.has_scatters(text):
        return parsed
    optimised = str(parsed)
    reordered = scatter_order.reorder(optimised)
    if reordered == optimised:
        return parsed
    again = llvm.parse_assembly(reordered)
    again.verify()
    return again


def emit_object(module: llvm.ModuleRef, options: Options) -> bytes:
    return bytes(target_machine(options).emit_object(module))


def emit_assembly(module: llvm.ModuleRef, options: Options) -> str:
    machine = target_machine(options)
    machine.set_asm_verbosity(True)
    return str(machine.emit_assembly(module))
