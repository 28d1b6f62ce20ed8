"""Point correlation by a kd-tree with one point a leaf: how many points lie within a radius of each point."""

from ..kdtree import check_found, inputs
from ..workload import Workload


def workload(dim: int, radius: float, order: str) -> Workload:
    return Workload(
        name=f"pc-{dim}d-{order}",
        size=f"200k x {dim}-D, radius {radius}",
        folder="pc",
        inputs=lambda: inputs(200_000, dim, order, radius),
        quick_inputs=lambda: inputs(3001, dim, order, radius),
        check=lambda given, found: check_found(dim, radius, found),
        defines=(f"-DDIM={dim}",),
    )


WORKLOADS = [workload(2, 0.03, "sorted"), workload(7, 0.3, "sorted"), workload(7, 0.3, "shuffled")]
