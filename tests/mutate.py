"""The compiler ends with success or with messages, and soon, whatever the text: this test gives it damaged programs.

    python -m tests.mutate --seconds 600 --seed 1 [--count 50000] [--keep FOLDER] [--jobs 2]

It takes every `.cu` file of the repository and damages it in one to four ways. Each mutant is run through the front end
and the host split, some through all stages down to machine code. A mutant that ends otherwise than with success or
`CompileError`, or needs more than 30 s of CPU, is a failure: it is written to FOLDER, and the exit code is 1. The same
seed and number give the same mutant.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import re
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.connection import Connection, wait
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CPU_LIMIT_S = 30  # a hang; the longest takes 7 s on an idle core, and thrice as long on a busy one
MEMORY_LIMIT_BYTES = 6 << 30  # of addresses, beyond those that a process begins with
WHOLE_PART = 1 / 40  # of the mutants that the checker accepts, how many go down to machine code
FILES_PER_FAULT = 3

# --------------------------------------------------------------------------------------------- mutants

_PIECE = re.compile(
    rb"""\s+|//[^\n]*|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.'])*|"(?:[^"\\\n]|\\.)*"
         |<<<|>>>|[-+*/%&|^<>=!]=|&&|\|\||\+\+|--|->|<<|>>|[^\s]""",
    re.VERBOSE,
)
_BRACKETS = (b"(", b")", b"[", b"]", b"{", b"}", b"<<<", b">>>", b"<", b">")
_LITERALS = (
    b"9" * 30, b"9" * 5000, b"0x" + b"f" * 400, b"1e99999", b"1e-99999f", b"0x1p999999999", b"1" + b"0" * 400 + b".5",
    b"-9223372036854775808", b"18446744073709551615u", b"0777777777777777777777777", b"08", b"0b", b"0x", b"1.2.3",
    b"'\\", b"'\\x'", b"'\\777'", b"''", b'"' + b"a" * 100_000 + b'"', b"a" * 100_000, b"1'", b"1uu", b"1e",
    b"2147483648", b'"',
)  # fmt: skip
_NESTINGS: tuple[tuple[bytes, bytes], ...] = (
    (b"(", b")"), (b"-", b""), (b"!", b""), (b"*", b""), (b"&", b""), (b"(int)", b""), (b"[", b"]"), (b"{", b"}"),
    (b"f(", b")"), (b"a[", b"]"), (b"1 ? ", b" : 2"), (b"1 ? 2 : ", b""), (b"if (1) ", b""), (b"for (;;) ", b""),
    (b"1 + ", b""), (b"1 && ", b""), (b"x = ", b""), (b"sizeof ", b""), (b"int *", b""), (b"", b"->a"), (b"", b"++"),
    (b"struct {", b"} s;"), (b"do ", b" while (1);"), (b"case 1: ", b""), (b"a, ", b""), (b"<", b">"),
)  # fmt: skip
_BYTES = (
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\xc2\x85",
    b"\xf0\x9f\x98\x80",
    b"\xc3\xa9",
)
_CONTROL = (b"\0", b"\x01", b"\x0b", b"\x0c", b"\x1a", b"\x1b", b"\x7f", b"\r", b"\\", b"\\\n", b"@", b"`", b"$")
_DIRECTIVES = (
    b"#if", b"#if 1", b"#if (", b'#if "a"', b"#if 1 / 0", b"#if defined", b"#elif 1", b"#else", b"#endif", b"#ifdef",
    b"#ifndef X Y", b"#define", b"#define F(x", b"#define F(x, x) x", b"#define F(1) 2",
    b"#define F(...) __VA_ARGS__", b"#define S(x) #x", b"#define S(x) #y", b"#define P(a, b) a ## b", b"#define P ##",
    b"#define int float", b"#define A A", b"#define n (n + n)", b"#define f(x) f(f(x))", b"#define ( )", b"#undef",
    b"#undef n", b"#include", b"#include <", b'#include ""', b'#include "."', b"#include <stdio.h", b"#include X",
    b"#pragma", b"#pragma unroll", b"#pragma unroll -1", b"#pragma unroll 1 +", b"#pragma once", b"#line", b"#line 0",
    b'#line 1 "a.cu"', b"#error", b"#warning", b"#", b"##", b"# 1", b'# 3 "b.cu"', b"#bogus", b"/*", b"*/", b"//\\",
)  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A damaged program: the file that it was made of, and what was done to it."""

    number: int
    origin: Path
    text: bytes
    changes: tuple[str, ...]


@cache
def programs() -> tuple[Path, ...]:
    """Return the `.cu` files of the repository."""
    hidden = {"build", ".venv", "node_modules"}
    found = (path for path in ROOT.rglob("*.cu") if not hidden & set(path.relative_to(ROOT).parts))
    return tuple(sorted(found))


@cache
def pieces_of(path: Path) -> tuple[bytes, ...]:
    return tuple(_PIECE.findall(path.read_bytes()))


def mutant(seed: int, number: int) -> Mutant:
    """Return the mutant that a seed and a number give."""
    rng = random.Random(f"{seed}/{number}")
    origin = rng.choice(programs())
    text = origin.read_bytes()
    changes: list[str] = []
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        change = rng.choice(CHANGES)
        text = change(text, rng)
        changes.append(change.__name__.strip("_"))
    return Mutant(number, origin, text, tuple(changes))


def _pieces(text: bytes) -> list[bytes]:
    return _PIECE.findall(text) or [b""]


def _solid(pieces: list[bytes], rng: random.Random) -> int:
    """Return the place of a piece that is not blank, if chance finds one."""
    for _ in range(20):
        at = rng.randrange(len(pieces))
        if not pieces[at].isspace():
            return at
    return rng.randrange(len(pieces))


def _foreign(rng: random.Random) -> bytes:
    return rng.choice(pieces_of(rng.choice(programs())) or (b"",))


def _delete(text: bytes, rng: random.Random) -> bytes:
    pieces = _pieces(text)
    at = _solid(pieces, rng)
    del pieces[at : at + rng.choice((1, 1, 1, 2, 5))]
    return b"".join(pieces)


def _duplicate(text: bytes, rng: random.Random) -> bytes:
    pieces = _pieces(text)
    at = _solid(pieces, rng)
    length = rng.choice((1, 1, 2, 10))
    pieces[at:at] = pieces[at : at + length]
    return b"".join(pieces)


def _swap(text: bytes, rng: random.Random) -> bytes:
    pieces = _pieces(text)
    a, b = _solid(pieces, rng), _solid(pieces, rng)
    if rng.random() < 0.5:
        b = min(a + 2, len(pieces) - 1)
    pieces[a], pieces[b] = pieces[b], pieces[a]
    return b"".join(pieces)


def _replace(text: bytes, rng: random.Random) -> bytes:
    pieces = _pieces(text)
    pieces[_solid(pieces, rng)] = _foreign(rng)
    return b"".join(pieces)


def _insert(text: bytes, rng: random.Random) -> bytes:
    pieces = _pieces(text)
    pieces.insert(_solid(pieces, rng), _foreign(rng))
    return b"".join(pieces)


def _flip_bytes(text: bytes, rng: random.Random) -> bytes:
    changed = bytearray(text or b"\n")
    for _ in range(rng.choice((1, 2, 8))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _truncate(text: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(text) + 1)
    return text[:at] if rng.random() < 0.7 else text[at:]


def _unbalance(text: bytes, rng: random.Random) -> bytes:
    pieces = _pieces(text)
    places = [at for at, piece in enumerate(pieces) if piece in _BRACKETS]
    if not places or rng.random() < 0.3:
        pieces.insert(_solid(pieces, rng), rng.choice(_BRACKETS) * rng.choice((1, 1, 3)))
    elif rng.random() < 0.5:
        del pieces[rng.choice(places)]
    else:
        pieces[rng.choice(places)] = rng.choice(_BRACKETS)
    return b"".join(pieces)


def _exaggerate(text: bytes, rng: random.Random) -> bytes:
    """Put a huge or malformed literal in place of a number, or anywhere."""
    pieces = _pieces(text)
    numbers = [at for at, piece in enumerate(pieces) if piece[:1].isdigit()]
    at = rng.choice(numbers) if numbers and rng.random() < 0.8 else _solid(pieces, rng)
    pieces[at] = rng.choice(_LITERALS)
    return b"".join(pieces)


def _nest(text: bytes, rng: random.Random) -> bytes:
    """Wrap a piece into many brackets, operators or statements; sometimes they do not match."""
    pieces = _pieces(text)
    at = _solid(pieces, rng)
    before, after = rng.choice(_NESTINGS)
    depth = rng.choice((3, 30, 100, 300, 1000, 3000))
    closed = depth if rng.random() < 0.7 else rng.randrange(depth + 1)
    pieces[at] = before * depth + pieces[at] + after * closed
    return b"".join(pieces)


def _spoil(text: bytes, rng: random.Random) -> bytes:
    """Insert what is not UTF-8, or a character that C++ does not know."""
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(_BYTES if rng.random() < 0.5 else _CONTROL) + text[at:]


def _shuffle_lines(text: bytes, rng: random.Random) -> bytes:
    lines = text.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[a]
        case 1:
            lines.insert(b, lines[a])
        case 2:
            lines[a], lines[b] = lines[b], lines[a]
        case _:
            lines[min(a, b) : max(a, b)] = []
    return b"\n".join(lines)


def _splice(text: bytes, rng: random.Random) -> bytes:
    """Continue with another program."""
    other = rng.choice(programs()).read_bytes()
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def _direct(text: bytes, rng: random.Random) -> bytes:
    lines = text.split(b"\n")
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(_DIRECTIVES))
    return b"\n".join(lines)


CHANGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _delete, _duplicate, _swap, _replace, _replace, _insert, _flip_bytes, _truncate, _unbalance, _exaggerate, _nest,
    _spoil, _shuffle_lines, _splice, _direct,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------- one run


def run(damaged: Mutant, *, whole: bool) -> None:
    """Send a mutant through the compiler; `whole`: down to machine code. Raises what the compiler must not raise."""
    from simt2simd import pipeline
    from simt2simd.diag import CompileError
    from simt2simd.host import split
    from simt2simd.options import Options
    from simt2simd.source import Source

    name = str(damaged.origin.with_name("mutant.cu"))
    source = Source(name, damaged.text.decode("utf-8-sig", errors="replace"))
    options = Options(device_only=damaged.number % 2 == 0, include_dirs=(str(ROOT / "microbench"),), optimise=1)
    try:
        compiled = pipeline.compile_device(source, options, until=pipeline.STAGES[-1].name if whole else "tree")
        if whole:
            compiled.object_code()
    except CompileError as fault:
        assert str(fault)
    try:
        split.split(f'# 1 "{name}"\n{source.text}', source)
    except CompileError as fault:
        assert str(fault)


def _serve(connection: Connection, seed: int) -> None:
    """Run the mutants whose numbers come, and answer each with a description of its fault, None if there is none."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY_LIMIT_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.chdir(ROOT)
    while True:
        number = connection.recv()
        damaged = mutant(seed, number)
        try:
            run(damaged, whole=random.Random(f"{seed}/{number}/whole").random() < WHOLE_PART)
            connection.send(None)
        except Exception as fault:
            connection.send(_describe(fault))


def _describe(fault: BaseException) -> tuple[str, str]:
    """Return a line that distinguishes a fault from others, and its traceback."""
    root = fault
    while root.__cause__ is not None:
        root = root.__cause__
    frames = traceback.extract_tb(root.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno} in {frames[-1].name}" if frames else "nowhere"
    text = traceback.format_exception(fault)
    return f"{type(root).__name__} at {place}", "".join([*text[:5], "...\n", *text[-8:]] if len(text) > 15 else text)


class _Worker:
    """A process that runs one mutant after another; a new one takes its place when it crashes or takes too long."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.number: int | None = None
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._seed), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, number: int) -> None:
        self.number = number
        self._used_before = self._cpu_s()
        self.connection.send(number)

    def answer(self) -> tuple[str, str] | None:
        """Return what became of the mutant. Assumes that there is an answer, or that the process has ended."""
        try:
            answer: tuple[str, str] | None = self.connection.recv()
            return answer
        except EOFError:
            self._process.join()
            code = self._process.exitcode or 0
            self._start()
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            return f"the process ended with {how}", ""

    def is_late(self) -> bool:
        return self._cpu_s() - self._used_before > CPU_LIMIT_S

    def replace(self) -> tuple[str, str]:
        self.stop()
        self._start()
        return f"more than {CPU_LIMIT_S} s of CPU", ""

    def stop(self) -> None:
        self._process.kill()
        self._process.join()

    def _cpu_s(self) -> float:
        """Return the CPU time that the process has used so far."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# ------------------------------------------------------------------------------------------------ all runs


@dataclass
class Report:
    """What came out. `faults`: how often each was met, and `files` the mutants kept of each."""

    done: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    files: dict[str, list[Path]] = field(default_factory=dict)


def campaign(
    seed: int,
    *,
    seconds: float | None = None,
    count: int | None = None,
    jobs: int = 1,
    keep: Path | None = None,
    first: int = 0,
    progress: Callable[[Report], object] = lambda report: None,
) -> Report:
    """Run mutants until `count` are done or `seconds` are over; write those that fail into `keep`."""
    report = Report()
    end = None if seconds is None else time.monotonic() + seconds
    numbers = _numbers(first, count, end)
    workers = [_Worker(seed) for _ in range(jobs)]
    try:
        busy = [worker for worker in workers if _feed(worker, numbers)]
        while busy:
            ready = wait([worker.connection for worker in busy], timeout=0.5)
            for worker in list(busy):
                if worker.connection in ready:
                    fault = worker.answer()
                elif worker.is_late():
                    fault = worker.replace()
                else:
                    continue
                report.done += 1
                if fault is not None:
                    assert worker.number is not None
                    _record(report, fault, seed, worker.number, keep)
                progress(report)
                if not _feed(worker, numbers):
                    busy.remove(worker)
    finally:
        for worker in workers:
            worker.stop()
    return report


def _numbers(first: int, count: int | None, end: float | None) -> Iterator[int]:
    number = first
    while (count is None or number < first + count) and (end is None or time.monotonic() < end):
        yield number
        number += 1


def _feed(worker: _Worker, numbers: Iterator[int]) -> bool:
    number = next(numbers, None)
    if number is not None:
        worker.give(number)
    return number is not None


def _record(report: Report, fault: tuple[str, str], seed: int, number: int, keep: Path | None) -> None:
    name, details = fault
    report.faults[name] += 1
    files = report.files.setdefault(name, [])
    if keep is None or len(files) >= FILES_PER_FAULT:
        return
    damaged = mutant(seed, number)
    keep.mkdir(parents=True, exist_ok=True)
    path = keep / f"{seed}-{number}.cu"
    path.write_bytes(damaged.text)
    origin = damaged.origin.relative_to(ROOT)
    path.with_suffix(".txt").write_text(
        f"{name}\nseed {seed}, mutant {number} of {origin}: {', '.join(damaged.changes)}\n\n{details}"
    )
    files.append(path)


def main() -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--count", type=int, help="stop after this many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--keep", type=Path, help="folder for mutants that fail")
    args = parser.parse_args()
    if args.seconds is None and args.count is None:
        parser.error("say when to stop: --seconds or --count")
    keep = args.keep or Path(tempfile.mkdtemp(prefix="mutants-"))
    report = campaign(
        args.seed, seconds=args.seconds, count=args.count, jobs=args.jobs, keep=keep, first=args.first,
        progress=_Progress(args.count, args.seconds),
    )  # fmt: skip
    print(f"\n{report.done} mutants of {len(programs())} programs, {sum(report.faults.values())} failures")
    for name, times in report.faults.most_common():
        print(f"  {times:5d}  {name}")
        for path in report.files[name]:
            print(f"         {path}")
    return 1 if report.faults else 0


class _Progress:
    """A bar on a terminal, elsewhere a line now and then."""

    def __init__(self, count: int | None, seconds: float | None) -> None:
        self._count, self._seconds = count, seconds
        self._start = self._shown = time.monotonic()

    def __call__(self, report: Report) -> None:
        now = time.monotonic()
        terminal = sys.stdout.isatty()
        if now - self._shown < (0.2 if terminal else 20):
            return
        self._shown = now
        parts = [
            report.done / self._count if self._count else 0,
            (now - self._start) / self._seconds if self._seconds else 0,
        ]
        part = min(1.0, max(parts))
        text = f"{report.done} mutants, {sum(report.faults.values())} failures, {now - self._start:.0f} s"
        if terminal:
            width = 40
            print(f"\r[{'#' * int(part * width):{width}}] {text}", end="", flush=True)
        else:
            print(f"{part:4.0%}  {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
