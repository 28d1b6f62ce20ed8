"""What is found out about a program."""

from __future__ import annotations

from dataclasses import dataclass, field

BUILD_FAILED, FAILED, WRONG, RAN = "not built", "failed", "wrong", "ran"
WALL = "the whole process"
OPENMP, CXX, REFERENCE = "openmp", "c++", "reference"
PEERS = (OPENMP, CXX, REFERENCE)


@dataclass(frozen=True)
class Timing:
    """Ours beside a peer, or alone, on some cores: the least seconds of all runs, and what they are the time of.

    `ratio` is theirs / ours, so above 1 we are faster; there is none where a result is wrong.
    """

    cores: int
    what: str
    ours: float
    peer: str = ""
    theirs: float | None = None
    ratio: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Line:
    """A line of a kernel that costs, and what the compiler remarked about it."""

    file: str
    line: int
    ns: float
    remark: str


@dataclass(frozen=True)
class Kernel:
    """What a kernel did, as `--stats` counts and estimates it.

    `lost` has the parts of its time in gathers, scatters, atomic functions, divergent work, and lanes that were off;
    `of_program` is the kernel's part of the sum of the estimates of all the program's kernels.
    """

    program: str
    name: str
    file: str
    line: int
    launches: int
    ns: float
    of_program: float
    mean_lanes: float
    lanes: float
    lost: dict[str, float]
    lines: list[Line] = field(default_factory=list)

    @property
    def lost_share(self) -> float:
        """The part of the kernel's time that is lost."""
        return min(1.0, sum(self.lost.values()))

    @property
    def weight(self) -> float:
        """The part of the program's time that is lost in this kernel."""
        return self.lost_share * self.of_program


@dataclass(frozen=True)
class Result:
    """A program: what became of it, what it says of its results, and what was measured.

    `state` is "not built", "failed", "wrong" (of its results, as it says) or "ran"; `said` explains it.
    """

    program: str
    state: str
    said: str = ""
    checked: bool = False
    arguments: str = ""
    twin: str = ""
    timings: list[Timing] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)
