"""`simt2simd nvcc`: the command line of NVIDIA's compiler, for builds that call it by that name.

0: done. 1: anything else, as with nvcc; `-run` gives the program's own code.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .. import __version__
from ..diag import ToolError
from ..options import Options
from ..python import architecture, flags
from . import toolkit
from .depends import Depends
from .job import IMAGES, LISTING_TEXT, LISTING_WITH_CODE, Job
from .nvcc_options import ROWS, NvccOption
from .nvcc_words import UsageFault, Words, read
from .toolchain import VERSION, HostFlags

# The options that say what is to be made, in the order in which the first that is given counts.
_PHASES = (
    (("M", "MM"), "dependencies"),
    (("E",), "preprocessed"),
    (("dlink",), "linked"),
    (("lib",), "library"),
    (("cubin",), "cubin"),
    (("fatbin",), "fatbin"),
    (("ptx",), "ptx"),
    (("c", "dc", "dw"), "object"),
)

# simt2simd's own options that nvcc has not, by their names: True for those that take a value.
OURS = {name: flag.implied is None for flag in flags.FLAGS for name in flag.names if name.startswith("--")}
OURS = {name: value for name, value in OURS.items() if name not in {name for row in ROWS for name in row.names}}
_REMARKS = {"--remarks": "text", "--remarks=all": "text", "--remarks=json": "json", "--remarks=missed": "missed"}
_LISTINGS = {"--listing": LISTING_TEXT, f"--listing={LISTING_WITH_CODE}": LISTING_WITH_CODE}
OURS |= dict.fromkeys((*_REMARKS, *_LISTINGS), False)


def main(words: Sequence[str]) -> int:
    """Do what `words` say and return the exit code. Raises what `build` raises, and `ToolError` for wrong options."""
    try:
        line = read(words, os.environ, OURS)
    except UsageFault as fault:
        raise ToolError(f"nvcc: {fault}") from fault
    if line.has("h"):
        print(_help())
    elif line.has("V"):
        print(version())
    elif line.has("arch-ls", "code-ls"):
        print("\n".join(f"{'compute' if line.has('arch-ls') else 'sm'}_{number}" for number in architecture.KNOWN))
    else:
        return _compile(line)
    return 0


def version() -> str:
    """Return what `--version` prints. CMake knows the compiler by the words on the first line."""
    release = f"release {VERSION[0]}.{VERSION[1]}, V{'.'.join(map(str, VERSION))}"
    return f"simt2simd {__version__} in place of nvcc: NVIDIA (R) Cuda compiler driver\nCUDA C++ of {release}"


def _help() -> str:
    lines = ["simt2simd nvcc [options] FILE...: compile CUDA C++ for the CPU with nvcc's options, of which these", ""]
    working = [row for row in ROWS if not row.ignored and not row.refused]
    lines += ["work:", *map(_shown, working), "", "do nothing:"]
    for title, which in (("ignored", [row.ignored for row in ROWS]), ("refused", [row.refused for row in ROWS])):
        if title == "refused":
            lines += ["", "are refused:"]
        for why in dict.fromkeys(filter(None, which)):
            lines += [f" ({why})", *(_shown(row) for row in ROWS if why in (row.ignored, row.refused))]
    lines += ["", f"simt2simd's own options go with them: {' '.join(OURS)}"]
    return "\n".join(lines)


def _shown(row: NvccOption) -> str:
    value = "|".join(row.choices) or {"truth": "true|false", "list": "A,B", "text": "TEXT", "number": "N"}.get(
        row.takes
    )
    return f"  {', '.join(dict.fromkeys(reversed(row.names)))}{f'  {value}' if value else ''}"


def _compile(line: Words) -> int:
    job = job_of(line)
    if line.has("v", "dryrun"):
        _print_settings(job)
    if not job.files:
        raise ToolError("nvcc: no input files")
    from . import build, dry_run, outputs
    from .execute import run_program

    if line.has("dryrun"):
        dry_run.print_commands(job)
        return 0
    build.build(job)
    if line.has("run") and job.emit == "exe":
        return run_program(Path(job.output or outputs.outputs_of(job)[0][1]).absolute(), line.all("run-args"))
    return 0


def _print_settings(job: Job) -> None:
    """Print what CMake wants to know of a toolkit: where it is, and the words for headers and libraries."""
    top = toolkit.folder()
    settings = {
        "TOP": top,
        "NVVMIR_LIBRARY_DIR": top / "nvvm" / "libdevice",
        "PATH": f"{top / 'bin'}:{os.environ.get('PATH', '')}",
        "INCLUDES": shlex.quote(f"-I{top / 'include'}"),
        "LIBRARIES": shlex.quote(f"-L{top / 'lib64'}"),
    }
    for name, value in settings.items():
        print(f"#$ {name}={value}", file=sys.stderr)
    compute = f"compute_{job.options.architecture}"
    print(f"# kernels are compiled here, for programs as -arch {compute}", file=sys.stderr, flush=True)


def job_of(line: Words) -> Job:
    """Return what a command line asks for. Raises `ToolError` for options that do not go together."""
    emit = next((made for names, made in _PHASES if line.has(*names)), "exe")
    options = _options(line)
    if emit in IMAGES:
        options = replace(options, relocatable=False)  # an image is whole
    return Job(
        files=tuple(line.files),
        output=line.last("o"),
        emit=emit,
        options=options,
        flags=_host_flags(line, options),
        cxx=_compiler(line.last("ccbin") or os.environ.get("NVCC_CCBIN")),
        keep=line.has("keep", "save-temps", "keep-dir"),
        remarks=next((_REMARKS[word] for word in reversed(line.ours) if word in _REMARKS), None),
        listing=next((_LISTINGS[word] for word in reversed(line.ours) if word in _LISTINGS), None),
        warnings="hidden" if line.has("w") else "errors" if "all-warnings" in line.all("Werror") else "shown",
        language=line.last("x"),
        folder=line.last("odir") or "",
        keep_folder=line.last("keep-dir"),
        depends=_depends(line),
        ar=line.last("arbin") or "ar",
        ar_args=tuple(line.all("Xarchive")),
        links_device=not line.has("nodlink"),
        runtime=_runtime(line.last("cudart") or "static"),
        resources=line.has("res-usage") or "-v" in line.all("Xptxas"),
    )


def _depends(line: Words) -> Depends | None:
    if not line.has("M", "MM", "MD", "MMD"):
        return None
    if line.has("E") and line.has("MD", "MMD"):
        raise ToolError("nvcc: -MD and -MMD compile: they do not go with -E")
    target = line.last("MT")
    if target is not None and line.has("odir"):
        target = os.path.join(line.last("odir") or "", target)
    if line.has("MF") and len(line.files) > 1:
        raise ToolError(f"nvcc: -MF names one file, for one input: {len(line.files)} given")
    return Depends(line.has("M", "MD"), target, line.last("MF"), line.has("MP"))


def _runtime(which: str) -> tuple[str, ...]:
    """Return the words that link the CUDA runtime, where nvcc's toolkit would have it."""
    folder = str(toolkit.folder() / "lib64")
    words = {
        "none": (),
        "shared": ("-lcudadevrt", "-lcudart", f"-Wl,-rpath,{folder}"),
        "static": ("-lcudadevrt", "-lcudart_static", "-lrt", "-lpthread", "-ldl"),
    }
    return f"-L{folder}", *words[which]


def _compiler(wanted: str | None) -> str | None:
    """Return the command that `-ccbin` names: a compiler, or the folder in which it is."""
    if wanted is None or not os.path.isdir(wanted):
        return wanted
    for name in ("c++", "g++", "clang++"):
        if found := shutil.which(name, path=wanted):
            return shlex.quote(found)
    raise ToolError(f"nvcc: no C++ compiler in '{wanted}', which -ccbin names")


def _macros(line: Words) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the macros that are defined, and those that are undefined, where the last word counts."""
    words = [*line.order, *((part[1:2], part[2:]) for part in _for_preprocessor(line))]
    defines: dict[str, list[str]] = {}
    undefines: dict[str, None] = {}
    for option, text in words:
        name = text.partition("=")[0].partition("(")[0]
        if option == "D":
            defines.setdefault(name, []).append(text)
            undefines.pop(name, None)
        elif option == "U":
            defines.pop(name, None)
            undefines[name] = None
    if line.last("default-stream") == "per-thread":
        defines["CUDA_API_PER_THREAD_DEFAULT_STREAM"] = ["CUDA_API_PER_THREAD_DEFAULT_STREAM=1"]
    if line.has("G"):
        defines["__CUDACC_DEBUG__"] = ["__CUDACC_DEBUG__"]
    return tuple(text for texts in defines.values() for text in texts), tuple(undefines)


def _for_preprocessor(line: Words) -> list[str]:
    """Return what is meant for the C++ preprocessor: nvcc hands that to the device part too."""
    return [word for word in line.all("Xcompiler") + line.for_compiler if word[:2] in ("-D", "-U", "-I") and word[2:]]


def _options(line: Words) -> Options:
    try:
        options = replace(
            flags.device_options([word for word in line.ours if word not in (*_REMARKS, *_LISTINGS)]), device_only=False
        )
    except ValueError as fault:
        raise ToolError(f"nvcc: {fault}") from fault
    defines, undefines = _macros(line)
    passed = (word[2:] for word in _for_preprocessor(line) if word.startswith("-I"))
    try:
        for text in defines:
            options = flags.with_macro(options, text)
        number = architecture.architecture(line.all("arch") + line.all("gencode"), architecture.DEFAULT_OF_NVCC)
    except ValueError as fault:
        raise ToolError(f"nvcc: {fault}") from fault
    options = replace(
        options,
        optimise=min(int(line.last("O") or 3), 3),
        fmad=(line.last("fmad") or "true") == "true",
        fast_math=line.has("use_fast_math"),
        architecture=number,
        relocatable=line.has("dc") or (line.last("rdc") == "true" and not line.has("dw")),
        include_dirs=(*line.all("I"), *passed),
        undefines=undefines,
        pre_includes=tuple(line.all("include")),
        system_dirs=tuple(line.all("isystem")),
        standard=line.last("std"),
    )
    lines = line.has("lineinfo") or any(word in _LISTINGS for word in line.ours)
    return flags.with_debug(options, host=line.has("g"), device=line.has("G"), lines=lines)


def _host_flags(line: Words, options: Options) -> HostFlags:
    template = ("ftemplate-depth", "ftemplate-backtrace-limit", "frandom-seed")
    return HostFlags(
        optimise=min(int(line.last("O") or (0 if line.has("g", "G") else 2)), 3),
        debug=line.has("g", "G"),
        standard=line.last("std"),
        defines=(*options.defines, *(["__CUDACC_RDC__"] if options.relocatable else [])),
        include_dirs=options.include_dirs,
        compile_args=(
            *(["-w"] if line.has("w") else []),
            *(["-Wno-deprecated-declarations"] if line.has("Wno-deprecated-declarations") else []),
            *(["-pg"] if line.has("pg") else []),
            *(["-fno-exceptions"] if line.has("noeh") else []),
            *(f"-{name}={line.last(name)}" for name in template if line.has(name)),
            *line.all("Xcompiler"),
            *line.for_compiler,
        ),
        link_args=(
            *(["-shared"] if line.has("shared") and not line.has("dlink") else []),
            *line.for_linker,
            *(word for text in line.all("Xlinker") for word in ("-Xlinker", text)),
            *(f"-L{path}" for path in line.all("L")),
            *(f"-l{name}" for name in line.all("l")),
        ),
        echo=line.has("v"),
        undefines=options.undefines,
        system_dirs=options.system_dirs,
        pre_includes=options.pre_includes,
        dry=line.has("dryrun"),
    )
