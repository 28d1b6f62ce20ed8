"""Whether the host part and the device part of a file know the same kernels, forms of kernels and variables."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from ..diag import Diagnostic, ToolError
from ..host.instances import read_instances, span_of
from ..host.part import HostPart
from ..lang.instance import AnyInstance, Instance
from ..source import Source, Span


def instances_of(host_object: Path) -> list[Instance]:
    """Return the forms of kernels that a host part asks for; raise `ToolError` if its object does not say."""
    try:
        return read_instances(host_object.read_bytes())
    except ValueError as fault:
        raise ToolError(
            f"cannot determine which kernels the host part asks for: what the C++ compiler made is {fault}\n"
            "help: leave out -flto"
        ) from fault


def left_out(host_part: HostPart, compiled: Collection[str]) -> Iterator[Diagnostic]:
    """Yield a fault for each kernel that the host part can launch and that was not compiled."""
    for name, span in host_part.kernels.items():
        if name not in compiled:
            yield Diagnostic(span, f"the kernel '{name}' is in the host part only: no device code was made of it")


def mismatched_variables(file: str, host_part: HostPart, defined: Collection[str]) -> Iterator[Diagnostic]:
    """Yield a fault for each variable that the host part and the device part do not share, as they should."""
    for name, span in host_part.variables.items():
        if name not in defined:
            yield Diagnostic(span, f"the variable '{name}' is in the host part only: no device code defines it")
    for name in sorted(set(defined) - host_part.variables.keys()):
        if name.split("::")[-1] not in host_part.marked:  # the host's text has no such variable for the device
            continue
        yield Diagnostic(
            Span(Source.read(file), 0, 0, 0),
            f"the declaration of the variable '{name}' cannot be understood in the host part",
            help="declare it by itself, as `__device__ T name = value;`",
        )


def not_made(host_part: HostPart, host_object: Path, made: Collection[AnyInstance]) -> Iterator[Diagnostic]:
    """Yield a fault for each form of a kernel that the host part asks for and that was not compiled."""
    if not host_part.has_instances:
        return
    for instance in instances_of(host_object):
        if instance not in made:
            yield Diagnostic(
                span_of(instance.place),
                f"the kernel '{instance.shown}' is in the host part only: no device code was made of it",
            )
