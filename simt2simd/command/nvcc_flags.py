"""nvcc's options on the command line of `simt2simd compile`: those without effect, and those that are refused."""

from __future__ import annotations

from .nvcc_options import BY_NAME, ROWS, NvccOption

# What `simt2simd nvcc` heeds, and what says nothing here beyond what `compile` does anyway.
_ONLY_OF_NVCC = (
    "Xptxas", "cudart", "default-stream", "link", "keep-dir", "nodlink", "Wno-deprecated-declarations", "res-usage",
)  # fmt: skip

_IGNORED = [row for row in ROWS if row.ignored or row.short in _ONLY_OF_NVCC]
_ARCHITECTURES = [row for row in ROWS if row.short in ("arch", "gencode")]


def _names(row: NvccOption) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reversed(row.names)))


# Without effect here; `--target cuda` passes them on.
IGNORED_SWITCHES = tuple(_names(row) for row in _IGNORED if not row.takes)
IGNORED_WITH_VALUE = tuple(_names(row) for row in _IGNORED if row.takes)
ARCHITECTURES = tuple(_names(row) for row in _ARCHITECTURES)

# One letter that takes what follows as its value, without a space. nvcc does not know `-oFILE` and `-cFILE` either.
_GLUED = tuple(f"-{row.short}" for row in ROWS if row.may_touch)


def why_refused(word: str, known: frozenset[str]) -> str | None:
    """Return what to say about a word of the command line that is no option of ours, which are `known`; None if it is.

    A word with one dash must be an option as it is, before a `=`, or a letter of `_GLUED` with its value.
    """
    name = word.partition("=")[0]
    if not word.startswith("-") or word in ("-", "--") or name in known:
        return None
    row = BY_NAME.get(name)
    if row is not None:
        instead = row.refused or "`simt2simd nvcc` has nvcc's own command line"
        return f"nvcc's option '{name}' is not supported\nhelp: {instead}"
    if word.startswith(_GLUED) and not word.startswith("--"):
        return None
    if word.startswith("-o"):
        return f"unknown option '{word}'; the output is named by -o FILE"
    return f"unknown option '{word}'; the C++ compiler's options are passed on as -Xcompiler OPTION"
