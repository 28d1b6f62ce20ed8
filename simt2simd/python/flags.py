"""nvcc's flags for device code, as Python programs pass them to CuPy: a tuple of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..options import Options
from ..target import native

# Without effect on a CPU, or what we always do.
_IGNORED = frozenset(
    """-std --std -arch --gpu-architecture -lineinfo --generate-line-info -G --device-debug -w -default-device
    --default-device -ftz --ftz -prec-div --prec-div -prec-sqrt --prec-sqrt""".split()
)


def device_options(words: Sequence[str]) -> Options:
    """Return the options that `words` ask for, for this machine's CPU.

    Raises `ValueError` for a flag that nobody knows, `ToolError` if this CPU cannot run any target.
    """
    options = Options(target=native())
    remaining = iter(words)
    for word in remaining:
        name, _, value = word.partition("=")
        if word[:2] in ("-D", "-I"):
            text = word[2:] or next(remaining, "")
            if word[1] == "D":
                options = replace(options, defines=(*options.defines, text))
            else:
                options = replace(options, include_dirs=(*options.include_dirs, text))
        elif name in ("-use_fast_math", "--use_fast_math"):
            options = replace(options, fast_math=True)
        elif name in ("-fmad", "--fmad") and value in ("true", "false"):
            options = replace(options, fmad=value == "true")
        elif word == "--verify":
            options = replace(options, verify=True)
        elif name == "--lanes" and value in ("16", "32", "64"):
            options = replace(options, lanes=int(value))
        elif word in ("-O0", "-O1", "-O2", "-O3"):
            options = replace(options, optimise=int(word[2]))
        elif name not in _IGNORED:
            raise ValueError(
                f"unknown option '{word}': known are "
                "-D -I -O0..-O3 -fmad=true|false --use_fast_math --verify --lanes=16|32|64"
            )
    return options
