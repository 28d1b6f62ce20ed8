"""The forms of kernels that a program asks for: which kernel each of them is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...diag import CompileError, Diagnostic
from ...lang.instance import AnyInstance, Instance
from ...source import NOWHERE
from ...tree.nodes import Function, Module


def with_instances(module: Module, instances: Sequence[AnyInstance]) -> Module:
    """Return the module with a kernel for each of `instances`; those that host code asks for are private to the file.

    Raises `CompileError` for what there is not.
    """
    functions = dict(module.functions)
    chosen: dict[AnyInstance, str] = {}
    faults: list[Diagnostic] = []
    for instance in instances:
        kernel = _find(module, instance)
        if kernel is None:
            faults.append(Diagnostic(NOWHERE, f"no kernel '{instance.shown}' that device code could be made of"))
            continue
        chosen[instance] = kernel.name
        if isinstance(instance, Instance):
            functions[kernel.name] = replace(kernel, static=True)
    if faults:
        raise CompileError(faults)
    return replace(module, functions=functions, instances=chosen)


def _find(module: Module, instance: AnyInstance) -> Function | None:
    if not isinstance(instance, Instance):
        return next((kernel for kernel in module.kernels if kernel.name == instance.expression), None)
    place = instance.place
    here = [kernel for kernel in module.kernels if place.is_at(kernel.span.source.name, kernel.span.line, kernel.name)]
    return here[place.nth - 1] if place.nth <= len(here) and not instance.arguments else None
