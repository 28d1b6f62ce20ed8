"""Whole programs of classes: `kernel(const int *in, unsigned *out)`; `out` has a checksum of each thread's events.

Every constructor, assignment, destructor and function of an object leaves a note, of which a checksum is made for each
thread, in order. Objects have numbers, in the order in which a thread makes them. An object of a class with its own
copy and move constructors also notes whether it is where it was made: nothing may move its bytes.
"""

from __future__ import annotations

from ..choices import Choices
from ..launch import Array, Launch, Program
from .declare import declare_class
from .functions import HELPERS, function, overloads, packs
from .repair import repaired
from .statements import statements
from .topics import TOPICS
from .writer import PRELUDE, Scope, Writer

BLOCKS = (33, 17, 32, 1, 48, 64)


def class_program(choices: Choices) -> Program:
    w = Writer(choices)
    choices.several(0, 3, lambda: w.topics.append(choices.pick(TOPICS)))
    declarations = dict.fromkeys(topic.declarations for topic in w.topics)
    w.lines += "".join([PRELUDE, HELPERS, *declarations]).splitlines()
    choices.several(2, 4, lambda: declare_class(w))
    if choices.chance(50):
        overloads(w)
    if choices.chance(40):
        packs(w)
    choices.several(0, 3, lambda: function(w))
    with w.braces("__global__ void kernel(const int *in, unsigned *out)"):
        w.line("const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, k = in[i] & 7;")
        w.line("traces[i] = {1u, 0u};")
        with w.braces("struct Report", ";"):
            w.line("unsigned *out;")
            w.line("__device__ ~Report() { *out = trace().hash; }")
        w.line("Report report{out + i};")
        scope = Scope(numbers=["k", "i"], in_kernel=True)
        statements(w, scope, 3, 6, 2)
    parameters = (Array("in", "const int", 1, 0, "small"), Array("out", "unsigned", 1))
    small, large = Launch((1,), (choices.pick(BLOCKS),)), Launch((2,), (choices.pick(BLOCKS),))
    return Program("\n".join(repaired(w.lines)) + "\n", parameters, small, large, choices.upto(99), False)
