"""`--dryrun`: the commands that a job would run, without running them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from .. import runtime
from .job import READ_ONLY, Job
from .outputs import outputs_of
from .toolchain import Toolchain, find_cxx

_FOLDER = Path("/tmp/simt2simd")  # in the place of a temporary folder


def print_commands(job: Job) -> None:
    """Print the commands to stderr, one a line. Raises `ToolError` for files and tools that are not there."""
    toolchain = Toolchain(find_cxx(job.cxx), runtime.native_dir(), job.runtime)
    flags = replace(job.flags, dry=True)
    for files, output in outputs_of(job):
        made: list[str] = []
        for file in files:
            made += _print_file(file, job, toolchain)
        if job.emit == "exe":
            toolchain.link(made, Path(output), flags)
        elif job.emit == "library":
            toolchain.archive(job.ar, made, Path(output), flags, job.ar_args)
        elif job.emit not in READ_ONLY:
            toolchain.combine(made, Path(output), flags)


def _print_file(file: str, job: Job, toolchain: Toolchain) -> list[str]:
    """Print the commands for one file; return the objects that would come of it."""
    flags, kind, stem = replace(job.flags, dry=True), job.kind(file), _FOLDER / Path(file).stem
    host, device = stem.with_suffix(".host.o"), stem.with_suffix(".device.o")
    if kind == "link":
        return [file]
    if job.emit in READ_ONLY or kind == "cu":
        toolchain.preprocess(file, flags, kind)
    if job.emit in READ_ONLY:
        return []
    if kind != "cu":
        toolchain.compile_file(Path(file), host, flags, kind)
        return [str(host)]
    print(f"# the kernels of {file} are compiled here, for {job.options.target.name}: {device}", file=sys.stderr)
    toolchain.compile_text("", host, flags)
    return [str(host), str(device)]
