"""What the applications share that add up a value over the subtree of every node of a tree: their ways to run."""

from __future__ import annotations

from functools import partial

from . import variants
from .app import App
from .variants import Variant


def _device(name: str, text: str, form: str, *flags: str) -> Variant:
    return Variant(name, text, flags=flags, arguments=("--form", form))


def _host(name: str, text: str, how: str, *, parallel: bool = False) -> Variant:
    return Variant(name, text, "host", arguments=("--host", how), parallel=parallel)


DEVICE = (
    _device("rec", "a kernel launches itself for each child, and adds up behind them", "rec"),
    _device("flat", "each node adds to all nodes that it lies below, by atomic functions", "flat"),
    _device("crec", "one launch from the device for each level, a thread for a node", "crec"),
    _device("crec-block", "one launch from the device for each level, a block for a node", "crec-block"),
    _device("rec-flat", "rec, as --traverse=flat makes it", "rec", *variants.FLAT),
    _device("rec-crec", "rec, as --traverse=crec makes it", "rec", *variants.CREC),
    _device("rec-crec-block", "rec, as --traverse=crec-block makes it", "rec", *variants.CREC_BLOCK),
    _device("hier", "a block for each child, a thread for each grandchild", "hier"),
    _device("levels", "one launch from the host for each level, from the last on", "levels"),
)
HOST = (
    _host("host-recursive", "scalar C++, recursive", "recursive"),
    _host("host-iterative", "scalar C++, from the last node to the first", "iterative"),
    _host("openmp", "C++ with OpenMP, level by level", "openmp", parallel=True),
)

subtree_app = partial(
    App,
    variants=(*DEVICE, *HOST),
    baselines=tuple(variant.name for variant in HOST),
    orders=(),
    host_flags=variants.OPENMP_HOST_FLAGS,
    libraries=variants.OPENMP_LIBRARIES,
)
