"""What a workload is: its inputs, how its results are checked, and how it is built and run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

# Arrays go to the programs as files, and numbers as text. A program's `in.array<float>("x")` gets "x" as it lies here,
# so the element type must be the one that the programs ask for.
Inputs = Mapping[str, Any]

# What the programs gave to `out.array`, one-dimensional.
Outputs = Mapping[str, NDArray[Any]]


class CheckFailed(Exception):
    """A result is wrong; the text says how."""


@dataclass(frozen=True)
class Workload:
    """One problem of one size.

    The programs are the files of `folder`: FOLDER.cu, scalar.cpp, limit.cpp, opencl.cpp with kernels.cl, as far as they
    exist. Workloads of one folder share a program unless their `defines` differ; prefer `inputs` for what differs.
    """

    name: str
    size: str  # for people: "16 M"
    folder: str  # beside this file
    inputs: Callable[[], Inputs]  # the same at every call
    check: Callable[[Inputs, Outputs], None]  # raises CheckFailed; against NumPy or SciPy, not against another program
    quick_inputs: Callable[[], Inputs]  # small: for tests
    defines: tuple[str, ...] = ()  # "-DNAME=VALUE", for the compilers of all programs and of kernels.cl
    batch: int = 1  # run() does the thing that often, and what is reported is the time of one
    quick_batch: int = 1  # the same with `quick_inputs`
    cores: tuple[str, ...] = ("all",)  # "all": ours, openmp, limit, intel, pocl; "one": ours, scalar, limit
