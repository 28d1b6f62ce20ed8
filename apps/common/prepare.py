"""Builds the programs of cases and writes their arrays: problems that can be measured, here or on another machine."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import simt2simd

from .. import harness
from ..harness import AppError
from ..machine import CUDA
from ..programs import build, emit_cuda, nvcc_version
from .app import App, Case
from .plan import Command, Cores
from .variants import RECURSIVE, Variant, emitted_for_gpu, is_other_kernel

HOST, PYTHON = "c++", "python"  # targets of commands beside those of compilers of kernels
ANY_CPU = {"avx512": "x86-64-v4", "avx2": "x86-64-v3"}  # -march of host code that runs wherever the kernels do
GPU_FLAGS = ("--target", CUDA, "-std=c++17")


@dataclass(frozen=True)
class Recipe:
    """How a program is made: its source, the compiler's flags, and which form of the source is compiled."""

    source: Path
    flags: tuple[str, ...]
    others: tuple[Path, ...] = ()
    emit: tuple[
        str, ...
    ] = ()  # flags of simt2simd that makes CUDA-C of the source first; empty: it is compiled as it is

    def make(self) -> Path:
        """Return the program. Raises `AppError` with the compiler's messages if it is refused."""
        if not self.emit:
            return build(self.source, self.flags, self.others)
        return build(emit_cuda(self.source, self.emit), (*self.flags, "-I", str(self.source.parent)))


@dataclass(frozen=True)
class Wanted:
    """A command whose program is not built yet."""

    variant: Variant
    target: str
    recipe: Recipe | None  # of a peer in Python there is none
    counting: Recipe | None = None  # of a program that counts what traversals do
    on: Cores = "every"  # this and what follows: see `Command`
    orders: tuple[str, ...] = ()
    urgent: int = 0

    @property
    def recipes(self) -> list[Recipe]:
        return [recipe for recipe in (self.recipe, self.counting) if recipe]


@dataclass(frozen=True)
class Builder:
    """What to build for: the kernels' target, whether only this machine runs it, a GPU's architecture if any.

    `stats`: also programs that count what traversals do.
    """

    target: str
    native: bool
    architecture: str | None
    stats: bool = False

    def wanted(self, app: App, case: Case, variants: Sequence[Variant]) -> list[Wanted]:
        """Return the commands for a case."""
        made = [each for variant in variants if (each := self.on_cpu(app, case, variant)) is not None]
        if self.architecture is not None:
            made += [each for variant in variants if (each := self.on_gpu(app, case, variant)) is not None]
        return made

    def on_cpu(self, app: App, case: Case, variant: Variant) -> Wanted | None:
        """Return the command of a variant on a CPU; None if it has none."""
        if variant.name in case.slow_on_cpu:
            return None
        if variant.runner == "python":
            return Wanted(variant, PYTHON, None) if self.native and find_spec(app.peers[variant.name].module) else None
        if variant.sources:
            first, *others = (app.source.parent / name for name in variant.sources)
            host_flags = f"-O3,-march={self.architecture_of_host},-fopenmp"
            flags = ("-std=c++17", *variant.flags, *case.defines, "-Xcompiler", host_flags)
            return Wanted(variant, HOST, Recipe(first, flags, tuple(others)))
        host_flags = ",".join(("-O3", f"-march={self.architecture_of_host}", *app.host_flags))
        libraries = (flag for name in app.libraries for flag in ("-l", name))
        flags = (f"--target={self.target}", *variant.flags, *case.defines, "-Xcompiler", host_flags, *libraries)
        if variant.runner == "host":
            return Wanted(variant, HOST, Recipe(app.source, flags))
        counting = Recipe(app.source, (*flags, "--stats")) if self.stats else None
        return Wanted(variant, self.target, Recipe(app.source, flags), counting)

    def on_gpu(self, app: App, case: Case, variant: Variant) -> Wanted | None:
        """Return the command of a variant on a GPU; None if it has none."""
        flags = (*GPU_FLAGS, f"-arch={self.architecture}", *app.gpu_flags)
        kernels = [each for each in app.variants if each.runner == "device"]
        as_written = RECURSIVE if RECURSIVE in kernels else kernels[0]
        if variant != as_written and (emitted := emitted_for_gpu(variant)):
            return Wanted(variant, CUDA, Recipe(app.source, flags, emit=(*emitted, *case.defines)))
        if variant != as_written and not is_other_kernel(variant):
            return None
        return Wanted(variant, CUDA, Recipe(app.source, (*flags, *case.defines)))

    @property
    def architecture_of_host(self) -> str:
        """What the C++ compiler calls the CPU."""
        return "native" if self.native else ANY_CPU[self.target]

    def compilers(self) -> dict[str, str]:
        """Return what compiles for each target."""
        host = harness.run([*shlex.split(harness.cxx_compiler()), "--version"]).splitlines()[0]
        ours = f"simt2simd {simt2simd.__version__}, llvmlite {metadata.version('llvmlite')}, {host}"
        gpu = {CUDA: f"nvcc, {nvcc_version()}"} if self.architecture is not None else {}
        return {self.target: ours, HOST: host, **gpu}

    def flags(self) -> dict[str, str]:
        """Return the flags for each target that all programs share."""
        host = f"-O3 -march={self.architecture_of_host}"
        gpu = {CUDA: shlex.join((*GPU_FLAGS, f"-arch={self.architecture}"))} if self.architecture is not None else {}
        return {self.target: f"--target={self.target}", HOST: host, **gpu}


Programs = dict[Recipe, Path | str]  # a text instead of a program is why there is none


def make_programs(recipes: Iterable[Recipe], done: Callable[[], None]) -> Programs:
    """Build programs, several at a time; call `done` after each."""

    def make(recipe: Recipe) -> Path | str:
        try:
            return recipe.make()
        except AppError as fault:
            return str(fault)
        finally:
            done()

    wanted = list(dict.fromkeys(recipes))
    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        return dict(zip(wanted, pool.map(make, wanted), strict=True))


def commands_of(wanted: Sequence[Wanted], programs: Programs, copies: Path | None) -> tuple[Command, ...]:
    """Return the commands whose programs could be built; copy these to a folder if there is one."""
    commands = []
    for each in wanted:
        files = [programs[recipe] for recipe in each.recipes]
        if any(isinstance(file, str) for file in files):
            continue
        names = [_placed(Path(file), copies) for file in files]
        program, counting = [*names, "", ""][:2]
        variant = each.variant
        commands.append(
            Command(
                variant=variant.name,
                target=each.target,
                program=program,
                arguments=variant.arguments,
                parallel=variant.parallel,
                counting=counting,
                on=each.on,
                orders=each.orders,
                urgent=each.urgent,
            )
        )
    return tuple(commands)


def _placed(program: Path, copies: Path | None) -> str:
    """Return what a command calls a program: its name among the copies, or its path."""
    if copies is None:
        return str(program)
    shutil.copy(program, copies / program.name)
    return program.name
