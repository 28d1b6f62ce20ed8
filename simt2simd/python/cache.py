"""The kernel cache: a folder of files that many processes share. What is compiled once is only loaded afterwards.

An entry is a file named after its key, with a checksum of the key and its bytes before these. It is written under
another name and renamed, so that no process sees half of one; what is damaged all the same counts as missing, and so
does what is no file. Without a place to write, or with a full disk, everything works as without a cache. When the
entries outgrow the limit, those go that were not used for longest.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..diag import ToolError

DEFAULT_LIMIT_BYTES = 256 << 20
_MAGIC = b"simt2simd entry 2\n"
_SUFFIX = ".kernels"
_UNFINISHED = ".unfinished-"
_UNFINISHED_SECONDS = 3600  # older ones are those of processes that were killed
_KEPT_OF_LIMIT = 0.8  # what a clean-up leaves, so that not every new entry needs one


@dataclass(frozen=True)
class Entry:
    path: Path
    bytes: int
    used: float  # seconds since the epoch


@dataclass(frozen=True)
class Cache:
    """Bytes by key. Keys are names of files: letters and digits.

    `folder`: made when the first entry is written, for this user alone. One that others may write to is not used, for
    what it holds is run as code. `limit_bytes` 0: nothing is read or written.
    """

    folder: Path
    limit_bytes: int = DEFAULT_LIMIT_BYTES

    def get(self, key: str) -> bytes | None:
        """Return what was put under `key`, None if there is nothing, or nothing intact."""
        path = self._path(key)
        if self.limit_bytes == 0 or not self._is_ours():
            return None
        try:
            held = _read_file(path, len(_heading(key, b"")) + self.limit_bytes)
        except OSError:
            return None
        value = held[len(_heading(key, b"")) :]
        if held != _heading(key, value) + value:
            return None
        with suppress(OSError):  # then it only looks less used than it is
            os.utime(path)
        return value

    def put(self, key: str, value: bytes) -> None:
        """Keep `value` under `key`, in place of what was there."""
        if len(value) > self.limit_bytes:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not self._is_ours():
                return
            unfinished = self.folder / f"{_UNFINISHED}{os.getpid()}-{threading.get_ident()}-{time.time_ns()}"
            try:
                with open(unfinished, "xb") as file:
                    file.write(_heading(key, value) + value)
                os.replace(unfinished, self._path(key))
            except BaseException:
                unfinished.unlink(missing_ok=True)
                raise
        except OSError:
            return
        self._clean_up()

    def obstacle(self) -> str | None:
        """Return why the folder is not used although it is there, and what to do about it; None if it is used."""
        try:
            status = self.folder.stat()
        except OSError:
            return None
        if status.st_uid != os.geteuid():
            return f"'{self.folder}' belongs to another user\nhelp: set SIMT2SIMD_CACHE_DIR to a folder of your own"
        if status.st_mode & 0o022:
            return f"others than you may write to '{self.folder}'\nhelp: run `chmod go-w '{self.folder}'`"
        return None

    def entries(self) -> list[Entry]:
        """Return all entries, the one that was used last first."""
        found = []
        for path in self._files():
            if path.name.endswith(_SUFFIX) and (entry := _stat(path)) is not None:
                found.append(entry)
        return sorted(found, key=lambda entry: entry.used, reverse=True)

    def clear(self) -> None:
        """Remove all entries. Raises `ToolError` if that is not allowed."""
        for path in self._files():
            if path.name.endswith(_SUFFIX) or path.name.startswith(_UNFINISHED):
                try:
                    path.unlink(missing_ok=True)
                except IsADirectoryError:
                    continue  # not ours
                except OSError as fault:
                    raise ToolError(f"cannot remove '{path}': {fault.strerror or fault}") from fault

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{_SUFFIX}"

    def _files(self) -> list[Path]:
        try:
            return list(self.folder.iterdir())
        except OSError:
            return []

    def _is_ours(self) -> bool:
        """Return whether the folder is there and no other user can put code there."""
        return self.folder.exists() and self.obstacle() is None

    def _clean_up(self) -> None:
        entries = self.entries()
        total = sum(entry.bytes for entry in entries)
        outdated = [path for path in self._files() if _is_left_over(path)]
        if total > self.limit_bytes:
            while entries and total > _KEPT_OF_LIMIT * self.limit_bytes:
                oldest = entries.pop()
                total -= oldest.bytes
                outdated.append(oldest.path)
        for path in outdated:
            with suppress(OSError):  # another time
                path.unlink(missing_ok=True)


def _heading(key: str, value: bytes) -> bytes:
    """Return what an entry begins with. A file under another entry's name does not match it."""
    return _MAGIC + hashlib.sha256(key.encode() + b"\0" + value).digest()


def _read_file(path: Path, most_bytes: int) -> bytes:
    """Read a file. Raises `OSError` for what is none, and for more than `most_bytes`; never waits, as a pipe would."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > most_bytes:
            raise OSError(f"{path} is no entry")
        return file.read()


def _stat(path: Path) -> Entry | None:
    """Return None for what is no file."""
    try:
        status = path.lstat()
    except OSError:
        return None  # another process has removed it
    return Entry(path, status.st_size, status.st_mtime) if stat.S_ISREG(status.st_mode) else None


def _is_left_over(path: Path) -> bool:
    entry = _stat(path) if path.name.startswith(_UNFINISHED) else None
    return entry is not None and time.time() - entry.used > _UNFINISHED_SECONDS


def default_cache(environment: Mapping[str, str] = os.environ) -> Cache:
    """Return the user's cache, as the environment has it.

    Its folder is $SIMT2SIMD_CACHE_DIR, else $XDG_CACHE_HOME/simt2simd/kernels, else ~/.cache/simt2simd/kernels;
    $SIMT2SIMD_CACHE_SIZE is its limit: "64M", "1G", "0". Raises `ToolError` if that is no size.
    """
    folder = environment.get("SIMT2SIMD_CACHE_DIR")
    base = environment.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    path = Path(folder) if folder else Path(base, "simt2simd", "kernels")
    return Cache(path.absolute(), _limit(environment.get("SIMT2SIMD_CACHE_SIZE") or ""))


def _limit(text: str) -> int:
    if not text:
        return DEFAULT_LIMIT_BYTES
    match = re.fullmatch(r"(\d+)([KMG]?)", text, re.ASCII | re.IGNORECASE)
    if match is None:
        raise ToolError(f"SIMT2SIMD_CACHE_SIZE={text}: expected a number of bytes, such as 0, 500K, 64M or 1G")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2].upper()]
