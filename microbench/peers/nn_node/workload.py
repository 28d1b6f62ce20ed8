"""Nearest neighbours by a kd-tree with a point in every node."""

from ..kdtree import check_nearest, inputs
from ..workload import Workload


def workload(count: int, dim: int, order: str) -> Workload:
    return Workload(
        name=f"nn-node-{dim}d-{order}",
        size=f"{count // 1000}k x {dim}-D",
        folder="nn_node",
        inputs=lambda: inputs(count, dim, order),
        quick_inputs=lambda: inputs(3001, dim, order),
        check=lambda given, found: check_nearest(dim, found),
        defines=(f"-DDIM={dim}",),
        cores=("one", "all"),
    )


WORKLOADS = [workload(200_000, 7, order) for order in ("sorted", "shuffled")]
