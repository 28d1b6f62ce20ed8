"""Every kernel in differential/ means the same to the interpreter, to the compiled code and, where given, to NumPy.

The compiled code is built with `-fmad=false`: the interpreter fuses nothing.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from _pytest.mark import ParameterSet
from differential import (
    cases_alone,
    cases_apps,
    cases_atomic,
    cases_children,
    cases_consolidation,
    cases_control,
    cases_functions,
    cases_kept,
    cases_memory,
    cases_numbers,
    cases_prefix,
    cases_row_streams,
    cases_rows,
    cases_sweep,
    cases_types,
    cases_warps,
)
from differential.case import Array, Case, Launch, assert_agree

from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.memory import Memory
from simt2simd.interp.run import Interpreter
from simt2simd.mapping import tiles
from simt2simd.options import Options
from simt2simd.pipeline import OPTIMISATIONS, STAGES, Compiled, compile_device, stages
from simt2simd.python import kernel
from simt2simd.python.flags import device_options
from simt2simd.python.kernel import RawModule
from simt2simd.python.machine_code import code_of
from simt2simd.runtime import ALL_GANGS, configure
from simt2simd.source import Source
from simt2simd.target import AVX2, AVX512
from simt2simd.transform.common_subexpressions import common_subexpressions

KERNELS = Path(__file__).parent / "differential"
CASES = [
    case
    for table in (
        cases_control,
        cases_functions,
        cases_kept,
        cases_memory,
        cases_numbers,
        cases_atomic,
        cases_children,
        cases_apps,
        cases_alone,
        cases_prefix,
        cases_row_streams,
        cases_rows,
        cases_sweep,
        cases_types,
        cases_warps,
        cases_consolidation,
    )
    for case in table.CASES
]


@functools.cache
def interpreter(file: str) -> Interpreter:
    return Interpreter(check(parse(preprocess(Source.read(KERNELS / file), Options(fmad=False)))))


# What else may become of the same kernels: another target, no optimiser, checks of every claim about shapes.
WAYS = {
    "avx2": "--target=avx2",
    "O0": "-O0",
    "verify": "--verify -O0",
    "16 lanes": "--lanes=16 -O0",
    "32 lanes": "--lanes=32 -O0",
    "64 lanes": "--lanes=64",
    "64 lanes, verify": "--lanes=64 --verify -O0",
    "plain": f"--disable={','.join(OPTIMISATIONS)}",
}
WIDE = {"64 lanes, O0": "--lanes=64 -O0"}
TILES = {"tiles": "-DTILES", "tiles of 16, O0": "-DTILES --lanes=16 -O0", "tiles of 64, O0": "-DTILES --lanes=64 -O0"}
TERMS = {"terms": "-DTERMS", "terms, verify": "-DTERMS --verify -O0"}
TRAVERSALS = {
    "sorted": "--sort-queries",
    "ropes": "--traverse=ropes",
    "static-ropes": "--traverse=static-ropes",
    "static-ropes-lockstep": "--traverse=static-ropes-lockstep",
    "refill": "--traverse=refill",
    "recursive": "--traverse=recursive",
    "untouched": "--traverse=none",
}
COUNTING = {"counting": "--stats"}
AFTER_LLVM = {stage.name for stage in STAGES[[stage.name for stage in STAGES].index("opt") + 1 :]}
FOR_AVX2 = frozenset({"row-streams"})  # optimisations that AVX-512 needs not
# What is asked is whether our code is right; only what works on LLVM's result needs LLVM's optimiser.
WITHOUT = {
    f"without {name}": " ".join(
        [f"--disable={name}", *["--target=avx2"] * (name in FOR_AVX2), *["-O0"] * (name not in AFTER_LLVM)]
    )
    for name in OPTIMISATIONS
}


def words_of(way: str) -> tuple[str, ...]:
    words = {"": "", **WAYS, **WIDE, **TILES, **TERMS, **TRAVERSALS, **COUNTING, **WITHOUT}[way]
    return ("-fmad=false", *words.split())


@functools.cache
def compiled(file: str, way: str = "") -> RawModule:
    """Compile a file, but only once where switching an optimisation off makes no difference to LLVM."""
    module = RawModule(code=(KERNELS / file).read_text(), options=words_of(way), enable_cooperative_groups=True)
    if (name := way.removeprefix("without ")) in OPTIMISATIONS:
        options = device_options(words_of(way))
        if name not in AFTER_LLVM | FOR_AVX2 and whole(file, options).dump("llvm") == with_it(file, name, options):
            return compiled(file)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel, "device_code", lambda *_: code_of(whole(file, options)))
            module.compile()
    return module


@functools.lru_cache(maxsize=4)  # trees and modules are large
def whole(file: str, options: Options) -> Compiled:
    return compile_device(Source.read(KERNELS / file), options)


def with_it(file: str, name: str, options: Options) -> str:
    """Return what an optimisation that `options` leave out, or else `llvm`, makes of a file where it runs."""
    return made(file, first_to_show(name), replace(options, disabled=frozenset()))


def first_to_show(name: str) -> str:
    return name if name in AFTER_LLVM else "llvm"


@functools.cache
def made(file: str, until: str, options: Options) -> str:
    """Return what a pass makes of a file."""
    return compile_device(Source.read(KERNELS / file), options, until=until).dump(until)


def make(case: Case, block: tuple[int, ...]) -> tuple[Launch, list[Any]]:
    """Make the arguments; the same ones whenever this is called."""
    launch = Launch(block, case.grid, seed=zlib.crc32(f"{case.name} {block}".encode()))
    return launch, case.args(launch)


def interpret(case: Case, launch: Launch, args: list[Any]) -> None:
    memory = Memory()
    for array in launch.reachable:
        memory.register(array)
    runs = interpreter(case.file)
    with as_at_first(case, runs.variable) as after:
        runs.launch(case.kernel, launch.grid, launch.block, args, memory=memory, shared_bytes=case.shared(launch))
    launch.variables = after


@contextmanager
def as_at_first(case: Case, bytes_of: Callable[[str], Array]) -> Iterator[dict[str, Array]]:
    """Give the variables that a case may change the bytes back that they have now; yield what they have at the end."""
    found: dict[str, Array] = {}
    before = {name: bytes_of(name).copy() for name in (v.name for v in interpreter(case.file).variables if v.space)}
    yield found
    for name, content in before.items():
        if name in case.variables:
            found[f"variable {name}"] = bytes_of(name).copy()
        bytes_of(name)[:] = content


def arrays(launch: Launch, args: list[Any]) -> dict[str, Array]:
    """Return what a launch may have written, by name."""
    found = {f"argument {i}": arg for i, arg in enumerate(args) if isinstance(arg, np.ndarray)}
    found |= {f"reachable array {i}": array for i, array in enumerate(launch.reachable)}
    found |= launch.variables
    return {name: array for name, array in found.items() if not any(array is other for other in launch.addresses)}


def rows(array: Array, ulps: float | Sequence[float]) -> Array:
    """Give `array` a column for each of several bounds."""
    return array if isinstance(ulps, float | int) else array.reshape(-1, len(ulps))


def by_file(cases: Iterable[Case], ways: Iterable[str] = ("",), *, files: int | None = None) -> list[ParameterSet]:
    """Pair the cases of each file with each way to compile them: one test compiles the file and runs all its cases.

    `files`: so many files go through a way in every run, other ones through each way, and the rest in slow tests.
    """
    ways, of_file = list(ways), dict[str, list[Case]]()
    for case in cases:
        of_file.setdefault(case.file, []).append(case)
    names = sorted(of_file)
    stride = -(-len(names) // files) if files else 0

    def marks(file: str, way: str) -> Iterator[pytest.MarkDecorator]:
        yield pytest.mark.xdist_group(file)
        if files is not None and (files == 0 or (names.index(file) - ways.index(way)) % stride):
            yield pytest.mark.slow(f"{file} {way}")

    def title(file: str, way: str) -> str:
        return "-".join(filter(None, [file.removesuffix(".cu"), way]))

    return [
        pytest.param(of_file[file], way, id=title(file, way), marks=list(marks(file, way)))
        for way in ways
        for file in names
    ]


INTERPRETED: dict[tuple[int, tuple[int, ...]], tuple[Launch, list[Any]]] = {}  # by the case's identity, and the block


def interpreted(case: Case, block: tuple[int, ...]) -> tuple[Launch, list[Any]]:
    """Return the arguments of a launch as the interpreter has left them."""
    key = id(case), block
    if key not in INTERPRETED:
        launch, args = make(case, block)
        interpret(case, launch, args)
        INTERPRETED[key] = launch, args
    return INTERPRETED[key]


def check_cases(cases: Iterable[Case], way: str = "") -> None:
    for case in cases:
        check_case(case, way)


def check_case(case: Case, way: str) -> None:
    kernel = compiled(case.file, way).get_function(case.kernel)
    for block in case.blocks:
        launch, args = interpreted(case, tuple(block))
        other_launch, other_args = make(case, tuple(block))
        with as_at_first(case, compiled(case.file, way).get_global) as other_launch.variables:
            kernel(other_launch.grid, other_launch.block, tuple(other_args), shared_mem=case.shared(other_launch))
        theirs = arrays(other_launch, other_args)
        for name, ours in arrays(launch, args).items():
            ulps = case.ulps_of(int(name.split()[-1])) if name.startswith("argument") else 0.0
            what = f"{case.name}, block {block}, {name}, interpreter and compiled code"
            assert_agree(rows(ours, ulps), rows(theirs[name], ulps), ulps, what)


@pytest.mark.parametrize(("cases", "way"), by_file(CASES))
def test_interpreter_and_compiled_code_agree(cases: list[Case], way: str) -> None:
    check_cases(cases, way)


BARRIER_CASES = [case for case in CASES if case.file.startswith("barriers/")]
ATOMIC_CASES = [case for case in CASES if case.file.startswith("atomics/")]


@pytest.mark.parametrize(("cases", "way"), by_file(BARRIER_CASES, ["without barrier-fission"], files=3))
def test_gangs_that_wait_agree(cases: list[Case], way: str) -> None:
    check_cases(cases, way)


WIDE_CASES = [case for case in CASES if case.file.startswith(("control/", "memory/", "loops/", "functions/"))]


@pytest.mark.parametrize(("cases", "way"), by_file(WIDE_CASES, WIDE, files=5))
def test_wide_gangs_agree(cases: list[Case], way: str) -> None:
    check_cases(cases, way)


TILED_CASES = [case for case in CASES if any(len(block) > 1 for block in case.blocks)]


@pytest.mark.parametrize(("cases", "way"), by_file(TILED_CASES, TILES, files=2))
def test_gangs_that_are_tiles_agree(cases: list[Case], way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever gangs can be tiles they are, whether that pays or not."""
    monkeypatch.setattr(tiles, "pays", lambda version, shapes: True)
    check_cases(cases, way)


@pytest.mark.parametrize(("cases", "way"), by_file(CASES, TERMS, files=2))
def test_kernels_whose_terms_are_named_agree(cases: list[Case], way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in very large functions."""
    monkeypatch.setattr(stages, "common_subexpressions", functools.partial(common_subexpressions, large=0))
    check_cases(cases, way)


RECURSIVE_CASES = [case for case in CASES if case.file.startswith("recursion/")]
COUNTED_CASES = [case for case in CASES if case.file.startswith(("recursion/", "children/", "atomics/", "loops/"))]


@pytest.mark.parametrize(("cases", "way"), by_file(RECURSIVE_CASES, TRAVERSALS, files=2))
def test_traversals_agree(cases: list[Case], way: str) -> None:
    check_cases(cases, way)


@pytest.mark.parametrize(("cases", "way"), by_file(COUNTED_CASES, COUNTING, files=3))
def test_kernels_that_count_agree(cases: list[Case], way: str) -> None:
    check_cases(cases, way)


# For each optimisation, a file in which it has something to do.
AT_WORK = {
    "unreachable-code-elimination": "control/decided.cu",
    "launch-consolidation": "consolidation/few.cu",
    "inline-by-reference": "functions/places.cu",
    "scalar-replacement": "functions/places.cu",
    "capture-forwarding": "functions/captures.cu",
    "query-order": "recursion/walks.cu",
    "stack-loops": "recursion/stacks.cu",
    "merge-calls": "recursion/nearest.cu",
    "walks": "recursion/trees.cu",
    "partial-inlining": "recursion/uniform_arguments.cu",
    "inline-barriers": "barriers/placed.cu",
    "variable-splitting": "memory/new_names.cu",
    "load-combining": "memory/whole_words.cu",
    "loop-invariant-motion": "barriers/placed.cu",
    "software-prefetch": "barriers/tiles.cu",
    "live-range-splitting": "barriers/planes.cu",
    "grid-stride": "recursion/walks.cu",
    "kernel-parameters-in-place": "functions/structs.cu",
    "pointer-indices": "memory/pointer_indices.cu",
    "thread-coarsening": "loops/rows.cu",
    "outline": "memory/columns.cu",
    "block-merging": "control/odd_statements.cu",
    "redundant-axes": "control/idle_axes.cu",
    "divisible": "control/odd_statements.cu",
    "wide-gangs": "control/odd_statements.cu",
    "along-y": "memory/columns.cu",
    "tiles": "loops/tiles.cu",
    "barrier-fission": "barriers/reduce.cu",
    "first-threads": "barriers/reduce.cu",
    "single-thread-blocks": "control/single_thread_blocks.cu",
    "partial-row-gangs": "barriers/planes.cu",
    "row-streams": "loops/row_streams.cu",
    "block-size-specialisation": "barriers/usual_size.cu",
    "rare-versions": "control/odd_statements.cu",
    "register-arrays": "barriers/reduce.cu",
    "stack-walks": "recursion/trees.cu",
    "single-lane": "recursion/uniform_arguments.cu",
    "scalar-tail": "memory/columns.cu",
    "lane-compaction": "control/odd_statements.cu",
    "gather-coalescing": "memory/neighbours.cu",
    "scatter-to-stores": "warps/one_lane.cu",
    "scatter-order": "memory/scatter.cu",
    "likely": "barriers/planes.cu",
    "full-mask": "control/odd_statements.cu",
    "predicate": "control/odd_statements.cu",
    "available-loads": "memory/available_loads.cu",
    "repeated-loads": "recursion/trees.cu",
    "speculate": "control/short_circuit.cu",
    "uniform-tests": "barriers/planes.cu",
    "whole-rows": "barriers/tiles.cu",
    "index-64": "barriers/planes.cu",
    "combined-atomics": "atomics/locks.cu",
    "owned-atomics": "atomics/locks.cu",
}


def first_cases(file: str) -> list[Case]:
    """One case for each kernel of a file."""
    return list({case.kernel: case for case in reversed(CASES) if case.file == file}.values())


HANDFUL = [case for file in sorted(set(AT_WORK.values())) for case in first_cases(file)]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.xdist_group(AT_WORK[name])) for name in OPTIMISATIONS],
)
def test_an_optimisation_can_be_switched_off(name: str) -> None:
    """It has something to do in these kernels, and they mean the same without it on this machine."""
    file, way = AT_WORK[name], f"without {name}"
    options = replace(device_options(words_of(way)), target=AVX2 if name in FOR_AVX2 else AVX512)
    assert whole(file, options).dump(first_to_show(name)) != with_it(file, name, options)
    check_cases(first_cases(file), way)


@pytest.mark.parametrize(("cases", "way"), by_file(HANDFUL, ["plain"], files=8))
def test_all_optimisations_can_be_switched_off(cases: list[Case], way: str) -> None:
    check_cases(cases, way)


@pytest.mark.parametrize(("cases", "way"), by_file(HANDFUL, WITHOUT, files=0))
def test_each_optimisation_can_be_switched_off(cases: list[Case], way: str) -> None:
    check_cases(cases, way)


@pytest.mark.parametrize("hthreads_per_block", [3, ALL_GANGS])
@pytest.mark.parametrize(("cases", "way"), by_file([*BARRIER_CASES, *ATOMIC_CASES]))
def test_several_hthreads_run_a_block(cases: list[Case], way: str, hthreads_per_block: int) -> None:
    configure(4, hthreads_per_block)
    try:
        check_cases(cases, way)
    finally:
        configure()


@pytest.mark.parametrize(("cases", "way"), by_file(CASES, WAYS, files=3))
def test_other_ways_to_compile_agree(cases: list[Case], way: str) -> None:
    check_cases(cases, way)


@pytest.mark.parametrize(("cases", "way"), by_file([case for case in CASES if case.expect]))
def test_interpreter_and_numpy_agree(cases: list[Case], way: str) -> None:
    assert not way
    for case in cases:
        assert case.expect is not None
        for block in case.blocks:
            _, args = interpreted(case, tuple(block))
            for index, array in case.expect(*make(case, tuple(block))).items():
                assert_agree(args[index], array, 0.0, f"{case.name}, block {block}, argument {index}, and NumPy")


@pytest.mark.parametrize(
    ("kernel", "block", "args"),
    [
        ("skipped_by_some", (48,), [5]),
        ("skipped_by_some", (48,), [32]),
        ("two_arms", (48,), []),
        ("uneven_loop", (48,), []),
        ("by_row", (16, 3), []),
        ("by_row", (5, 3), []),
        ("by_search", (64,), []),
    ],
)
def test_threads_may_skip_barriers(kernel: str, block: tuple[int, ...], args: list[int]) -> None:
    file, out = "barriers/skipped.cu", np.arange(64, dtype=np.int32)
    expected = out.copy()
    interpreter(file).launch(kernel, 1, block, [expected, *args])
    compiled(file).get_function(kernel)((1,), block, (out, *args))
    assert (out == expected).all() and (out != np.arange(64)).any()


@pytest.mark.parametrize("way", ["", "32 lanes", "64 lanes, verify"])
@pytest.mark.parametrize(
    ("kernel", "args"), [("operands", []), ("rounds", []), ("shared_places", [np.zeros(1, np.int32)])]
)
def test_operands_beside_barriers_are_for_those_who_are_there(kernel: str, args: list[Any], way: str) -> None:
    file, out = "barriers/operands.cu", np.zeros(1024, np.int32)
    expected = out.copy()
    interpreter(file).launch(kernel, 1, 48, [expected, *args])
    compiled(file, way).get_function(kernel)((1,), (48,), (out, *args))
    assert (out == expected).all() and (out != 0).any()
