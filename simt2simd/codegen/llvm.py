"""LLVM's part: verify, optimise, emit. Nothing clever: that is in the shapes and in the IR."""

from __future__ import annotations

import functools

import llvmlite.binding as llvm
from llvmlite import ir

from ..options import Options


@functools.cache
def _initialised() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()  # for the switch at barriers
    # In functions of so many blocks, look again only at those that changed: else a pass takes their square.
    llvm.set_option("simt2simd", "-cgpp-huge-func=500")
    # In blocks of so many accesses to memory, the scheduler keeps some in order that it could swap: else it compares
    # each with each. Without instructions for gathers, a class's constructor has hundreds: half the time is saved.
    llvm.set_option("simt2simd", "-dag-maps-huge-region=200")


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


DEEP = 16  # loops in each other: O3 would make copies of them for every condition, in the cube of their number


def optimise(module: ir.Module | str, options: Options, loop_depth: int = 0) -> llvm.ModuleRef:
    """Verify a lowered module and run LLVM's own pipeline on it, for the level of `options`.

    `loop_depth`: how deep the loops of the program lie in each other.
    """
    machine = target_machine(options)
    parsed = llvm.parse_assembly(str(module))
    parsed.verify()
    parsed.triple = machine.triple
    level = min(options.optimise, 2) if loop_depth > DEEP else options.optimise
    tuning = llvm.create_pipeline_tuning_options(speed_level=level)
    tuning.loop_vectorization = False  # the lanes are full already
    tuning.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, tuning)
    _run(builder.getModulePassManager(), parsed, builder)
    return parsed


def _run(passes: llvm.ModulePassManager, module: llvm.ModuleRef, builder: llvm.PassBuilder) -> None:
    """Run passes on a module.

    llvmlite never disposes of pass managers: what does that, in one base class, is hidden by the other one.
    """
    passes.run(module, builder)
    llvm.newpassmanagers.NewPassManager._dispose(passes)
    passes.detach()


def simplify(module: llvm.ModuleRef, options: Options) -> None:
    """Clean up after an optimised module was rewritten."""
    tuning = llvm.create_pipeline_tuning_options(speed_level=options.optimise)
    builder = llvm.create_pass_builder(target_machine(options), tuning)
    passes = llvm.create_new_module_pass_manager()
    passes.add_instruction_combine_pass()
    passes.add_aggressive_dce_pass()
    _run(passes, module, builder)


def emit_object(module: llvm.ModuleRef, options: Options) -> bytes:
    return bytes(target_machine(options).emit_object(module))


def emit_assembly(module: llvm.ModuleRef, options: Options) -> str:
    machine = target_machine(options)
    machine.set_asm_verbosity(True)
    return str(machine.emit_assembly(module))
