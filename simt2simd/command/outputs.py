"""Output files: their names, whether they can be written, and how they appear."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from ..diag import ToolError
from .job import CUDA_SUFFIX, HOST_SUFFIXES, IMAGES, LINK_SUFFIXES, READ_ONLY, STDOUT, TEXTS, Job

# The sorts of files that each output may be made of.
_SUFFIXES = {"cu": frozenset((CUDA_SUFFIX,)), "host": HOST_SUFFIXES, "link": LINK_SUFFIXES}
_TAKES = {
    "exe": ("cu", "host", "link"),
    "library": ("cu", "host", "link"),
    "object": ("cu", "host"),
    "linked": ("link",),
    **dict.fromkeys((*TEXTS, *IMAGES), ("cu",)),
    **dict.fromkeys(READ_ONLY, ("cu", "host")),
}

# What one output is made of all files, and its name.
_OF_ALL = {"exe": "a.out", "linked": "a_dlink.o", "library": "a.a"}


def outputs_of(job: Job) -> list[tuple[tuple[str, ...], str]]:
    """Return (input files, output name) for each output. Raises `ToolError` for what cannot be read or written."""
    for file in job.files:
        _check_input(file, job)
    if job.emit in _OF_ALL:
        outputs = [(job.files, job.output or os.path.join(job.folder, _OF_ALL[job.emit]))]
    elif job.emit in READ_ONLY and job.output is None:
        return [((file,), STDOUT) for file in job.files]
    elif job.output is not None and len(job.files) > 1:
        raise ToolError(f"-o names one file, but {len(job.files)} would be written, one for each input: leave out -o")
    else:
        outputs = [((file,), job.output or default_output(file, job)) for file in job.files]
    made_of: dict[str, tuple[str, ...]] = {}
    for files, output in outputs:
        _check_output(output, job)
        if output in made_of:
            raise ToolError(
                f"'{made_of[output][0]}' and '{files[0]}' would both become '{output}': compile one at a time"
            )
        made_of[output] = files
    return outputs


def default_output(file: str, job: Job) -> str:
    """Return what the output for a file is called: that of the object, where there is none."""
    if job.emit == "cuda":
        return STDOUT
    suffix = f".{job.emit}" if job.emit in IMAGES else {"assembly": ".s", "llvm": ".ll"}.get(job.emit, ".o")
    return os.path.join(job.folder, Path(file).stem + suffix)


def _check_input(file: str, job: Job) -> None:
    kind = job.kind(file)
    sort = kind if kind in ("", "cu", "link") else "host"
    if sort not in _TAKES[job.emit]:
        known = [suffix for one in _TAKES[job.emit] for suffix in sorted(_SUFFIXES[one])]
        expected = ", ".join(known)
        raise ToolError(
            f"cannot link the device code of '{file}': expected {expected}"
            if job.emit == "linked"
            else f"cannot compile '{file}' to {_made(job.emit)}: expected {expected}"
        )
    try:
        with open(file, "rb"):
            pass
    except OSError as fault:
        raise ToolError(f"cannot read '{file}': {_reason(fault)}") from fault


def _made(emit: str) -> str:
    """Return an output in words."""
    if emit == "exe":
        return "an executable"
    return f"{'a' if emit in (*IMAGES, 'library') else 'an'} {emit} file"


def _check_output(output: str, job: Job) -> None:
    if output == STDOUT:
        if job.emit not in (*TEXTS, *READ_ONLY):
            raise ToolError("'-o -' prints text: it goes with --emit assembly, llvm and cuda")
        return
    check_writable(output, job)


def check_writable(output: str, job: Job) -> None:
    """Raise `ToolError` for a file that cannot be written, or is one of those that are read."""
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
    """Give the finished file `made` its name in one step, so that no other process sees half of it."""
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
