"""What this machine has of what simt2simd can use, and what to install for the rest."""

from __future__ import annotations

import ctypes
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from .. import __version__, target
from ..diag import ToolError
from ..python.cache import default_cache
from . import toolchain

KERNELS = "kernels"  # compiling and running them, from Python
PROGRAMS = "programs"  # making executables of .cu files


@dataclass(frozen=True)
class Finding:
    """One thing that was looked for. `needed` says for what: without it that is impossible."""

    what: str
    found: bool
    text: str
    needed: str | None = KERNELS
    help: str | None = None


def main() -> int:
    """Print every finding; return 0 if kernels and programs can be compiled and run here, else 1."""
    findings = list(examine())
    print(f"simt2simd {__version__}, Python {platform.python_version()}")
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        mark = "ok" if finding.found else "MISSING" if finding.needed else "-"
        print(f"  {mark:<8}{finding.what:<{width}}  {finding.text}")
    for finding in findings:
        if finding.help and not finding.found:
            print(f"help: {finding.help}")
    print(_summary({finding.needed for finding in findings if finding.needed and not finding.found}))
    return 0 if all(finding.found for finding in findings if finding.needed) else 1


def _summary(lacking: set[str | None]) -> str:
    if KERNELS in lacking:
        return "kernels cannot be compiled and run here"
    if PROGRAMS in lacking:
        return "kernels can be compiled and run here from Python; programs cannot be compiled"
    return "kernels and programs can be compiled and run here"


def examine() -> Iterator[Finding]:
    """Yield what this machine has, the most important first."""
    yield _cpu()
    yield from _targets()
    yield _cxx()
    yield _libmvec()
    yield from _packages()
    yield _runtime()
    yield _cache()
    yield _nvcc()
    yield _gpu()


def _cpu() -> Finding:
    features = target.cpu_features()
    name = target.cpu_name() or platform.machine()
    text = f"{name}, {len(os.sched_getaffinity(0))} hardware threads usable"
    *_, least = target.TARGETS.values()
    if missing := least.required - features:
        lacks = f"{least.name} is the least that kernels need; this CPU lacks {_list(missing)}"
        return Finding("CPU", False, text, help=lacks)
    return Finding("CPU", True, f"{text}; --target native is {target.native().name}")


def _targets() -> Iterator[Finding]:
    """Yield for each target, except the least, whether this CPU runs kernels that are compiled for it."""
    *better, _ = target.TARGETS.values()
    for each in better:
        missing = each.required - target.cpu_features()
        text = f"kernels for it do not run here: no {_list(missing)}" if missing else "kernels for it run here"
        yield Finding(each.name, not missing, text, needed=None)


def _cxx() -> Finding:
    try:
        command = toolchain.find_cxx()
    except ToolError as fault:
        message, cure = _parts(fault)
        cure = cure or "unset CXX, or set it to a C++ compiler"
        return Finding("C++ compiler", False, message, needed=PROGRAMS, help=cure)
    text = f"{' '.join(command)}: {_first_line([*command, '--version'])}"
    return Finding("C++ compiler", True, text, needed=PROGRAMS)


def _libmvec() -> Finding:
    try:
        ctypes.CDLL("libmvec.so.1")
    except OSError as fault:
        return Finding(
            "libmvec", False, str(fault), help="libmvec is part of glibc on x86-64; other C libraries lack it"
        )
    return Finding("libmvec", True, f"glibc {platform.libc_ver()[1]}")


def _packages() -> Iterator[Finding]:
    for name in ("llvmlite", "pycparser", "pcpp", "cffi", "numpy"):
        try:
            yield Finding(name, True, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Finding(name, False, "not installed", help=f"`{sys.executable} -m pip install {name}`")


def _runtime() -> Finding:
    try:
        from .. import runtime

        return Finding("runtime", True, str(runtime.native_dir()))
    except ToolError as fault:
        message, cure = _parts(fault)
        return Finding("runtime", False, message, help=cure)


def _cache() -> Finding:
    cache = default_cache()
    if cache.limit_bytes == 0:
        return Finding("kernel cache", False, "off: SIMT2SIMD_CACHE_SIZE is 0", needed=None)
    obstacle, _, cure = (cache.obstacle() or "").partition("\nhelp: ")
    if obstacle:
        return Finding("kernel cache", False, f"not used: {obstacle}", needed=None, help=cure)
    return Finding("kernel cache", True, str(cache.folder), needed=None)


def _nvcc() -> Finding:
    try:
        nvcc = toolchain.find_nvcc()
    except ToolError as fault:
        return Finding("nvcc", False, "none: --target cuda cannot be used", needed=None, help=_parts(fault)[1])
    release = re.search(r"release [\d.]+", _output([nvcc, "--version"]))
    return Finding("nvcc", True, f"{nvcc}: {release[0] if release else 'unknown release'}", needed=None)


def _gpu() -> Finding:
    smi = shutil.which("nvidia-smi")
    names = _output([smi, "--query-gpu=name", "--format=csv,noheader"]).splitlines() if smi else []
    if not names:
        return Finding("GPU", False, "none: what --target cuda makes cannot run here", needed=None)
    return Finding("GPU", True, ", ".join(names), needed=None)


def _parts(fault: ToolError) -> tuple[str, str]:
    """Return what is missing, and the help."""
    message, _, cure = str(fault).partition("\nhelp: ")
    return message, cure


def _output(command: list[str]) -> str:
    """Return what a command prints, nothing if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def _first_line(command: list[str]) -> str:
    return _output(command).partition("\n")[0] or "gives no version"


def _list(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))
