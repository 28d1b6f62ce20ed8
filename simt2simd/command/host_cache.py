"""The host part of a file that has not changed is not compiled again: what the C++ compiler made is kept.

It is kept in the kernel cache, under the C++ compiler's command and everything that has a say in what becomes of it:
the compiler's own file, environment variables, this package. An entry also says which files were read, and which were
looked for first and were not there: a header that appears in an earlier folder makes it outdated, as one that changes.

What depends on more than that is not kept: files that ask for the time or for what headers there are (`keep`), and
flags whose meaning is not known here (`key_of`).
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import shutil
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..host.part import HostPart
from ..python.cache import Cache
from ..python.machine_code import compiler_version
from ..target import cpu_features
from .toolchain import HostFlags, Toolchain

# Flags that change nothing but the code and the messages. -Wa, -Wl and -Wp hand words on to other programs.
_KNOWN_FLAG = re.compile(
    r"-(O\w*|g\d?|ggdb\d?|w|W(?![alp],)[\w=+-]*|m[\w=.,+-]+|std=[\w+]+|pedantic[\w-]*|ansi|pthread|pipe|D.+|U.+"
    r"|f(?!auto-profile|branch-probabilities|callgraph-info|compare-debug|cs-profile|deps|diagnostics-format|dump|module"
    r"|opt-info|optimization-record|plugin|prebuilt|profile|sanitize-blacklist|save|stack-usage|test-coverage|time-trace)"
    r"[\w=.,+-]+)"
)
# Variables that the C++ compilers of GNU and LLVM read.
_VARIABLES = (
    *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH", "SOURCE_DATE_EPOCH"),
    *("LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANGUAGE", "GCC_COLORS", "GCC_URLS", "CCC_OVERRIDE_OPTIONS"),
)
_WRITING_VARIABLES = ("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES")  # with these, it writes more files
_MORE = re.compile(rb"__DATE__|__TIME__|__TIMESTAMP__|__has_include|__has_embed|#\s*embed|\.incbin|GCC\s+dependency")
_ASKED_FOR = re.compile(rb"""__has_include\s*\(\s*[<"]([^>"\n]+)[>"]""")  # headers that need not be there
_MARKER = re.compile(r'^# \d+ "((?:[^"\\]|\\.)*)"((?: \d)*)$', re.MULTILINE)
_CLOCK_SECONDS = 0.02  # by which files' times may be late
_PRECOMPILED = ".gch"  # of a header: where it is there, it is read in the header's place


@dataclass(frozen=True)
class HostObject:
    """What the C++ compiler made of the host part of a file. `part` is without its text; `rule` is one for `make`."""

    part: HostPart
    object_file: bytes
    warnings: str
    rule: str | None


@dataclass(frozen=True)
class _Entry:
    """What is kept, the digests of all files that were read, and the names of those that must not be there."""

    made: HostObject
    read: Mapping[str, bytes]
    missing: tuple[str, ...]


def key_of(toolchain: Toolchain, file: str, flags: HostFlags, words: Sequence[str], *, linked: bool) -> str | None:
    """Return a name for what is known before the file is read; None if what comes of it must not be kept.

    `words` are more of the C++ compiler's, `linked` as for `split`.
    """
    if flags.echo or any(os.environ.get(name) for name in _WRITING_VARIABLES):
        return None
    command = toolchain.preprocessing(file, flags, words)
    if not all(map(_KNOWN_FLAG.fullmatch, flags.compile_args)) or any(map(_MORE.search, map(os.fsencode, command))):
        return None
    tools = [path for word in toolchain.cxx if (path := shutil.which(word)) is not None]
    versions = [(path, (status := os.stat(path)).st_size, status.st_mtime_ns) for path in map(os.path.realpath, tools)]
    this_cpu = sorted(cpu_features()) if any("native" in word for word in command) else []
    variables = [os.environ.get(name) for name in _VARIABLES]
    places = (os.getcwd(), os.path.realpath(file))
    known = (compiler_version(), command, versions, variables, places, this_cpu, linked)
    return hashlib.sha256(repr(known).encode(errors="surrogateescape")).hexdigest()


def kept(cache: Cache, key: str) -> HostObject | None:
    """Return what was kept under `key`, if nothing that it depends on has changed."""
    held = cache.get(key)
    if held is None:
        return None
    try:
        entry = pickle.loads(held)
    except Exception:  # pickle raises whatever the bytes make it stumble over
        return None
    if not isinstance(entry, _Entry) or any(map(os.path.lexists, entry.missing)):
        return None
    return entry.made if all(_digest(path) == digest for path, digest in entry.read.items()) else None


def keep(
    cache: Cache, key: str, made: HostObject, preprocessed: str, folders: Collection[str], *, started: float
) -> None:
    """Keep what was made of a file, unless it depends on more than what can be checked.

    `preprocessed` is the file as the C++ preprocessor gives it, `folders` are those that it searches; without any,
    nothing is kept. Files that have changed since the time `started`, in seconds since the epoch, may have been read as
    they were.
    """
    if not folders:
        return
    included = list(_inclusions(preprocessed))
    read: dict[str, bytes] = {}
    asked_for: set[str] = set()
    for path in {path for _, path in included}:
        text = _content(path)
        if text is None or os.stat(path).st_mtime > started - _CLOCK_SECONDS:
            return
        if _is_of_system(path, folders):
            asked_for |= {name.decode(errors="surrogateescape") for name in _ASKED_FOR.findall(text)}
        elif _MORE.search(text):
            return
        read[path] = hashlib.sha256(text).digest()
    missing = _missing(included, folders)
    if missing is not None:
        optional = {os.path.join(folder, name) for folder in folders for name in asked_for}
        missing |= {path for path in optional if not os.path.lexists(path)}
        cache.put(key, pickle.dumps(_Entry(made, read, tuple(sorted(missing)))))


def _inclusions(preprocessed: str) -> Iterator[tuple[str, str]]:
    """Yield (who includes, what) of each file that was read; the program file, and what a flag names, are by nobody."""
    inside: list[str] = []
    for match in _MARKER.finditer(preprocessed):
        path, numbers = re.sub(r"\\(.)", r"\1", match[1]), match[2].split()
        is_file = not path.startswith("<")  # as "<built-in>" does
        if "2" in numbers:
            inside = inside[:-1]
        elif "1" in numbers or (not inside and is_file):
            if is_file:
                yield (inside[-1] if inside else "", path)
            inside.append(path)


def _missing(included: Sequence[tuple[str, str]], folders: Collection[str]) -> set[str] | None:
    """Return the files that would be read in place of others if they were there; None if that cannot be told."""
    found: set[str] = set()
    for including, path in included:
        found.add(path + _PRECOMPILED)
        bases = dict.fromkeys([os.path.dirname(including), "", *folders])  # "": where the compiler runs
        names = {path[len(base) + 1 :] for base in bases if base and path.startswith(f"{base}/")}
        if not os.path.isabs(path):
            names.add(path)
        if including and not names:
            return None
        found |= {os.path.join(base, name) for base in bases for name in names}
    there = set(filter(os.path.lexists, found))
    return None if any(path.endswith(_PRECOMPILED) for path in there) else found - there


def _is_of_system(path: str, folders: Collection[str]) -> bool:
    return path.startswith(("/usr/include/", "/usr/lib/")) and any(path.startswith(f"{base}/") for base in folders)


def _content(path: str) -> bytes | None:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe would keep us waiting
            return None
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError):  # the latter for what is no path
        return None


def _digest(path: str) -> bytes | None:
    text = _content(path)
    return None if text is None else hashlib.sha256(text).digest()
