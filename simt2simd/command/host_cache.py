"""The host part of a file that has not changed is not compiled again: what the C++ compiler made is kept.

The C++ preprocessor runs in every build. Its text says all that the file and its headers have to say. An entry of the
kernel cache has that text as its key, with the other things that the C++ compiler goes by: its flags, the programs that
it runs, environment variables, the program file (for messages), this package.

What would depend on more is not kept: assembly that may read files, warnings about lines of headers, flags whose
meaning is not known here, and what compilers make that are scripts.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import shlex
import shutil
from dataclasses import dataclass

from ..host.part import HostPart
from ..python.cache import Cache
from ..python.machine_code import compiler_version
from ..source import Source
from .toolchain import CompilerFailed, HostFlags, Toolchain

# Flags that change nothing but the code and the messages. -Wa, -Wl and -Wp hand words on to other programs, and what
# follows "=" may be a file.
_KNOWN_FLAG = re.compile(
    r"-(O\w*|g\d?|ggdb\d?|w|W(?![alp],)[\w=+-]*|m[\w=.,+-]+|std=[\w+]+|pedantic[\w-]*|ansi|pthread|pipe|D.+|U.+"
    r"|f(?!auto-profile|branch-probabilities|callgraph-info|compare-debug|cs-profile|deps|dump|module|opt-info|pch"
    r"|optimization-record|plugin|profile|report|save|stack-usage|test-coverage|time-trace)[\w+-]+"
    r"|f(no-)?(visibility|fp-contract|sanitize|sanitize-recover|sanitize-trap|tls-model|cf-protection|lto|openmp"
    r"|abi-version|template-depth|constexpr-[a-z-]+|max-errors|message-length|diagnostics-color|excess-precision"
    r"|align-[a-z]+|input-charset|exec-charset|strict-aliasing|stack-protector|rounding-math|debug-prefix-map"
    r"|file-prefix-map|macro-prefix-map)=[\w=.,/+-]*)"
)
# Variables that the C++ compilers of GNU and LLVM read, and the loader for them. Where headers are is in the text.
_VARIABLES = (
    *("PATH", "PWD", "COMPILER_PATH", "GCC_EXEC_PREFIX", "GCC_ROOT", "LIBRARY_PATH", "SOURCE_DATE_EPOCH"),
    *("LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANGUAGE", "COLUMNS", "TERM", "TZ", "LD_PRELOAD"),
    *("LD_LIBRARY_PATH", "GCC_COLORS", "GCC_URLS", "TERM_URLS", "GCC_EXTRA_DIAGNOSTIC_OUTPUT"),
)
# With these it writes more files, or takes flags from them.
_REFUSED_VARIABLES = (
    *("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "CC_PRINT_OPTIONS", "CC_PRINT_HEADERS", "CC_LOG_DIAGNOSTICS"),
    *("CCC_OVERRIDE_OPTIONS", "GCC_COMPARE_DEBUG", "GCC_DIAGNOSTICS_LOG", "EXPERIMENTAL_SARIF_SOCKET"),
)
_COMPILER = re.compile(r"(.+-)?(g\+\+|c\+\+|gcc|clang|clang\+\+)(-[\d.]+)?")  # by the name that links lead to
_FLAGS_FROM_FILES = re.compile(r"^(Configuration file:|Reading specs from)", re.MULTILINE)
_ELF = b"\x7fELF"

_MARKER = re.compile(r'^# \d+ "(?:[^"\\\n]|\\.)*"[ \d]*$', re.MULTILINE)
_ASM = re.compile(r"\b(?:asm|__asm|__asm__)\b")
# One that names a symbol or has instructions alone. A directive begins with "."; a string could spell that otherwise.
_HARMLESS_ASM = re.compile(
    r"\b(?:asm|__asm|__asm__)\s*(?:(?:volatile|__volatile__|__volatile|goto|inline|__inline__)\s*)*"
    r'\((?:\s*"(?:[^".\\\n]|\\[nt])*")+\s*[:)]'
)
# Names that go into assembly as they are, and whatever else makes the compiler read a file.
_READS_FILES = re.compile(
    r'\b_*(?:section|alias|ifunc|symver|weakref)_*\s*\(\s*(?=[uUL8R]*")(?!"[^"\\\n]*"\s*\))'
    r"|\bGCC\s+(?:dependency|pch_preprocess)|^\s*(?:export\s+)?import\b|^\s*#\s*embed\b",
    re.MULTILINE,
)
_PLACE = re.compile(r"^(?! )(.*?):\d+[:,]", re.MULTILINE)  # in a message; lines that quote begin with blanks


@dataclass(frozen=True)
class HostObject:
    """What the C++ compiler made of the host part of a file. `part` is without its text."""

    part: HostPart
    object_file: bytes
    warnings: str


def key_of(toolchain: Toolchain, preprocessed: str, source: Source, flags: HostFlags, *, linked: bool) -> str | None:
    """Return a name for what becomes of a file; None if that must not be kept.

    `preprocessed` is the text of `source` as the C++ preprocessor gives it, `linked` as for `split`.
    """
    if flags.echo or any(os.environ.get(name) for name in _REFUSED_VARIABLES):
        return None
    if not all(map(_KNOWN_FLAG.fullmatch, (*toolchain.cxx[1:], *flags.compile_args))):
        return None
    tools = _tools(toolchain, flags)
    if tools is None:
        return None
    variables = [os.environ.get(name) for name in _VARIABLES]
    texts = (source.name, _digest(source.text), _digest(preprocessed))
    known = (compiler_version(), toolchain.cxx, flags.compiling, tools, variables, os.getcwd(), texts, linked)
    return _digest(repr(known))


def kept(cache: Cache, key: str) -> HostObject | None:
    """Return what was kept under `key`."""
    held = cache.get(key)
    if held is None:
        return None
    try:
        made = pickle.loads(held)
    except Exception:  # pickle raises whatever the bytes make it stumble over
        return None
    return made if isinstance(made, HostObject) else None


def keep(cache: Cache, key: str, made: HostObject, file: str, text: str) -> None:
    """Keep what was made of the C++ `text` of `file`, unless it may depend on other files."""
    code = _MARKER.sub("", text)
    has_more_asm = len(_ASM.findall(code)) > len(_HARMLESS_ASM.findall(code))
    quotes_headers = not set(_PLACE.findall(made.warnings)) <= {file}
    if not (has_more_asm or quotes_headers or _READS_FILES.search(code)):
        cache.put(key, pickle.dumps(made))


def _tools(toolchain: Toolchain, flags: HostFlags) -> tuple[object, ...] | None:
    """Return the commands that compile, and which files their programs are now; None if that may not be all."""
    try:
        commands = toolchain.commands(flags)
    except CompilerFailed:
        return None
    if not _COMPILER.fullmatch(os.path.basename(os.path.realpath(shutil.which(toolchain.cxx[0]) or ""))):
        return None  # one that calls a compiler and reads files of its own
    try:
        programs = [shlex.split(line)[0] for line in commands.splitlines() if line.startswith(" ") and line.strip()]
        identities = [_identity(program) for program in (toolchain.cxx[0], *programs)]
    except (OSError, ValueError):
        return None
    if len(programs) == 0 or None in identities or _FLAGS_FROM_FILES.search(commands):
        return None
    return commands, *identities


def _identity(program: str) -> tuple[object, ...] | None:
    """Return what distinguishes a program from the one that had its name before; None for a script."""
    path = os.path.realpath(shutil.which(program) or program)
    with open(path, "rb") as file:
        if file.read(len(_ELF)) != _ELF:
            return None
        status = os.fstat(file.fileno())
    return path, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
