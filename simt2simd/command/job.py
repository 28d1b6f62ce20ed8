"""What one call of the compiler is to do."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from ..options import Options
from .depends import Depends
from .toolchain import HostFlags

CUDA_SUFFIX = ".cu"
HOST_SUFFIXES = frozenset((".c", ".cc", ".cpp", ".cxx", ".C", ".i", ".ii"))
LINK_SUFFIXES = frozenset((".o", ".a", ".so"))
HOST_DUMP = "host"  # the one thing that --dump-ir prints and no device stage makes
STDOUT = "-"  # as an output's name
TEXTS = ("assembly", "llvm", "cuda")  # of a program that was compiled, what can be printed
IMAGES = ("cubin", "fatbin", "ptx")  # device code that programs load while they run, by nvcc's names
LISTING_TEXT, LISTING_WITH_CODE = "text", "asm"  # on the terminal: code is counted, or printed
READ_ONLY = ("preprocessed", "dependencies")  # what needs no compiling

_SHARED_LIBRARY = re.compile(r"\.so(\.\d+)*$")


@dataclass(frozen=True)
class Job:
    """One call of the compiler.

    `emit` is "exe", "object", "library", "linked" (an object with the device code of others), one of `TEXTS`, of
    `IMAGES` or of `READ_ONLY`; without `output`, the names are nvcc's, those in `folder`, and "cuda" and what is
    `READ_ONLY` are printed. `language`: what all files are, "cu", "c++" or "c"; by default their names tell. `cxx` is
    the C++ compiler that the user asks for, `ar` the archiver. `keep` leaves the intermediate files beside the output,
    or in `keep_folder`. `depends`: say in a file for `make` what the files include. `links_device`: device code of
    several files is linked where a program is. `runtime` are the words that link the runtime; None: libs2s.a.
    `resources`: print what kernels use. `dumps` are the names of stages. `remarks` is "text", "json" or "missed".
    `listing`: `LISTING_TEXT`, `LISTING_WITH_CODE` or the name of an HTML file; `counts_file`: what a run has counted
    for it. `warnings` about kernels are "shown", "hidden" or "errors". `nvcc`: all is left to nvcc, which also gets
    `nvcc_args`. `choose`: launches in CUDA-C choose the form of traversals by the data.
    """

    files: tuple[str, ...]
    output: str | None
    emit: str
    options: Options
    flags: HostFlags
    cxx: str | None = None
    keep: bool = False
    remarks: str | None = None
    warnings: str = "shown"
    dumps: tuple[str, ...] = ()
    nvcc: bool = False
    nvcc_args: tuple[str, ...] = ()
    language: str | None = field(default=None, kw_only=True)
    folder: str = field(default="", kw_only=True)
    keep_folder: str | None = field(default=None, kw_only=True)
    depends: Depends | None = field(default=None, kw_only=True)
    ar: str = field(default="ar", kw_only=True)
    ar_args: tuple[str, ...] = field(default=(), kw_only=True)
    links_device: bool = field(default=True, kw_only=True)
    runtime: tuple[str, ...] | None = field(default=None, kw_only=True)
    resources: bool = field(default=False, kw_only=True)
    listing: str | None = field(default=None, kw_only=True)
    counts_file: str | None = field(default=None, kw_only=True)
    choose: bool = field(default=False, kw_only=True)

    @property
    def needs_passes(self) -> bool:
        """Whether the machine code alone, which may be in the cache, is not enough."""
        return bool(self.dumps or self.remarks or self.keep or self.listing)

    def kind(self, file: str) -> str:
        """Return what a file is: "cu", "c++", "c", one of the two preprocessed, "link", or "" if nobody knows."""
        suffix = Path(file).suffix
        if suffix in LINK_SUFFIXES or _SHARED_LIBRARY.search(file):
            return "link"
        if self.language is not None:
            return self.language
        if suffix == CUDA_SUFFIX:
            return "cu"
        known = {".c": "c", ".i": "cpp-output", ".ii": "c++-cpp-output"}
        return known.get(suffix, "c++") if suffix in HOST_SUFFIXES else ""
