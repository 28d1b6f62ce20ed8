"""Running the passes: for one program file, for several that are linked, and for the text of a program for GPUs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import fields, replace
from typing import Any

from ..diag import ToolError
from ..frontend.text.include_cache import Store
from ..link.merge import link
from ..link.relocatable import Relocatable, from_bytes, to_bytes
from ..options import Options
from ..source import Source
from . import results
from .compiled import Compiled
from .optimisations import require_known
from .passes import Pass, lawful
from .process import deep_recursion, guard, no_collection
from .stages import STAGES
from .state import Instances, no_requests


def compile_device(
    source: Source,
    options: Options,
    dumps: Collection[str] = (),
    write: Callable[[str, str], object] = print,
    until: str | None = None,
    instances: Instances = no_requests,
    kept: Store | None = None,
) -> Compiled:
    """Run the passes, up to the one named `until`, for one program file.

    `write(name, text)` is called for each name in `dumps`. `instances` is called if the program has kernels that are
    not simple (`lang/instance`), and returns which forms of them are asked for. `kept` has what came of headers before.
    Raises `CompileError` with the faults of the program, `ToolError` if the machine lacks something, `InternalError`
    for a fault of the compiler, and `ValueError` for options that disable what there is not, or for an `until` that no
    pass is called.
    """
    require_known(options.disabled)
    names = [row.name for row in STAGES]
    if until is not None and until not in names:
        raise ValueError(f"no pass '{until}': choose from {', '.join(names)}")
    compiled = Compiled(source, options, instances, kept)
    end = len(names) if until is None else names.index(until) + 1
    with deep_recursion, no_collection:
        _run(STAGES[:end], compiled, dumps, write)
        for name in ("after-all", "assembly"):
            if name in dumps:
                write(name, compiled.dump(name))
        return compiled


def relocatable(compiled: Compiled) -> bytes:
    """Return the tree of a file that is to be linked with others, for `link_device`. Assumes that `tree` has run."""
    with deep_recursion:
        return guard("link", to_bytes, compiled[results.TREE], compiled.options)


def link_device(
    trees: Sequence[bytes], dumps: Collection[str] = (), write: Callable[[str, str], object] = print
) -> Compiled:
    """Link the trees of several files and run all passes on the whole.

    Raises what `compile_device` raises, and `ValueError` for bytes that are no tree of this compiler's.
    """
    with deep_recursion, no_collection:
        files = [from_bytes(tree) for tree in trees]
        compiled = Compiled(Source(files[0].file, ""), _common_options(files))
        compiled.results[results.TREE.name] = lawful(compiled, "link", guard("link", link, files))
        first = [row.name for row in STAGES].index("tree") + 1
        _run(STAGES[first:], compiled, dumps, write)
        for name in ("after-all", "assembly"):
            if name in dumps:
                write(name, compiled.dump(name))
        return compiled


def _common_options(files: Sequence[Relocatable]) -> Options:
    """Return the options for the code of all files; raise `ToolError` if these were compiled for different ones."""
    level = max(file.options.optimise for file in files)
    check_ir = any(file.options.check_ir for file in files)
    common = [replace(file.options, optimise=level, check_ir=check_ir) for file in files]
    for file, options in zip(files, common, strict=True):
        for item in fields(Options):
            mine, others = getattr(options, item.name), getattr(common[0], item.name)
            if mine != others:
                raise ToolError(
                    f"'{files[0].file}' and '{file.file}' cannot be linked: the options for their device code differ "
                    f"('{item.name}')\nhelp: compile all files with the same options"
                )
    return common[0]


def rewrite_for_gpus(source: Source, options: Options, *, choose: bool = False) -> Compiled:
    """Run the passes up to the tree, and the rewrites that take nothing of our gangs for granted.

    `choose`: launches choose the form of traversals. Raises what `compile_device` raises.
    """
    require_known(options.disabled)
    compiled = Compiled(source, replace(options, for_gpus=True, choose=choose))
    end = [row.name for row in STAGES].index("tree") + 1
    with deep_recursion, no_collection:
        _run((*STAGES[:end], *(row for row in STAGES if row.for_gpus)), compiled)
    return compiled


def _run(
    rows: Sequence[Pass[Any]],
    compiled: Compiled,
    dumps: Collection[str] = (),
    write: Callable[[str, str], object] = print,
) -> None:
    """Run passes; `write(name, text)` is called for those in `dumps`."""
    for row in rows:
        compiled.results[row.name] = guard(row.name, row.make, compiled)
        if row.name in dumps:
            write(row.name, compiled.dump(row.name))
