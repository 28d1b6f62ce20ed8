"""The questions of the suite, and the ways to map CUDA threads to a machine that each of them is asked of.

Only the standard library is used here and by `measure` and `run_built`, so that programs which were built on one
machine can be measured on another one that has nothing but Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from apps.machine import CUDA

GPU = CUDA  # as a target
ALL = "all"  # as hthreads per block: one for every gang


@dataclass(frozen=True)
class Mapping:
    """How the threads of a kernel map to a machine.

    `target` and `lanes` of a gang are what the program is compiled for, 0 lanes being the compiler's own choice; the
    rest is how it is run: on so many `cores`, `hthreads_per_block` of them for one block, which then meet at the
    runtime's own `barrier` or at pthread's, with `affinity` hthreads bound to each core (0: they move freely). Of a GPU
    only `target` says anything.
    """

    target: str
    lanes: int = 0
    cores: int = 1
    hthreads_per_block: str = "1"
    barrier: str = "ours"
    affinity: int = 0

    @property
    def name(self) -> str:
        """What it is called in tables and figures."""
        if self.target == GPU:
            return "gpu"
        build = f"{self.target}x{self.lanes}" if self.lanes else self.target
        words = [build, f"{self.cores} core{'s' if self.cores > 1 else ''}"]
        if self.hthreads_per_block != "1":
            words.append(f"{self.hthreads_per_block} hthreads/block")
        if self.barrier != "ours":
            words.append(f"{self.barrier} barrier")
        if self.affinity:
            words.append(f"affinity {self.affinity}")
        return ", ".join(words)

    @property
    def environment(self) -> dict[str, str]:
        """What the runtime must find in its environment."""
        return {
            "S2S_THREADS": "" if self.affinity else str(self.cores),
            "S2S_HTHREADS_PER_BLOCK": self.hthreads_per_block,
            "S2S_AFFINITY": str(self.affinity),
            "S2S_BARRIER": self.barrier,
        }


@dataclass(frozen=True)
class Choice:
    """What there is to choose from: compiled targets with their lanes, the best first, and the cores to use."""

    builds: tuple[tuple[str, int], ...]
    cores: int

    def best(self, cores: int) -> Mapping:
        """Return the default mapping, on so many cores."""
        target, lanes = self.builds[0]
        return Mapping(target, lanes, cores)


@dataclass(frozen=True)
class Question:
    """One program of the suite, microbench/NAME.cu.

    `x` is the parameter along the figure's horizontal axis; the figure has a panel for every combination of values of
    the parameters `panels`. `relative`: it shows times relative to those at the first value of `x`. `quick` are
    arguments for a run that only shows that all works; `mappings` says which mappings are measured.
    """

    name: str
    text: str
    x: str
    x_label: str
    panels: tuple[str, ...]
    quick: tuple[str, ...]
    mappings: Callable[[Choice], Iterable[Mapping]]
    relative: bool = False


def mappings_of(question: Question, choice: Choice) -> list[Mapping]:
    """Return the CPU mappings that a question is asked of, each once."""
    return list(dict.fromkeys(question.mappings(choice))) if choice.builds else []


# ------------------------------------------------------------------------------------------- axes


def _core_counts(choice: Choice) -> list[int]:
    """Return 1, 2, 4 ... and all."""
    counts = [1]
    while 2 * counts[-1] < choice.cores:
        counts.append(2 * counts[-1])
    return [*counts, choice.cores]


def _cores(choice: Choice) -> list[Mapping]:
    return [choice.best(cores) for cores in _core_counts(choice)]


def _builds(choice: Choice, cores: int) -> list[Mapping]:
    return [Mapping(target, lanes, cores) for target, lanes in choice.builds]


def _teams(choice: Choice) -> list[Mapping]:
    """Return the ways to share a block between hthreads; the last one is one pthread for 16 threads."""
    base = choice.best(choice.cores)
    return [
        replace(base, hthreads_per_block=count, barrier=barrier)
        for count in ("2", ALL)
        for barrier in ("ours", "pthread")
    ]


def _affinities(choice: Choice) -> list[Mapping]:
    """Return bindings of the hthreads of a shared block to cores."""
    base = choice.best(choice.cores)
    return [replace(base, hthreads_per_block=ALL, affinity=affinity) for affinity in (1, 2, 4)]


def _one_and_all(choice: Choice) -> list[Mapping]:
    return [choice.best(1), choice.best(choice.cores)]


QUESTIONS = (
    Question(
        "launch",
        "empty kernel, one warp to a block",
        "warps",
        "warps",
        ("wait",),
        ("warps=1,128,8192", "launches=5"),
        lambda choice: [*_cores(choice), *_teams(choice)],
    ),
    Question(
        "memory",
        "irregular access to global memory",
        "degree",
        "random degree",
        ("form", "warps"),
        ("degree=0,64,4096", "elements=8192"),
        lambda choice: [
            *_cores(choice),
            *_builds(choice, choice.cores),
            replace(choice.best(choice.cores), affinity=1),
            replace(choice.best(choice.cores), affinity=2),
        ],
    ),
    Question(
        "divergence",
        "threads of a warp that go different ways",
        "ways",
        "ways",
        (),
        ("ways=1,2,32", "threads=2048", "steps=32"),
        lambda choice: [*_one_and_all(choice), *_builds(choice, 1)],
        relative=True,
    ),
    Question(
        "barrier",
        "__syncthreads() of one block",
        "threads",
        "threads of the block",
        ("form",),
        ("threads=16,64,256", "barriers=20"),
        lambda choice: [*_builds(choice, 1), *_teams(choice), *_affinities(choice)],
    ),
    Question(
        "shared",
        "irregular access to shared memory, a block of 64 threads",
        "degree",
        "random degree",
        (),
        ("degree=0,64,1024", "iterations=100"),
        lambda choice: [*_builds(choice, 1), *_teams(choice), *_affinities(choice)],
    ),
    Question(
        "recursion",
        "recursive calls of a block of 256 threads",
        "depth",
        "depth",
        ("arguments",),
        ("depth=1,64", "rounds=10"),
        lambda choice: _builds(choice, 1),
    ),
    Question(
        "children",
        "kernels of one block, launched by kernels",
        "threads",
        "threads of a child",
        ("from",),
        ("threads=1,32,256", "children=100", "launches=2"),
        _one_and_all,
    ),
    Question(
        "atomics",
        "atomicAdd",
        "lanes",
        "lanes of a warp that share a counter",
        ("memory", "blocks"),
        ("blocks=1,8", "lanes=1,4,32", "rounds=10"),
        lambda choice: [*_cores(choice), *_builds(choice, choice.cores)],
    ),
    Question(
        "call",
        "function calls of a block of 256 threads",
        "steps",
        "steps of arithmetic in the function",
        ("kind",),
        ("steps=1,16", "rounds=10"),
        lambda choice: _builds(choice, 1),
    ),
)
