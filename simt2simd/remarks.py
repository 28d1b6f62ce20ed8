"""What the shapes mean for the programmer: remarks on what is slow and why, and the listing of every shape.

A remark is valid for every block whose gangs do not span two rows, the common case. Where a function is compiled for
several combinations of argument shapes, a remark that holds for some of them says "in some calls".
"""

from __future__ import annotations

from typing import NamedTuple

from .diag import Diagnostic
from .shape import Shapes
from .source import Span
from .tree import Module


def remarks(module: Module, shapes: Shapes) -> list[Diagnostic]:
    """Return what is slow and why, and which calls stay lockstep, in source order."""
    found: dict[_Remark, int] = {}
    instances: dict[str, int] = {}
    for instance, function in shapes.instances.items():
        if instance.linear:
            instances[instance.name] = instances.get(instance.name, 0) + 1
            for remark in set(_function_remarks(module, function, shapes)):
                found[remark] = found.get(remark, 0) + 1
    diagnostics = []
    for remark, count in found.items():
        some = "" if count == instances[remark.function] else ", in some calls"
        diagnostics.append(Diagnostic(remark.span, remark.message + some, help=remark.help, severity="remark"))
    return sorted(diagnostics, key=lambda d: (d.span.source.name, d.span.line, d.span.column))


class _Remark(NamedTuple):
    function: str
    span: Span
    message: str
    help: str | None = None
