"""Forms of kernels: which one a program asks for, of those that share a name or come from a template.

A simple kernel is outside namespaces, is no template and shares its name with no other kernel of its file: its name
is enough to find it. Of all others, host code asks for instances.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Place:
    """Where a kernel is defined: the `nth` definition of its name, from 1, that begins on this line of a file.

    `file` is named as in messages. `name` is unqualified, without template arguments.
    """

    file: str
    line: int
    name: str
    nth: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.name}:{self.nth}"

    def is_at(self, file: str, line: int, name: str) -> bool:
        """Whether a name is at this place. The two preprocessors may write the path of a header in different ways."""
        same = file == self.file or os.path.realpath(file) == os.path.realpath(self.file)
        return name == self.name and line == self.line and same

    @classmethod
    def read(cls, text: str) -> Place:
        """Return the place that `str` has written."""
        file, line, name, nth = text.rsplit(":", 3)
        return cls(file, int(line), name, int(nth))


@dataclass(frozen=True, slots=True)
class Argument:
    """A template argument, as C++ text in which all names are seen from the global namespace.

    Anonymous namespaces are left out: what is in them is seen without them. A "value" also has a type: `text` may be
    `3`, `3U`, `-1`, `'a'`, `true`, `7` or `(ns::Color)7`, `ns::red`, `(& global)`, `&function` or `function`. A "pack"
    has only `items`.
    """

    kind: Literal["type", "value", "template", "pack"]
    text: str = ""
    type: str = ""
    items: tuple[Argument, ...] = ()

    def __str__(self) -> str:
        return self.text if self.kind != "pack" else ", ".join(map(str, self.items))


@dataclass(frozen=True, slots=True)
class Instance:
    """A form of a kernel that host code launches, or of which it takes the address.

    The kernel that is defined at `place` gets all its template parameters from `arguments`, in their order, those with
    defaults included; there are none for what is no template, and for explicit specialisations. `key` is how the host
    function names the arguments: with the place, it distinguishes instances.
    """

    place: Place
    key: str = ""
    arguments: tuple[Argument, ...] = ()

    @property
    def shown(self) -> str:
        """The kernel as messages show it: `scan<int, 256>`."""
        written = ", ".join(filter(None, map(str, self.arguments)))
        return f"{self.place.name}<{written}>" if self.arguments else self.place.name


@dataclass(frozen=True, slots=True)
class NamedInstance:
    """A form of a kernel that is asked for by a name as C++ would write it: `k`, `ns::k<float, 3>`."""

    expression: str

    @property
    def shown(self) -> str:
        return self.expression


AnyInstance = Instance | NamedInstance


@dataclass(frozen=True, slots=True)
class Lambda:
    """A lambda for the device that is in host code: the `nth` one, from 1, that begins on a line of a file.

    Template arguments name its type `NAME<types..., rest...>`. The object is a struct of the `captures`, in this order,
    with these types. `rest` are, by their names in `parameters`, constants and parameters of templates around it.
    """

    name: str
    file: str
    line: int
    nth: int
    captures: tuple[str, ...]
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KernelRequests:
    """What the host part of a program requests of its device part, besides simple kernels."""

    instances: tuple[AnyInstance, ...] = ()
    lambdas: tuple[Lambda, ...] = ()


def lambda_name(file: str, line: int, nth: int) -> str:
    """Return the name of the class that the `nth` lambda for the device, from 1, on this line of `file` becomes."""
    mark = hashlib.sha256(os.path.realpath(file).encode(errors="surrogateescape")).hexdigest()[:8]
    return f"s2s_lambda_{line}_{nth}_{mark}"
