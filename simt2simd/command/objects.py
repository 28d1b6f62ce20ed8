"""Device code in object files and libraries, which the link step makes one program of (`-rdc=true`).

A library is an archive, as `ar` makes it: its members follow each other, each with a header of 60 characters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..abi import TREE_SECTION
from ..diag import ToolError
from ..host.elf import ObjectFile

LINKED_SECTION = ".s2s_linked"  # of an object that holds the code of trees in other objects: their digests
_DIGEST_BYTES = 32
_ARCHIVE, _THIN_ARCHIVE = b"!<arch>\n", b"!<thin>\n"
_HEADER_BYTES = 60


def digests(trees: Sequence[bytes]) -> bytes:
    """Return what is in `LINKED_SECTION`."""
    return b"".join(hashlib.sha256(tree).digest() for tree in trees)


def trees_in(files: Sequence[str]) -> list[bytes]:
    """Return the trees in objects and libraries that are yet to be linked, each once.

    Raises `ToolError` for a file that is damaged.
    """
    found: dict[bytes, None] = {}
    linked: set[bytes] = set()
    for file in files:
        for data in _objects(Path(file)):
            if TREE_SECTION.encode() not in data and LINKED_SECTION.encode() not in data:
                continue
            from ..link.relocatable import pieces  # which takes a while to load

            try:
                made = ObjectFile(data)
                found |= dict.fromkeys(pieces(made.contents(TREE_SECTION)))
            except ValueError as fault:
                raise ToolError(f"cannot link '{file}': {fault}") from fault
            known = made.contents(LINKED_SECTION)
            linked |= {known[at : at + _DIGEST_BYTES] for at in range(0, len(known), _DIGEST_BYTES)}
    return [tree for tree in found if hashlib.sha256(tree).digest() not in linked]


def libraries(link_args: Sequence[str]) -> list[str]:
    """Return the files of the static libraries that `-l` names and that are in folders that `-L` names."""
    folders = [Path(word[2:]) for word in link_args if word.startswith("-L")]
    found: list[str] = []
    for word in link_args:
        if word.startswith("-l"):
            here = [folder for folder in folders if _library(folder, word[2:]).exists()]
            found += [str(_library(folder, word[2:])) for folder in here[:1]]
    return found


def _library(folder: Path, name: str) -> Path:
    shared = folder / f"lib{name}.so"  # which linkers prefer
    return shared if shared.exists() else folder / f"lib{name}.a"


def _objects(path: Path) -> Iterator[bytes]:
    """Yield the object files in a file."""
    data = path.read_bytes()
    if data.startswith((_ARCHIVE, _THIN_ARCHIVE)):
        yield from _members(path, data)
    elif path.suffix == ".o":
        yield data


def _members(path: Path, data: bytes) -> Iterator[bytes]:
    """Yield the members of an archive; those of a thin one are files of their own."""
    thin = data.startswith(_THIN_ARCHIVE)
    long_names = b""
    at = len(_ARCHIVE)
    while at + _HEADER_BYTES <= len(data):
        name, size = data[at : at + 16].rstrip(), int(data[at + 48 : at + 58] or b"0")
        at += _HEADER_BYTES
        content = data[at : at + size]
        is_table = name in (b"/", b"//", b"/SYM64/")
        if name == b"//":
            long_names = content
        elif thin and not is_table:
            yield (path.parent / _member_name(name, long_names)).read_bytes()
        elif not is_table:
            yield content
        at += (size + size % 2) if is_table or not thin else 0


def _member_name(name: bytes, long_names: bytes) -> str:
    """Return a member's name, `a.o/`, or `/12`: its place among the long ones."""
    if name.startswith(b"/"):
        name = long_names[int(name[1:]) :].partition(b"\n")[0]
    return name.decode(errors="surrogateescape").removesuffix("/")
