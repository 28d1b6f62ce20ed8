"""What `simt2simd compile` and `run` do: program files in, one output file out.

The C++ compiler works on the host part of a file in the background while this process compiles the device part.
Everything is made in a temporary folder; the output appears under its name only when it is whole.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from .. import runtime, target
from ..diag import BuildFailed, ToolError
from . import toolchain
from .colours import print_output
from .device_link import DeviceLink
from .execute import run_program
from .job import HOST_DUMP, LINK_SUFFIXES, TEXTS, Job
from .objects import libraries, trees_in
from .outputs import outputs_of, publish
from .toolchain import CompilerFailed, Toolchain, find_cxx
from .unit import Unit


def build(job: Job) -> None:
    """Compile the files of `job` and write its output.

    Prints warnings and remarks to stderr, dumps and JSON to stdout. Raises `BuildFailed` with everything that is wrong
    with the program, `ToolError` if a file or tool is missing; then nothing is written.
    """
    outputs = outputs_of(job)
    if job.nvcc:
        _build_with_nvcc(job, outputs)
        return
    needs_host = job.emit in ("exe", "object", "linked") or HOST_DUMP in job.dumps
    toolchain = Toolchain(find_cxx(job.cxx), runtime.native_dir()) if needs_host else None
    with tempfile.TemporaryDirectory(prefix="simt2simd-") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        units = [Unit(file, Path(folder, str(number)), job, toolchain) for number, file in enumerate(job.files)]
        background = [pool.submit(unit.compile_host) for unit in units]
        for unit in units:
            unit.compile_device()
        for unit, host_part in zip(units, background, strict=True):
            unit.take_host_part(host_part)
        faults = [message for unit in units for message in unit.faults]
        if faults:
            raise BuildFailed("\n".join(faults))
        linked = DeviceLink(job.dumps, job.remarks, keep=job.keep)
        if job.emit in ("exe", "linked"):
            files = [unit.file for unit in units if Path(unit.file).suffix in LINK_SUFFIXES]
            trees = [unit.tree for unit in units if unit.tree is not None]
            linked.link([*trees, *trees_in([*files, *libraries(job.flags.link_args)])], Path(folder, "device.o"))
        if job.remarks == "json":
            remarks = [remark for unit in units for remark in unit.remarks] + linked.remarks
            print(json.dumps([remark.record() for remark in remarks], indent=1))
        for files_of_one, output in outputs:
            made = Path(folder, "output")
            _make(job, [unit for unit in units if unit.file in files_of_one], linked, toolchain, made)
            publish(made, output)
        if job.keep:
            folder_of_output = Path(outputs[0][1]).parent
            for unit in units:
                unit.keep_files(folder_of_output)
            linked.keep_files(folder_of_output / f"{Path(outputs[0][1]).stem}.linked")


def run(job: Job, args: Sequence[str]) -> int:
    """Build `job`, run the program with `args`, and return its exit code; 128 + n if signal n ended it.

    After Ctrl-C it is never 0, whatever the program makes of that.
    """
    features = target.cpu_features()
    if not job.nvcc and not features >= job.options.target.required:
        raise ToolError(
            f"this CPU cannot run code for {job.options.target.name}\nhelp: leave out --target, or `compile`"
        )
    with tempfile.TemporaryDirectory(prefix="simt2simd-") as folder:
        program = Path(folder, Path(job.files[0]).stem)
        build(replace(job, output=str(program), emit="exe"))
        return run_program(program, args)


def _build_with_nvcc(job: Job, outputs: list[tuple[tuple[str, ...], str]]) -> None:
    with tempfile.TemporaryDirectory(prefix="simt2simd-") as folder:
        for files, output in outputs:
            made = Path(folder, "output")
            try:
                printed = toolchain.nvcc(files, made, job.flags, job.options, job.nvcc_args, emit=job.emit)
            except CompilerFailed as fault:
                raise BuildFailed(fault.output.rstrip("\n")) from fault
            print_output(printed)
            publish(made, output)


def _make(job: Job, units: Sequence[Unit], linked: DeviceLink, toolchain: Toolchain | None, made: Path) -> None:
    """Make the output for `units` as the file `made`."""
    if job.emit == "cuda":
        (unit,) = units
        made.write_text(unit.cuda, encoding="utf-8", errors="surrogateescape")
        return
    if job.emit in TEXTS:
        (unit,) = units
        assert unit.compiled is not None
        made.write_text(unit.compiled.dump("assembly" if job.emit == "assembly" else "scatter-order"))
        return
    assert toolchain is not None
    try:
        if job.emit == "exe":
            inputs = [name for unit in units for name in unit.link_inputs()]
            print_output(toolchain.link([*inputs, *linked.objects], made, job.flags))
        elif job.emit == "linked":
            linked.write_digests(toolchain, made, job.flags)
        else:
            for unit in units:
                unit.write_tree(toolchain)
            toolchain.combine([name for unit in units for name in unit.link_inputs()], made, job.flags)
    except CompilerFailed as fault:
        raise BuildFailed(fault.output.rstrip("\n")) from fault
