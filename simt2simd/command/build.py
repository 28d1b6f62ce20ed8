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
from ..diag import BuildFailed, CompileError, InternalError, ToolError
from ..options import Options
from ..source import Source
from . import listing, toolchain
from .colours import print_output
from .depends import with_device_headers
from .device_link import DeviceLink
from .execute import run_program
from .job import HOST_DUMP, IMAGES, READ_ONLY, TEXTS, Job
from .objects import libraries, trees_in
from .outputs import default_output, outputs_of, publish
from .resources import used
from .toolchain import CompilerFailed, Toolchain, find_cxx
from .translation_unit import Unit


def build(job: Job) -> None:
    """Compile the files of `job` and write its output.

    Prints warnings and remarks to stderr, dumps and JSON to stdout. Raises `BuildFailed` with everything that is wrong
    with the program, `ToolError` if a file or tool is missing; then nothing is written.
    """
    for file in job.files:
        if "\n" in file:
            raise ToolError(f"{file!r}: the name of a file must not have a line break")
    job = replace(job, options=_with_folders_of_environment(job.options))
    outputs = outputs_of(job)
    if job.nvcc:
        _build_with_nvcc(job, outputs)
        return
    kinds_with_host = ("exe", "object", "library", "linked", *IMAGES, *READ_ONLY)
    needs_host = job.emit in kinds_with_host or HOST_DUMP in job.dumps
    toolchain = Toolchain(find_cxx(job.cxx), runtime.native_dir(), job.runtime) if needs_host else None
    if toolchain is not None and job.emit in READ_ONLY:
        _read_only(job, toolchain, outputs)
        return
    listing.check(job)
    counts = listing.counts_of(job)
    with tempfile.TemporaryDirectory(prefix="simt2simd-") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        units = [Unit(file, Path(folder, str(number)), job, toolchain, counts) for number, file in enumerate(job.files)]
        background = [pool.submit(unit.compile_host) for unit in units]
        for unit in units:
            unit.compile_device()
        for unit, host_part in zip(units, background, strict=True):
            unit.take_host_part(host_part)
        faults = [message for unit in units for message in unit.faults]
        if faults:
            raise BuildFailed("\n".join(faults))
        linked = DeviceLink(job, counts)
        if job.emit == "linked" or (job.emit == "exe" and job.links_device):
            files = [unit.file for unit in units if unit.kind == "link"]
            trees = [unit.tree for unit in units if unit.tree is not None]
            linked.link([*trees, *trees_in([*files, *libraries(job.flags.link_args)])], Path(folder, "device.o"))
        if job.resources:
            objects = [*(unit.device_object for unit in units), *map(Path, linked.objects)]
            print_output("\n".join(line for each in objects if each.exists() for line in used(each)))
        if job.remarks == "json":
            remarks = [remark for unit in units for remark in unit.remarks] + linked.remarks
            print(json.dumps([remark.record() for remark in remarks], indent=1))
        for files_of_one, output in outputs:
            made = Path(folder, "output")
            _make(job, [unit for unit in units if unit.file in files_of_one], linked, toolchain, made)
            publish(made, output)
        _publish_rules(job, units)
        listing.write(job, [*(each for unit in units for each in unit.listing), *linked.listing], Path(folder))
        if job.keep:
            folder_of_output = Path(job.keep_folder or Path(outputs[0][1]).parent)
            folder_of_output.mkdir(parents=True, exist_ok=True)
            for unit in units:
                unit.keep_files(folder_of_output)
            linked.keep_files(folder_of_output / f"{Path(outputs[0][1]).stem}.linked")


def _with_folders_of_environment(options: Options) -> Options:
    """Add the folders in which the C++ compiler looks for headers because variables say so."""
    first, system = (
        tuple(folder or "." for folder in value.split(os.pathsep)) if (value := os.environ.get(name)) else ()
        for name in ("CPATH", "CPLUS_INCLUDE_PATH")
    )
    return replace(options, include_dirs=(*options.include_dirs, *first), system_dirs=(*options.system_dirs, *system))


def _publish_rules(job: Job, units: Sequence[Unit]) -> None:
    """Write the rules for `make`: each into a file of its own, or all into the one that the user names."""
    if job.depends is None:
        return
    with_rules = [unit for unit in units if unit.rule.exists()]
    for unit in with_rules:
        unit.write_rule()
    if job.depends.file is not None and with_rules:
        first, *others = with_rules
        first.rule.write_text("".join(unit.rule.read_text() for unit in (first, *others)))
        publish(first.rule, job.depends.file)
        return
    for unit in with_rules:
        output = job.output or default_output(unit.file, job)
        publish(unit.rule, str(Path(output).with_suffix(".d")))


def _read_only(job: Job, toolchain: Toolchain, outputs: Sequence[tuple[tuple[str, ...], str]]) -> None:
    """Write each file as it is after preprocessing, or the rule that lists what it includes."""
    with tempfile.TemporaryDirectory(prefix="simt2simd-") as folder:
        made = Path(folder, "output")
        for (file,), output in outputs:
            try:
                if job.depends is None:
                    text = toolchain.preprocess(file, job.flags, job.kind(file))
                else:
                    text = _rule(job, toolchain, file, Path(folder, "rule.d"))
            except CompilerFailed as fault:
                raise BuildFailed(fault.output.rstrip("\n")) from fault
            made.write_text(text, encoding="utf-8", errors="surrogateescape")
            publish(made, (job.depends.file if job.depends else None) or output)


def _rule(job: Job, toolchain: Toolchain, file: str, rule: Path) -> str:
    assert job.depends is not None
    target = job.depends.target or default_output(file, job)
    toolchain.preprocess(file, job.flags, job.kind(file), job.depends.words(str(rule), target, only=True))
    text = rule.read_text()
    if job.kind(file) != "cu":
        return text
    from ..frontend.text.preprocess import preprocess  # which takes a while to load

    included = preprocess(Source.read(file), job.options).included
    return with_device_headers(text, [path for path, held in included.items() if held is not None])


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
                more = _for_children(files, job)
                printed = toolchain.nvcc(files, made, job.flags, job.options, (*job.nvcc_args, *more), emit=job.emit)
            except CompilerFailed as fault:
                raise BuildFailed(fault.output.rstrip("\n")) from fault
            print_output(printed)
            publish(made, output)


def _for_children(files: Sequence[str], job: Job) -> tuple[str, ...]:
    """Return what nvcc wants for a program whose kernels launch kernels."""
    if job.options.relocatable or not any(name.endswith(".cu") and _has_children(name, job) for name in files):
        return ()
    return ("-rdc=true", "-lcudadevrt")


def _has_children(name: str, job: Job) -> bool:
    """Whether kernels launch kernels, as far as we understand the file: nvcc finds its faults."""
    from ..pipeline import compile_device, results  # these take a while to load
    from ..tree.launches import launches

    try:
        made = compile_device(Source.read(name), job.options, until="tree")
    except (CompileError, ToolError, InternalError):
        return False
    return any(True for _ in launches(made[results.TREE]))


def _make(job: Job, units: Sequence[Unit], linked: DeviceLink, toolchain: Toolchain | None, made: Path) -> None:
    """Make the output for `units` as the file `made`."""
    if job.emit == "cuda":
        (unit,) = units
        made.write_text(unit.cuda, encoding="utf-8", errors="surrogateescape")
        return
    if job.emit in IMAGES:
        (unit,) = units
        made.write_bytes(unit.image)
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
        elif job.emit == "library":
            toolchain.archive(job.ar, _members(job, units, toolchain, made.parent), made, job.flags, job.ar_args)
        elif job.emit == "linked":
            linked.write_digests(toolchain, made, job.flags)
        else:
            for unit in units:
                unit.write_tree(toolchain)
            toolchain.combine([name for unit in units for name in unit.link_inputs()], made, job.flags)
    except CompilerFailed as fault:
        raise BuildFailed(fault.output.rstrip("\n")) from fault


def _members(job: Job, units: Sequence[Unit], toolchain: Toolchain, folder: Path) -> list[str]:
    """Return the object files of a library: one for each file, under its name."""
    members: list[str] = []
    for unit in units:
        if unit.kind == "link":
            members.append(unit.file)
            continue
        unit.write_tree(toolchain)
        members.append(str(folder / f"{Path(unit.file).stem}.o"))
        toolchain.combine(unit.link_inputs(), Path(members[-1]), job.flags)
    return members
