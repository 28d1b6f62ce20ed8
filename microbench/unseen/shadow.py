"""Copies a folder of programs, so that what they and their Makefiles write does not land in it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .find import TWIN_WORDS

LINKED_BYTES = 2**22  # files from this size on are linked to, not copied: data
LEVELS = 2  # folders above that are there too: `../../data`, `../common.mk`


def shadow(top: Path, place: Path) -> Path:
    """Return a copy of a folder below `place`, with what lies beside it and beside the folder above it.

    What lies beside is linked to, except folders of twins, which are copied. What is already there and as old stays.
    """
    above = [folder for folder in list(top.parents)[:LEVELS] if folder != Path("/")]
    base = place / "tree"
    for folder in reversed(above):
        base = base / folder.name
        base.mkdir(parents=True, exist_ok=True)
        inner = top if folder == top.parent else top.parent
        for item in sorted(folder.iterdir()):
            if item == inner or item.name.startswith(".") or place.is_relative_to(item):
                continue
            if folder == top.parent and item.is_dir() and item.name.lower() in TWIN_WORDS:
                _copy(item, base / item.name)
            elif not (base / item.name).exists() and not (base / item.name).is_symlink():
                (base / item.name).symlink_to(item)
    copied = base / top.name
    _copy(top, copied)
    return copied


def _copy(source: Path, target: Path) -> None:
    for folder, folders, files in os.walk(source):
        folders[:] = [name for name in folders if not name.startswith(".") and target != Path(folder, name)]
        place = target / Path(folder).relative_to(source)
        place.mkdir(parents=True, exist_ok=True)
        for name in files:
            _copy_file(Path(folder, name), place / name)


def _copy_file(source: Path, target: Path) -> None:
    if not source.is_file():
        return
    status = source.stat()
    if status.st_size >= LINKED_BYTES:
        if not target.is_symlink():
            target.unlink(missing_ok=True)
            target.symlink_to(source)
    elif not target.exists() or target.stat().st_mtime < status.st_mtime:
        target.unlink(missing_ok=True)
        shutil.copy2(source, target)
