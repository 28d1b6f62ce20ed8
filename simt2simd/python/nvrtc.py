"""What NVRTC runs: device code becomes an image that a program loads with `cuModuleLoadData`.

    python -m simt2simd.python.nvrtc FOLDER [--name-expression NAME]... -- OPTION...

FOLDER has the `source`, its `name` and perhaps headers in `include`; `image` and `names` come out, with a line of
`names` for each name expression. What is wrong with the program is printed: then the status is 1. It is 2 for a wrong
option.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..diag import CompileError, ToolError
from ..lang.instance import KernelRequests, NamedInstance
from ..source import Source
from . import flags
from .architecture import DEFAULT_OF_NVCC, in_words
from .cache import default_cache
from .machine_code import DeviceCode, device_code

# Flags of NVRTC without a meaning here, or with what is so in any case.
_WITHOUT_MEANING = (
    "-default-device", "--device-as-default-execution-space",
    "--restrict", "-restrict", "--maxrregcount",
    "-w", "--disable-warnings", "--extra-device-vectorization", "-extra-device-vectorization",
)  # fmt: skip


def image(code: DeviceCode, more_names: Mapping[str, str] | None = None) -> bytes:
    """Return what `runtime/cudart/module.h` describes: names, and the object file.

    `more_names`: further names of kernels, each with the one that the code has.
    """
    symbols = {kernel.name: kernel.symbol for kernel in code.kernels}
    symbols |= {name: symbols[known] for name, known in (more_names or {}).items() if known in symbols}
    lines = [f"kernel {name} {symbol}\n" for name, symbol in symbols.items()]
    lines += [f"variable {item.name} {item.symbol} {item.size}\n" for item in code.variables]
    text = "".join(lines) + "\n"
    size = 0
    while True:  # the number of bytes counts its own digits
        head = f"simt2simd module 1\nbytes {size} {len(code.object_file)}\n{text}"
        if size == (size := len(head) + len(code.object_file)):
            return head.encode() + code.object_file


def lowered(code: DeviceCode, expression: str) -> str:
    """Return the name by which the image has what a name expression denotes; empty if it has none."""
    wanted = _without_spaces(expression)
    for instance, name in code.instances.items():
        if _without_spaces(instance.shown) == wanted:
            return name
    names = [*(kernel.name for kernel in code.kernels), *(item.name for item in code.variables)]
    return wanted if wanted in names else ""


def main(words: Sequence[str]) -> int:
    """Compile one program and return the exit status."""
    folder, (own, options) = Path(words[0]), _divided(words[1:])
    expressions = own[1::2]
    try:
        architectures = () if in_words(options) else (f"-arch=sm_{DEFAULT_OF_NVCC}",)
        known = flags.device_options((*architectures, *_with_meaning(options)))
    except ValueError as fault:
        print(f"error: {fault}")
        return 2
    include = folder / "include"
    if include.is_dir():
        known = replace(known, include_dirs=(*known.include_dirs, str(include)))
    source = Source((folder / "name").read_text(), (folder / "source").read_text())
    asked = KernelRequests(
        tuple(NamedInstance(_without_spaces(name)) for name in expressions if not _is_variable(name))
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that there is no cache
            code = device_code(source, known, default_cache(), lambda: asked)
    except (CompileError, ToolError) as fault:
        print(fault)
        return 1
    for warning in code.warnings:
        print(warning)
    (folder / "names").write_text("".join(f"{lowered(code, name)}\n" for name in expressions))
    (folder / "image").write_bytes(image(code))
    return 0


def _divided(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    at = words.index("--")
    return words[:at], words[at + 1 :]


def _with_meaning(options: Sequence[str]) -> Iterator[str]:
    """Yield the options that change something, in our words: a value may appear in a word of its own."""
    rest = iter(options)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in _WITHOUT_MEANING:
            if not equals and name == "--maxrregcount":
                next(rest, None)
        elif name in ("--include-path", "--define-macro"):
            yield ("-I" if name == "--include-path" else "-D") + (value if equals else next(rest, ""))
        else:
            yield word


def _is_variable(expression: str) -> bool:
    return expression.lstrip().startswith("&")


def _without_spaces(name: str) -> str:
    return "".join(name.split()).removeprefix("&")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
