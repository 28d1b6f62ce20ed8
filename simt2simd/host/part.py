"""What the host side of a program file is to the rest of the compiler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..lang.instance import Lambda
from ..source import Span


@dataclass(frozen=True)
class HostPart:
    """The C++ text of one program file.

    `kernels` are the simple kernels that it defines (`lang/instance`): their names and places. `variables`:
    likewise those that it declares and the device part has to define. `has_instances`: there are other kernels, and
    what the C++ compiler makes of the text says which ones are needed. `lambdas` are those for the device. `marked`:
    the words of declarations for the device.
    """

    text: str
    kernels: Mapping[str, Span]
    variables: Mapping[str, Span]
    has_instances: bool = False
    lambdas: tuple[Lambda, ...] = ()
    marked: frozenset[str] = frozenset()
