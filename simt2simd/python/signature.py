"""What one needs to know of a kernel to call it, as the kernel cache holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..lang.ctype import Array, CType, Pointer, Struct
from ..source import NOWHERE

if TYPE_CHECKING:
    from ..tree.nodes import Function


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kernel. Of a struct the type says only the name, size and alignment."""

    name: str
    type: CType


@dataclass(frozen=True, slots=True)
class Signature:
    """What one needs to know of a kernel to call it. `symbol` is that of its `s2s_kernel`."""

    name: str
    symbol: str
    params: tuple[Parameter, ...]


def signature(kernel: Function, symbol: str) -> Signature:
    return Signature(
        kernel.name, symbol, tuple(Parameter(param.name, _without_members(param.type)) for param in kernel.params)
    )


def _without_members(ctype: CType) -> CType:
    """Return `ctype` without what its structs hold, and so without the program text that they point to."""
    match ctype:
        case Pointer():
            return Pointer(_without_members(ctype.target), ctype.const, ctype.volatile)
        case Array():
            return Array(_without_members(ctype.element), ctype.count)
        case Struct():
            return Struct(ctype.tag, NOWHERE, None, ctype.size, ctype.align)
        case _:
            return ctype
