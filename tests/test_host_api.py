"""The host API as a whole: nothing of CUDA 13's is forgotten, and what the headers declare is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from simt2simd import runtime

RUNTIME = Path(__file__).parent.parent / "runtime"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

# Functions of the driver API that our headers do not declare, and why. A program that calls one does not compile.
MISSING_DRIVER = {
    r"cu(Tex|Surf)Ref\w+|cuModuleGet(Tex|Surf)Ref": "texture references of modules, which cuda_arrays.h refuses",
    r"cuMem(Address|Create|Map|Unmap|Release|SetAccess|GetAccess|Export|Import|Retain|GetAllocation|GetHandle)\w*": (
        "memory that is mapped by hand"
    ),
    r"cu(Graphics|External|Import|Destroy|Signal|Wait|VDPAU|GL|EGL)\w+": "graphics and other APIs",
    r"cuMulticast\w+|cuTensorMap\w+|cuGreenCtx\w+|cuDevResource\w+|cuDeviceGetDevResource|cuCtx\w*DevResource"
    r"|cuCtxFromGreenCtx|cuStreamGetGreenCtx|cuDeviceGetExec\w+": "hardware of newer GPUs",
    r"cuCheckpoint\w+|cuCoredump\w+|cuLogs\w+|cuGetExportTable|cuUserObject\w+": "tools; the runtime API has some",
    r"cuMipmapped\w+|cuArrayGet(Sparse|Memory|Plane)\w*": "arrays that the device has not",
    r"cuLink\w+": "images are not linked at run time; cuLinkCreate says so",
    r"cuStream(Wait|Write|BatchMem)\w+|cuFlushGPUDirect\w+": "operations on memory in streams",
    r"cuGraph\w+": "graphs: the runtime API has all of it, and the handles are the same",
    r"cuMem(cpy|set|Pool|Prefetch|Discard|Range|Batch|GetMem|GetDefault|SetMem)\w+": "the runtime API has it",
    r"cuOccupancy\w+|cuKernel\w+|cuLibrary\w+|cuFunc\w+|cuModule\w+": "the runtime API has it",
    r"cuLaunch(Grid\w*|CooperativeKernelMultiDevice)?|cuParam\w+": "launches as they were before CUDA 4",
    r"cuTexObjectGet\w+|cuPointerSetAttribute|cuDevSm\w+": "what the device has not",
    r"cuDevice\w+|cuCtx\w+": "what the device has not",
    r"cuStream\w+|cuThread\w+": "the runtime API has it",
}


def declared(folder: Path, pattern: str) -> set[str]:
    """Return the functions whose names match that are declared in the headers of `folder`."""
    names: set[str] = set()
    for header in folder.glob("cu*.h"):
        text = _COMMENT.sub("", header.read_text(errors="replace"))
        names.update(re.findall(rf"\b({pattern})\(", text))
    return names


def cuda_headers() -> Path | None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        return None
    command = [nvcc, "--dryrun", "-E", "-x", "cu", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r'INCLUDES="-I(\S+?)"', done.stderr)
    return Path(found[1]).resolve() if found else None


def names_in(header: Path, qualifier: str, prefix: str) -> set[str]:
    text = _COMMENT.sub("", header.read_text(errors="replace"))
    return set(re.findall(rf"\b{qualifier}\s+({prefix}[A-Z]\w*)\(", text))


@pytest.mark.skipif(cuda_headers() is None, reason="needs nvcc's headers")
def test_nothing_of_the_runtime_api_is_forgotten() -> None:
    headers = cuda_headers()
    assert headers is not None
    all_names = names_in(headers / "cuda_runtime_api.h", "CUDARTAPI", "cuda")
    all_names |= names_in(headers / "cuda_profiler_api.h", "CUDARTAPI", "cuda")
    assert len(all_names) > 250
    plain = {re.sub(r"_(ptsz|ptds|v\d+)$", "", name) for name in all_names}
    assert sorted(plain - declared(RUNTIME, r"cuda[A-Z]\w*")) == []


@pytest.mark.skipif(cuda_headers() is None, reason="needs nvcc's headers")
def test_nothing_of_the_driver_api_is_forgotten() -> None:
    headers = cuda_headers()
    assert headers is not None
    all_names = names_in(headers / "cuda.h", "CUDAAPI", "cu")
    assert len(all_names) > 400
    plain = {re.sub(r"_(ptsz|ptds|v\d+)+$", "", name) for name in all_names}
    left = plain - declared(RUNTIME, r"cu[A-Z]\w*")
    assert sorted(name for name in left if not any(re.fullmatch(rule, name) for rule in MISSING_DRIVER)) == []


def test_the_library_has_what_the_headers_declare() -> None:
    """Each prototype at the start of a line; templates and static functions are indented or say so."""
    wanted: set[str] = set()
    for header in RUNTIME.glob("cu*.h"):
        text = _COMMENT.sub("", header.read_text())
        wanted.update(re.findall(r"^(?:cudaError_t|CUresult) (cu\w+)\([^;{]*\);", text, re.MULTILINE))
    assert len(wanted) > 350
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", str(runtime.native_dir() / "libcudart.so.13")],
        capture_output=True,
        text=True,
        check=True,
    )
    there = {line.split()[-1] for line in listed.stdout.splitlines()}
    assert sorted(wanted - there) == []


def test_functions_of_the_driver_api_are_found_by_name() -> None:
    text = (RUNTIME / "driver_more.c").read_text()
    found = set(re.findall(r"\bF\((cu\w+)\)", text))
    wanted: set[str] = set()
    for name in ("cuda.h", "cuda_arrays.h"):
        header = _COMMENT.sub("", (RUNTIME / name).read_text())
        wanted.update(re.findall(r"^CUresult (cu\w+)\(", header, re.MULTILINE))
    assert found == wanted
