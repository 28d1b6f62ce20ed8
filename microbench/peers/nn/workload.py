"""Nearest neighbours by a kd-tree with one point a leaf."""

from ..kdtree import check_nearest, inputs
from ..workload import Workload


def workload(count: int, dim: int, order: str) -> Workload:
    return Workload(
        name=f"nn-{dim}d-{order}",
        size=f"{count // 1000}k x {dim}-D",
        folder="nn",
        inputs=lambda: inputs(count, dim, order),
        quick_inputs=lambda: inputs(3001, dim, order),
        check=lambda given, found: check_nearest(dim, found),
        defines=(f"-DDIM={dim}",),
        cores=("one", "all"),
    )


WORKLOADS = [workload(*size, order) for size in ((70_000, 2), (200_000, 7)) for order in ("sorted", "shuffled")]
