"""What kernels use of the machine, for `--resource-usage` and `-Xptxas -v`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..abi import KERNEL
from ..host.elf import ObjectFile

_PREFIX = "s2s_kernel_"


def used(device_object: Path) -> Iterator[str]:
    """Yield a line for each kernel in an object file, from its description."""
    made = ObjectFile(device_object.read_bytes())
    for symbol in made.symbols:
        if not symbol.name.startswith(_PREFIX) or "." in symbol.name:
            continue
        name = made.text_at(symbol, KERNEL.offset["name"])
        if name is not None:
            lanes, shared, params = (
                made.number_at(symbol, KERNEL.offset[field]) for field in ("lanes", "shared_bytes", "args_bytes")
            )
            yield (
                f"kernel '{name}' has gangs of {lanes} threads, {shared} bytes of shared memory and "
                f"{params} bytes of parameters"
            )
