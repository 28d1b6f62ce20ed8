"""Which messages about the host part are only consequences of faults that the device part has.

Both compilers read the whole file, so one mistake in a kernel's head makes the C++ compiler say something too: about
that line, and about every later use of what the line would have declared.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ..diag import Diagnostic

_COLOUR = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
_HEAD = re.compile(r"^(?P<file>[^\n]+?):(?P<line>\d+):(?:\d+:)? (?P<kind>fatal error|error|warning|note): (?P<text>.*)")
_CONTEXT = re.compile(r"^(In file included from|\s+from |[^ ][^\n]*: In )")
_QUOTED = re.compile(r"[‘'`](\w+)[’']")
_FIRST_QUOTED = re.compile(r"[‘'`]([^’'\n]+)[’']")
_NO_NAMES = frozenset("auto bool char class const double float int long short signed struct unsigned void".split())


@dataclass(frozen=True)
class _Message:
    """One message of the C++ compiler, with its notes and the lines quoted.

    `names` are the words in quotes; `about` is the first thing in quotes, without its types and arguments.
    """

    place: tuple[str, int]
    names: tuple[str, ...]
    about: str | None
    text: str

    def follows(self, places: Collection[tuple[str, int]], names: Collection[str]) -> bool:
        """Return true if it is about one of `places`, or above all about one of `names`."""
        return self.place in places or self.about in names


def independent(faults: Iterable[Diagnostic], known: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return those of the host split's `faults` that do not follow from the device part's, which are `known`."""
    if any(fault.breaks_rest for fault in known):
        return []
    places = _places(known)
    return [
        fault
        for fault in faults
        if not places & {(span.source.name, span.line) for span in (fault.span, *(note.span for note in fault.notes))}
    ]


def independent_output(printed: str, known: Sequence[Diagnostic]) -> str:
    """Return what of the C++ compiler's messages does not follow from `known`; all if they are not understood."""
    if any(fault.breaks_rest for fault in known):
        return ""
    messages = _messages(printed)
    if not known or messages is None:
        return printed
    places, names = _places(known), set[str]()
    rest, before = messages, -1
    while len(rest) != before:
        before = len(rest)
        dropped = [message for message in rest if message.follows(places, names)]
        rest = [message for message in rest if not message.follows(places, names)]
        places |= {message.place for message in dropped}
        names |= {name for message in dropped for name in message.names}
    return "".join(message.text for message in rest)


def _places(faults: Iterable[Diagnostic]) -> set[tuple[str, int]]:
    spans = [span for fault in faults for span in (fault.span, *(note.span for note in fault.notes if note.is_cause))]
    return {(span.source.name, span.line) for span in spans}


def _messages(printed: str) -> list[_Message] | None:
    """Split the output of GCC or Clang into messages; None if it does not begin as theirs does."""
    messages: list[_Message] = []
    context: list[str] = []  # "In function ...": of the message that follows
    lines: list[str] = []  # of the message that is not yet complete
    head: re.Match[str] | None = None
    for line in [*printed.splitlines(keepends=True), ""]:
        plain = _COLOUR.sub("", line)
        found = _HEAD.match(plain)
        begins = found is not None and found["kind"] != "note"
        if (begins or not line or _CONTEXT.match(plain)) and head is not None:
            names = tuple(_QUOTED.findall(head["text"]))
            messages.append(_Message((head["file"], int(head["line"])), names, _name_of(head["text"]), "".join(lines)))
            head, lines = None, []
        if begins:
            head, lines, context = found, [*context, line], []
        elif head is not None:
            lines.append(line)
        else:
            context.append(line)
    return messages or None


def _name_of(message: str) -> str | None:
    """Return what a message is about: `scan` for ‘scan<float>’ and for ‘void ns::scan(T*) [with T = float]’."""
    quoted = _FIRST_QUOTED.search(message)
    if quoted is None:
        return None
    declared = re.sub(r"^template ?<.*?>+ ", "", quoted[1])
    words = re.findall(r"\w+", re.split(r"[<(]", declared, maxsplit=1)[0])
    return words[-1] if words and words[-1] not in _NO_NAMES else None
