"""The typed tree: what the checker makes of a CUDA-C file, and what every later stage works on.

Every conversion is a node, every read of a place is a `Load`, every name is resolved. The tree is
made of frozen dataclasses and prints back as CUDA-C (`show`).

A *place* (a glvalue) is somewhere in memory or a variable: `VarRef`, `Deref`, `Index`, `Member`.
It is not a value until a `Load` reads it. Arrays are never values: `Decay` gives the address of
the first element. `xvalue` marks a place that may be moved from; `value_category` says what a term is ([basic.lval]).

An object of a class that is `by_address` is never a value either: functions make, copy, move and destroy it where it
is. A function takes the address of such an argument, and as its first parameter the address of such a result.

Nodes are compared by identity, and what later stages find out is noted by node. So every node is at one place of the
tree only: a pass that needs an expression twice copies it (`rewrite.copied`), and one that changes a node makes a new
one, without notes. A variable has one declaration. There are two exceptions. A loop and the function that `outline`
makes of it share their nodes and variables: facts are noted by function too. And a shared variable, of which a block
has one whatever calls are made, may be named in a copy of the function that declares it (`inline_barriers`). `legal`
states these laws and the rest of them, and checks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..lang.builtins import Builtin, ThreadVariable
from ..lang.ctype import BitField, CType, FunctionType, Struct
from ..lang.instance import AnyInstance
from ..source import Span
from .companions import AnyCompanion, Companion, R, RowAxis, Rows, RunsInStep, with_role

StorageKind = Literal["local", "param", "launch", "shared", "constant", "device"]
Space = Literal["", "__device__", "__constant__", "__managed__"]
FunctionKind = Literal["kernel", "device"]
Inline = Literal["always", "never"]
Comparison = Literal["==", "!=", "<", "<=", ">", ">="]
Arithmetic = Literal["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]
LogicalOp = Literal["&&", "||"]
UnaryOp = Literal["-", "~", "!"]
BinaryOp = Arithmetic | Comparison

COMPARISONS: tuple[Comparison, ...] = ("==", "!=", "<", "<=", ">", ">=")
ARITHMETIC: tuple[Arithmetic, ...] = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")


@dataclass(frozen=True, eq=False, slots=True)
class Variable:
    """A named object. Two variables are the same only if they are the same object.

    `storage` is "local" (one per thread), "param", "launch" (a parameter of a kernel, where the launch has put it),
    "shared" (one per block), "constant" (file scope, never written by kernels) or "device" (file scope, one for all
    threads of all launches). `initial` holds the bytes of a constant that never changes. `space` is the word that
    makes a variable of the file known to host code, which may read it and write it between launches.
    `const` says that the program may not assign to it. `restrict`: a pointer parameter, to memory that the function
    reaches in no other way as long as it may change. `volatile`: every access counts. `dynamic`: an
    `extern __shared__` array, whose size the launch gives; all of them begin at the same address. `align` is the
    alignment that the program asks for, 0 without. `literal`: a string in the text, a constant without a name.
    `qualified`: the name by which host code knows it, `geo::table`; namespaces without a name are empty, `::table`.
    `symbol`: the linker's name for it, where files are linked; without, it follows from `qualified`.
    It is empty for an instance of a template, which host code does not know.
    """

    name: str
    type: CType
    span: Span = field(repr=False)
    storage: StorageKind
    const: bool = False
    initial: bytes | None = field(default=None, repr=False)
    restrict: bool = False
    volatile: bool = False
    space: Space = ""
    dynamic: bool = False
    align: int = 0
    literal: bool = False
    qualified: str = ""
    symbol: str = ""


# ---------------------------------------------------------------------------------------------- places


@dataclass(frozen=True, eq=False, slots=True)
class VarRef:
    """The variable itself."""

    span: Span = field(repr=False)
    type: CType
    variable: Variable
    xvalue: bool = field(default=False, repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class Deref:
    """`*pointer`"""

    span: Span = field(repr=False)
    type: CType
    pointer: Expr
    xvalue: bool = field(default=False, repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class Index:
    """`pointer[index]`; `index` has a promoted integer type and counts elements."""

    span: Span = field(repr=False)
    type: CType
    pointer: Expr
    index: Expr
    xvalue: bool = field(default=False, repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class Member:
    """`base.name`; `p->name` is `Member(Deref(p))`. `offset` is in bytes.

    `bits` is set for a bit-field until `check` is done: it puts accesses of words in the place of theirs.
    """

    span: Span = field(repr=False)
    type: CType
    base: Place
    name: str
    offset: int
    bits: BitField | None = None
    xvalue: bool = field(default=False, repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class Temporary:
    """A struct value that has no name (the result of a call), used as a place: `f().x`."""

    span: Span = field(repr=False)
    type: CType
    value: Expr


Place = VarRef | Deref | Index | Member | Temporary

# ----------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, eq=False, slots=True)
class Constant:
    """A number, a bool, or the null pointer (0). Integers are stored as their mathematical value."""

    span: Span = field(repr=False)
    type: CType
    value: int | float | bool


@dataclass(frozen=True, eq=False, slots=True)
class ThreadIndex:
    """`threadIdx.x` and the like. `name` is "threadIdx", "blockIdx", "blockDim" or "gridDim"; `axis` 0, 1 or 2."""

    span: Span = field(repr=False)
    type: CType  # unsigned int
    name: ThreadVariable
    axis: int


@dataclass(frozen=True, eq=False, slots=True)
class Load:
    """The value that a place holds now. `type` may be a struct."""

    span: Span = field(repr=False)
    type: CType
    place: Place


@dataclass(frozen=True, eq=False, slots=True)
class AddressOf:
    """`&place`"""

    span: Span = field(repr=False)
    type: CType
    place: Place


@dataclass(frozen=True, eq=False, slots=True)
class Decay:
    """The address of an array's first element; `place` has an array type."""

    span: Span = field(repr=False)
    type: CType
    place: Place


@dataclass(frozen=True, eq=False, slots=True)
class Unary:
    """`-x`, `~x` on a promoted type (`op` "-", "~"), or `!x` on a bool (`op` "!")."""

    span: Span = field(repr=False)
    type: CType
    op: UnaryOp
    operand: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Binary:
    """An arithmetic, bitwise, shift or comparison operator; comparisons give `bool`.

    `op` is one of `+ - * / % & | ^ << >> == != < <= > >=`. Both operands have the same scalar type, except
    that a shift count has a promoted type of its own. Pointers are only compared here.
    """

    span: Span = field(repr=False)
    type: CType
    op: BinaryOp
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False, slots=True)
class PointerAdd:
    """`pointer + index` (`negative`: `pointer - index`); `index` has a promoted integer type and counts elements."""

    span: Span = field(repr=False)
    type: CType
    pointer: Expr
    index: Expr
    negative: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class PointerDiff:
    """`left - right` in elements, as `long`."""

    span: Span = field(repr=False)
    type: CType
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Logical:
    """`left && right` or `left || right` on bools; `right` runs only in the lanes that need it."""

    span: Span = field(repr=False)
    type: CType
    op: LogicalOp
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Conditional:
    """`cond ? then : other`; each arm runs only in the lanes that chose it."""

    span: Span = field(repr=False)
    type: CType
    cond: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Convert:
    """`operand` converted to `type`: between arithmetic types, to `bool` (`x != 0`), between pointers and integers.

    `type` is `void` where a cast discards the value. `explicit` says that the program wrote a cast.
    """

    span: Span = field(repr=False)
    type: CType
    operand: Expr
    explicit: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Assign:
    """`place = value`; its value is the value assigned. The value is evaluated before the place."""

    span: Span = field(repr=False)
    type: CType
    place: Place
    value: Expr


@dataclass(frozen=True, eq=False, slots=True)
class CompoundAssign:
    """`place op= value`, the place evaluated once, after the value.

    The place's value is converted to `compute`, combined with `value` and converted back to `type`.
    `op` is a `Binary` arithmetic, bitwise or shift operator. For a pointer place `op` is "+" or "-",
    `compute` is the pointer type and `value` an index in elements.
    """

    span: Span = field(repr=False)
    type: CType
    place: Place
    op: Arithmetic
    value: Expr
    compute: CType


@dataclass(frozen=True, eq=False, slots=True)
class Increment:
    """`++place`, `place--` and so on.

    `delta` is 1 or -1, in elements for a pointer. With `prefix` the value is the new one.
    """

    span: Span = field(repr=False)
    type: CType
    place: Place
    delta: int
    prefix: bool


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """A call of a `__device__` function of this module, by name; arguments have the parameters' types.

    `begins`: the number of the traversal that begins with this call and ends with it, if that is counted.
    """

    span: Span = field(repr=False)
    type: CType
    function: str
    args: tuple[Expr, ...]
    begins: int | None = None


@dataclass(frozen=True, eq=False, slots=True)
class BuiltinCall:
    """A call of a CUDA built-in; arguments have the types of `builtin.params`."""

    span: Span = field(repr=False)
    type: CType
    builtin: Builtin
    args: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Comma:
    """`left, right`"""

    span: Span = field(repr=False)
    type: CType
    left: Expr
    right: Expr


Expr = (
    Constant | ThreadIndex | Load | AddressOf | Decay | Unary | Binary | PointerAdd | PointerDiff | Logical
    | Conditional | Convert | Assign | CompoundAssign | Increment | Call | BuiltinCall | Comma
)  # fmt: skip

# What gives a place a value, and what reads or writes one.
Assignment = Assign | CompoundAssign | Increment
Access = Load | Assignment

# ------------------------------------------------------------------------------------------ statements


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Block:
    """`{ ... }`: a scope."""

    span: Span = field(repr=False)
    statements: tuple[Stmt, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Declare:
    """A local or shared variable begins its lifetime. `initial` is a value (also for a struct) or a braced list."""

    span: Span = field(repr=False)
    variable: Variable
    initial: Expr | Braces | None


@dataclass(frozen=True, eq=False, slots=True)
class Braces:
    """A braced initialiser, flattened: byte offset, type and value of each scalar, in source order; else zero."""

    span: Span = field(repr=False)
    items: tuple[tuple[int, CType, Expr], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Evaluate:
    """An expression for its effects."""

    span: Span = field(repr=False)
    expr: Expr


@dataclass(frozen=True, eq=False, slots=True)
class If:
    """`if (cond) then else other`; `cond` is bool, `other` may be empty."""

    span: Span = field(repr=False)
    cond: Expr
    then: Block
    other: Block


@dataclass(frozen=True, eq=False, slots=True)
class Loop:
    """`for`, `while` and `do`. `cond` is bool; `None` means for ever.

    `test_first` is False for `do`. Only a `for` has an `init` and a `step`. `continue` goes to `step`.
    `unroll` is the count of `#pragma unroll N`, 0 for a bare `#pragma unroll`, None without one.
    `swept`: better if all gangs of a block run an iteration before any runs the next (`transform/grid_stride`).
    """

    span: Span = field(repr=False)
    init: tuple[Stmt, ...]
    cond: Expr | None
    step: tuple[Expr, ...]
    body: Block
    test_first: bool = True
    unroll: int | None = None
    swept: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Section:
    """The statements from one group of labels to the next; `None` is `default`. It falls through into the next."""

    span: Span = field(repr=False)
    labels: tuple[int | None, ...]
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class Switch:
    """`switch (value)`; `value` has a promoted integer type and the labels are values of it.

    The sections' blocks share one scope: a variable declared in one is visible in the later ones.
    """

    span: Span = field(repr=False)
    value: Expr
    sections: tuple[Section, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Break:
    span: Span = field(repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class Continue:
    span: Span = field(repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class Return:
    span: Span = field(repr=False)
    value: Expr | None


Jump = Break | Continue | Return
Stmt = Block | Declare | Evaluate | If | Loop | Switch | Jump

# ------------------------------------------------------------------------------------------- functions


MOST_THREADS = 1024  # of a block


@dataclass(frozen=True, eq=False, slots=True)
class Function:
    """A kernel or a device function."""

    name: str  # an identifier that no other function of the module has
    span: Span = field(repr=False)  # where it is defined
    kind: FunctionKind  # "kernel" or "device"
    params: tuple[Variable, ...]  # in order
    result: CType  # what it returns; `void` if nothing
    body: Block  # its statements
    inline: Inline | None = None  # "always", "never", or None: LLVM chooses
    max_threads: int | None = None  # of a block, from `__launch_bounds__`; None without it
    min_blocks: int | None = None  # of a multiprocessor, from `__launch_bounds__`; None without it
    static: bool = False  # C's linkage of a kernel: its name is private to the file
    outlined: bool = False  # made from a loop by `outline`
    looped: bool = False  # a recursive walk that a loop over a stack may run (`analysis/walks`)
    has_room: bool = False  # it was such a loop in the program, whose stack has room for all calls of a visit
    helps: str | None = None  # the function from which it was made, for launches of a kernel; programs do not launch it
    shown: str = ""  # what messages call it, if that is not `name`

    @property
    def title(self) -> str:
        """What messages call it: `ns::scan<int, 256>`."""
        return self.shown or self.name

    @property
    def most_threads(self) -> int:
        """How many threads a block of this kernel has at most."""
        return self.max_threads or MOST_THREADS


@dataclass(frozen=True, eq=False, slots=True)
class OutlinedLoop:
    """A loop that may run in a narrower gang (`outline`): the function that runs it. `alone`: also lane by lane.

    The function's parameters are `captured`, the variables that the loop uses; the scalars that it returns are the new
    values of `results`.
    """

    function: str
    captured: tuple[Variable, ...]
    results: tuple[Variable, ...]
    alone: bool


@dataclass(frozen=True, slots=True)
class Traversal:
    """A recursion whose visits `--stats` counts. `name`: its function, or all its functions if they call each other.

    `tail`: each thread makes at most one of its calls in a visit, and does nothing after it.
    """

    name: str
    span: Span
    tail: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """What a variable of the file holds when the program starts.

    `addresses` are those of other such variables in it: (offset, variable, bytes past its begin).
    """

    data: bytes = field(repr=False)
    addresses: tuple[tuple[int, Variable, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ExternalFunction:
    """What other files may know of a function: `title` is `int merge(int, int)`; the first parameter may be `this`.

    `merges`: several files may define it, all of them alike: an inline function, or an instance of a template.
    """

    title: str
    type: FunctionType
    span: Span
    merges: bool = False


@dataclass(frozen=True, slots=True)
class External:
    """What a file shares with others, until it is linked with them.

    `functions` are those that it defines or calls and others may call or define, by keys that all files agree on.
    `variables`: likewise; `defined_at` says where those are defined that were declared before. `choosers`: functions
    that call by a pointer or a table; each file adds its own choices.
    """

    functions: Mapping[str, ExternalFunction]
    variables: Mapping[str, Variable]
    choosers: frozenset[str]
    defined_at: Mapping[Variable, Span]


@dataclass(frozen=True, eq=False, slots=True)
class Module:
    """The device part of one program file."""

    name: str  # of the file
    structs: tuple[Struct, ...]  # those that are only declared come last
    constants: tuple[Variable, ...]  # the used variables at file scope whose bytes are in `initial`
    functions: dict[str, Function]  # kernels and device functions by name, in source order
    shared: tuple[Variable, ...] = ()  # shared variables at file scope
    variables: dict[Variable, Content] = field(default_factory=dict)  # all other variables at file scope
    outlined: dict[Loop, OutlinedLoop] = field(default_factory=dict)  # a rewrite after `outline` would lose these loops
    companions: tuple[AnyCompanion, ...] = ()  # kernels that launches of other kernels use
    warp_stacks: dict[str, int] = field(default_factory=dict)  # of kernels: dynamic shared bytes a warp (`lockstep`)
    traversals: tuple[Traversal, ...] = ()  # those that are counted, by their numbers
    instances: Mapping[AnyInstance, str] = field(default_factory=dict)  # the kernel of each form that programs ask for
    external: External | None = None  # what it shares with other files that it is yet to be linked with
    # The `instances` of each file that was linked, by the symbol of their list.
    linked: Mapping[str, Mapping[AnyInstance, str]] = field(default_factory=dict)

    @property
    def kernels(self) -> tuple[Function, ...]:
        return tuple(f for f in self.functions.values() if f.kind == "kernel")

    @property
    def launched(self) -> tuple[Function, ...]:
        """The kernels that programs launch."""
        return tuple(f for f in self.kernels if f.helps is None)

    def companion(self, kernel: str, role: type[R]) -> Companion[R] | None:
        """Return the companion that has such a role in launches of a kernel, if there is one."""
        return next((each for each in with_role(self.companions, role) if each.of == kernel), None)

    @property
    def rows_in_step(self) -> dict[tuple[str, RowAxis], Rows]:
        """The companions that run rows of a kernel's blocks in step, by the kernel and the axis of its gangs."""
        found: dict[tuple[str, RowAxis], Rows] = {}
        for each in with_role(self.companions, RunsInStep):
            key = each.of, each.role.along
            found[key] = (*found.get(key, ()), each)
        return found


# What a walk over the tree meets.
Node = Expr | Place | Stmt | Braces | Section
