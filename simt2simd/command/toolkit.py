"""A folder that looks like NVIDIA's CUDA toolkit to build systems: `bin/nvcc`, `include/`, `lib64/`, `nvvm/libdevice`.

It has links to what is installed, so it is made anew where that has changed. `nvcc` runs this Python.

A program that is linked with `-lcudart` or `-lcuda` here, by whichever linker, must not load NVIDIA's library of the
same name, which the dynamic linker may know. So these are scripts of the linker, which lead to a library that only it
reads. What that one says that programs shall load is the path of the installed runtime.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .. import __version__, runtime
from ..diag import ToolError
from ..frontend.text.headers import LIBRARIES, STANDARD
from .toolchain import CUDA_LIBRARIES, RUNTIME_LIBRARIES, TOOLKIT_VARIABLE, VERSION, CompilerFailed, Toolchain, find_cxx

_SHARED = f"libcudart.so.{VERSION[0]}"
_IN_THE_RUNTIME = ("cuda", "cudart", "nvrtc")  # NVIDIA's libraries whose functions the runtime has
_LINKED = Path("lib64", "link", "libcudart.so")  # read by linkers alone

_NVCC = """#!/bin/sh
main='import sys; sys.path.append(sys.argv.pop(1)); from simt2simd.command.cli import main; sys.exit(main())'
{variable}={top} exec {python} -P -c "$main" {root} nvcc "$@"
"""


def folder() -> Path:
    """Return the toolkit that `nvcc` was called in; otherwise that of this Python, which is made if it is not there.

    Raises `ToolError` if that cannot be done.
    """
    called = os.environ.get(TOOLKIT_VARIABLE)
    return Path(called) if called else _default()


def _default() -> Path:
    native = runtime.native_dir()
    status = (native / "libs2s.a").stat()
    headers = [str(name) for name, _ in _headers()]
    own = Path(__file__).stat().st_mtime_ns
    identity = (__version__, sys.executable, str(native), status.st_mtime_ns, own, headers)
    name = hashlib.sha256(repr(identity).encode()).hexdigest()[:12]
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    place = Path(caches, "simt2simd", "toolkit", name).absolute()
    if not place.exists():
        install(place)
    return place


def install(place: Path) -> None:
    """Make a toolkit at `place`, where nothing may be. Raises `ToolError` if that cannot be done."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=".toolkit.", dir=place.parent))
        try:
            _fill(made, place)
            made.chmod(0o755)
            os.rename(made, place)
        except (OSError, ToolError, CompilerFailed):
            shutil.rmtree(made, ignore_errors=True)
            if not (place / "bin" / "nvcc").exists():  # another process may have been quicker
                raise
    except CompilerFailed as fault:
        raise ToolError(f"cannot make a toolkit in '{place}': the linker failed\n{fault.output.rstrip()}") from fault
    except OSError as fault:
        why = (fault.strerror or str(fault)).lower()
        raise ToolError(
            f"cannot make a toolkit in '{place}': {why}\nhelp: make one elsewhere with `simt2simd toolkit --to DIR`"
        ) from fault


def _fill(made: Path, place: Path) -> None:
    native = runtime.native_dir()
    for name in ("bin", "include", "lib64/stubs", "nvvm/libdevice"):
        (made / name).mkdir(parents=True)
    for shown, header in _headers():
        (made / "include" / shown).parent.mkdir(parents=True, exist_ok=True)
        (made / "include" / shown).symlink_to(header)
    libraries = made / "lib64"
    (libraries / _SHARED).symlink_to(native / _SHARED)
    (libraries / "link").mkdir()
    Toolchain(find_cxx(), native).shared_runtime(made / _LINKED, str(native / _SHARED))
    # Programs that link the runtime also need what it needs, and kernels what they call.
    needed = " ".join(RUNTIME_LIBRARIES)
    for name in _IN_THE_RUNTIME:
        (libraries / f"lib{name}.so").write_text(f'INPUT("{place / _LINKED}" AS_NEEDED({needed}))\n')
    (libraries / "stubs" / "libcuda.so").symlink_to("../libcuda.so")
    (libraries / "libcudart_static.a").write_text(f'INPUT("{native / "libs2s.a"}" {needed})\n')
    for name in sorted(word.removeprefix("-l") for word in CUDA_LIBRARIES):  # the others are headers, or nothing
        archive = libraries / f"lib{name}.a"
        if name not in _IN_THE_RUNTIME and not archive.exists():
            archive.write_bytes(b"!<arch>\n")
    (made / "version.json").write_text(_version_file())
    nvcc = made / "bin" / "nvcc"
    names = (str(place), sys.executable, str(Path(__file__).parents[2]))
    top, python, root = map(shlex.quote, names)
    nvcc.write_text(_NVCC.format(variable=TOOLKIT_VARIABLE, top=top, python=python, root=root))
    nvcc.chmod(0o755)


def _headers() -> Iterator[tuple[Path, Path]]:
    """Yield what each header is called in a toolkit, and where it is. The runtime keeps copies of some of ours."""
    found: dict[Path, Path] = {}
    for folder in (runtime.native_dir() / "include", LIBRARIES):
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        files = [path for path in files if path.name not in ("README.md", ".clang-format")]
        found |= {path.relative_to(folder): path for path in files if not path.is_relative_to(STANDARD)}
    yield from found.items()


def _version_file() -> str:
    number = ".".join(map(str, VERSION))
    return f'{{"cuda": {{"name": "simt2simd {__version__}", "version": "{number}"}}}}\n'
