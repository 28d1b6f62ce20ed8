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
    """One call of the compiler."""

    files: tuple[str, ...]  # what is compiled and linked, in the order of the command line
    output: str | None  # None: nvcc's names, in `folder`; "cuda" and what is `READ_ONLY` are printed
    emit: str  # "exe", "object", "library", "linked" (with the device code of others), or of TEXTS, IMAGES, READ_ONLY
    options: Options  # for device code
    flags: HostFlags  # for host code
    cxx: str | None = None  # the C++ compiler that the user asks for
    keep: bool = False  # leave the intermediate files beside the output, or in `keep_folder`
    remarks: str | None = None  # "text", "json" or "missed"
    warnings: str = "shown"  # about kernels: "shown", "hidden" or "errors"
    dumps: tuple[str, ...] = ()  # the names of stages
    nvcc: bool = False  # all is left to nvcc
    nvcc_args: tuple[str, ...] = ()  # what it also gets
    language: str | None = field(default=None, kw_only=True)  # of all files: "cu", "c++", "c"; None: by their names
    folder: str = field(default="", kw_only=True)  # of outputs that `output` does not name; "": the current one
    keep_folder: str | None = field(default=None, kw_only=True)  # --keep-dir; None: beside the output
    depends: Depends | None = field(default=None, kw_only=True)  # say in a file for `make` what the files include
    ar: str = field(default="ar", kw_only=True)  # the archiver
    ar_args: tuple[str, ...] = field(default=(), kw_only=True)  # what it also gets
    links_device: bool = field(default=True, kw_only=True)  # device code of several files, where a program is linked
    runtime: tuple[str, ...] | None = field(default=None, kw_only=True)  # words that link the runtime; None: libs2s.a
    resources: bool = field(default=False, kw_only=True)  # print what kernels use
    listing: str | None = field(default=None, kw_only=True)  # LISTING_TEXT, LISTING_WITH_CODE, or an HTML file's name
    counts_file: str | None = field(default=None, kw_only=True)  # what a run has counted, for the listing
    choose: bool = field(default=False, kw_only=True)  # launches in CUDA-C choose the form of traversals by the data

    @property
    def needs_passes(self) -> bool:
        """Whether the machine code alone, which may be in the cache, is not enough."""
        return bool(self.dumps or self.remarks or self.keep or self.listing)

    def kind(self, file: str) -> str:
        """Return what a file is: "cu", "c++", "c", one of the two preprocessed, "link", or "" if unknown."""
        suffix = Path(file).suffix
        if suffix in LINK_SUFFIXES or _SHARED_LIBRARY.search(file):
            return "link"
        if self.language is not None:
            return self.language
        if suffix == CUDA_SUFFIX:
            return "cu"
        known = {".c": "c", ".i": "cpp-output", ".ii": "c++-cpp-output"}
        return known.get(suffix, "c++") if suffix in HOST_SUFFIXES else ""
