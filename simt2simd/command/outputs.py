"""Output files: their names, whether they can be written, and how they appear."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from ..diag import ToolError
from .job import CUDA_SUFFIX, HOST_SUFFIXES, LINK_SUFFIXES, STDOUT, TEXTS, Job


def outputs_of(job: Job) -> list[tuple[tuple[str, ...], str]]:
    """Return (input files, output name) for each output. Raises `ToolError` for what cannot be read or written."""
    for file in job.files:
        _check_input(file, job)
    if job.emit in ("exe", "linked"):
        outputs = [(job.files, job.output or ("a.out" if job.emit == "exe" else "a_dlink.o"))]
    elif job.output is not None and len(job.files) > 1:
        raise ToolError(f"-o names one file, but {len(job.files)} would be written, one for each input: leave out -o")
    else:
        outputs = [((file,), job.output or _default_output(file, job.emit)) for file in job.files]
    made_of: dict[str, tuple[str, ...]] = {}
    for files, output in outputs:
        _check_output(output, job)
        if output in made_of:
            raise ToolError(
                f"'{made_of[output][0]}' and '{files[0]}' would both become '{output}': compile one at a time"
            )
        made_of[output] = files
    return outputs


def _default_output(file: str, emit: str) -> str:
    if emit == "cuda":
        return STDOUT
    return Path(file).stem + {"object": ".o", "assembly": ".s", "llvm": ".ll"}[emit]


def _check_input(file: str, job: Job) -> None:
    suffix = Path(file).suffix
    known = {CUDA_SUFFIX} if job.emit != "linked" else set()
    known |= HOST_SUFFIXES if job.emit in ("exe", "object") else set()
    known |= LINK_SUFFIXES if job.emit in ("exe", "linked") else set()
    if suffix not in known:
        expected = ", ".join(sorted(known, key=lambda name: (name != CUDA_SUFFIX, name)))
        raise ToolError(
            f"cannot link the device code of '{file}': expected {expected}"
            if job.emit == "linked"
            else f"cannot compile '{file}' to an {job.emit} file: expected {expected}".replace("exe file", "executable")
        )
    try:
        with open(file, "rb"):
            pass
    except OSError as fault:
        raise ToolError(f"cannot read '{file}': {_reason(fault)}") from fault


def _check_output(output: str, job: Job) -> None:
    if output == STDOUT:
        if job.emit not in TEXTS:
            raise ToolError("'-o -' prints text: it goes with --emit assembly, llvm and cuda")
        return
    path = Path(output)
    if path.is_dir():
        raise ToolError(f"cannot write '{output}': it is a directory")
    if not path.parent.is_dir():
        raise ToolError(f"cannot write '{output}': there is no directory '{path.parent}'")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ToolError(f"cannot write '{output}': permission denied")
    for file in job.files:
        if path.exists() and os.path.samefile(path, file):
            raise ToolError(f"the output '{output}' would overwrite the input")


def publish(made: Path, output: str) -> None:
    """Give the finished file `made` its name in one step, so that nobody ever sees half of it."""
    if output == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(made.read_bytes())
        return
    try:
        if os.path.exists(output) and not os.path.isfile(output):  # /dev/null, a pipe: not to be replaced
            with open(made, "rb") as source, open(output, "wb") as sink:
                shutil.copyfileobj(source, sink)
            return
        folder, name = os.path.split(os.path.realpath(output))
        handle, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
        os.close(handle)
        try:
            shutil.copyfile(made, temporary)
            shutil.copymode(made, temporary)
            os.replace(temporary, os.path.join(folder, name))
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as fault:
        raise ToolError(f"cannot write '{output}': {_reason(fault)}") from fault


def _reason(fault: OSError) -> str:
    return (fault.strerror or str(fault)).lower()
