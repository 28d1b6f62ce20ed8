"""Which barriers the runtime checks, since some threads of a block might skip them."""

from __future__ import annotations

from ..analysis.shapes import Instance, Shapes
from ..tree import nodes as tree


def checked_instances(module: tree.Module, shapes: Shapes) -> frozenset[Instance]:
    """Return the function instances whose barriers are checked, since some threads may skip one of them.

    The gangs of a block wait all at checked barriers or all at others: so all barriers that a kernel reaches are
    checked if one is, and those of another kernel too if both call the same function with barriers.
    """

    def with_barriers(instance: Instance, found: set[Instance]) -> set[Instance]:
        if instance.name in shapes.storage.synchronising and instance not in found:
            found.add(instance)
            for called in shapes.instances[instance].calls.values():
                with_barriers(called, found)
        return found

    roots = [version.instance for kernel in module.kernels for version in shapes.versions(kernel)]
    groups = [with_barriers(root, set()) for root in roots]
    checked = {instance for instance, inside in shapes.instances.items() if inside.checked}
    while more := [group for group in groups if group & checked and not group <= checked]:
        checked.update(*more)
    return frozenset(checked)
