"""Which arguments a program is run with: those of its Makefile or run script, with fewer repetitions."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .find import source_files

# What numbers of repetitions are called, the surest first: iterations may also be the work itself.
_REPEATS = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (r"repeat|repetition|\breps?\b", r"trial|\bruns?\b|num_?runs|\btimes\b", r"iter|loop|passes|cycles")
)
_FLAG = re.compile(r"--?(r|reps?|repeats?|n?iters?|iterations?|n?runs|loops)$")
_FROM_ARGV = re.compile(
    r"(\w+)\s*=\s*(?:\([\w\s]+\)\s*)?(?:std::)?(?:atoi|atol|atoll|strtol|strtoul|stoi|stol|stoul)\s*\(\s*argv\[(\d+)\]"
)
_USAGE = re.compile(r'"[^"]*usage:?\s*[^"]*?%s([^"]*)"', re.I)


@dataclass(frozen=True)
class Arguments:
    """The arguments of a run; the one at `repeats`, where that is known, only says how often it repeats its work."""

    words: tuple[str, ...] = ()
    repeats: int | None = None
    original: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The arguments as one types them, with what was cut."""
        text = shlex.join(self.words)
        cut = [old for old, new in zip(self.original, self.words, strict=False) if old != new]
        return f"{text} (cut from {', '.join(cut)})" if cut else text

    @property
    def count(self) -> int:
        """How often the work is repeated; 1 where that is not known."""
        return int(self.words[self.repeats]) if self.repeats is not None else 1

    def cut(self, count: int) -> Arguments:
        """Return arguments that repeat the work so often at most."""
        if self.repeats is None or count >= self.count:
            return self
        words = (*self.words[: self.repeats], str(count), *self.words[self.repeats + 1 :])
        return replace(self, words=words, original=self.original or self.words)

    def with_last_number_cut(self) -> Arguments:
        """Return arguments whose last whole number is 1: that is hardly ever a size."""
        for i in reversed(range(len(self.words))):
            if self.words[i].isdecimal() and int(self.words[i]) > 1:
                return replace(self, repeats=i).cut(1)
        return self


def from_lines(text: str, folder: Path) -> tuple[str, Arguments] | None:
    """Return the program's name and the arguments in the first line of a script or of `make -n run` that runs one."""
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        try:
            words = shlex.split(re.split(r"\s*(?:[|;<]|\d?>|&&)", line.strip())[0])
        except ValueError:
            continue
        while words and re.match(r"\w+=", words[0]):
            words = words[1:]
        if words and words[0].startswith("./") and not words[0].endswith((".sh", ".py")):
            return words[0], with_repeats(tuple(words[1:]), folder)
    return None


def with_repeats(words: tuple[str, ...], folder: Path) -> Arguments:
    """Return arguments, with the one that is a number of repetitions, as the sources and the usage text call it."""
    for i, word in enumerate(words):
        if word.isdecimal() and i > 0 and _FLAG.match(words[i - 1]):
            return Arguments(words, i)
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in source_files(folder)]
    named = [*_assigned(texts), *_in_usage(texts, len(words))]
    for names in _REPEATS:
        for name, place in named:
            if names.search(name.replace("_", " ")) and place < len(words) and words[place].isdecimal():
                return Arguments(words, place)
    return Arguments(words)


def missing_files(arguments: Arguments, folder: Path) -> list[str]:
    """Return the arguments that look like files of input which are not there."""
    likely = [word for word in arguments.words if re.search(r"^[^-].*/|^[^-].*\.[A-Za-z]\w{0,4}$", word)]
    return [word for word in likely if not re.search(r"out|result", word) and not (folder / word).exists()]


def _assigned(texts: Sequence[str]) -> list[tuple[str, int]]:
    """Return the names of variables that arguments become, and the places of these."""
    return [(name, int(place) - 1) for text in texts for name, place in _FROM_ARGV.findall(text)]


def _in_usage(texts: Sequence[str], count: int) -> list[tuple[str, int]]:
    """Return the names and places of arguments in usage texts that have so many."""
    found = []
    for text in texts:
        for usage in _USAGE.findall(text):
            names = re.findall(r"<[^>]*>|\[[^\]]*\]|[^\s<\[\]>]+", usage.replace("\\n", " "))
            if len(names) == count:
                found += [(name, i) for i, name in enumerate(names)]
    return found
