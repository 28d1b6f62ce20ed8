"""Where lanes diverge: which lanes run a statement, and which wait meanwhile.

**Known as:** control-dependence part of divergence analysis.

Under divergence some lanes of a gang run, and others wait: at an else-arm, after an `if`, or where they jumped to. The
walk over a function hands this down to every statement and expression (`Here`); a statement gives back which lanes run
what follows it. It is for the analysis what a mask is for the code.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..tree import nodes as tree
from ..tree.nodes import Variable
from .lattice import Kind
from .liveness import Live


@dataclass(frozen=True, slots=True)
class Scope:
    """A loop or switch, seen from inside.

    `control` is how control differed before it. `outside`: in how many places lanes waited already when all the lanes
    of the iteration, or of the switch, were together.
    """

    node: tree.Loop | tree.Switch
    control: Kind
    outside: int


@dataclass(frozen=True, slots=True)
class InactiveLanes:
    """The lanes that jumped: inactive until the jump's target, or until the function ends.

    `continued`: variables live in lanes that executed `continue` and wait for the innermost loop's next iteration.
    `broken`: those live in lanes that wait at the end of the innermost switch. Both are empty without such lanes.
    `returned`: some lanes have returned.
    """

    continued: tuple[Live, ...] = ()
    broken: tuple[Live, ...] = ()
    returned: bool = False


@dataclass(frozen=True, slots=True)
class Here:
    """Which lanes run a statement or an expression.

    `control`: how the conditions differ on which it depends that it runs; BLOCK: all threads of the block run it.
    `waiting`: for each place where lanes wait, what they may read there; None: anything.
    `seldom`: the conditions for which they wait are such that the lanes of few gangs disagree about them.
    `loop`: where `continue` leads. `scope`: the loop or switch that `break` leaves.
    """

    control: Kind
    waiting: tuple[Live | None, ...] = ()
    seldom: bool = True
    loop: Scope | None = None
    scope: Scope | None = None
    inactive: InactiveLanes = InactiveLanes()

    # ---------------------------------------------------------------------------------- which lanes wait

    @property
    def all_waiting(self) -> tuple[Live | None, ...]:
        """What may be read wherever lanes wait, those included that jumped there."""
        return (*self.waiting, *self.inactive.continued, *self.inactive.broken)

    @property
    def mostly_together(self) -> bool:
        """Whether lanes wait in few gangs only."""
        return self.seldom and not self.inactive.continued and not self.inactive.broken

    def is_wanted(self, variable: Variable) -> bool:
        """Whether a waiting lane may still read what `variable` holds before it is assigned here."""
        return any(live is None or variable in live for live in self.all_waiting)

    def is_wanted_outside(self, variable: Variable) -> bool:
        """The same, of the lanes that wait elsewhere than at the innermost `if` around this."""
        elsewhere = (*self.waiting[:-1], *self.inactive.continued, *self.inactive.broken)
        return any(live is None or variable in live for live in elsewhere)

    def has_all_of(self, scope: Scope) -> bool:
        """Whether all lanes are here that have not left `scope`, so that they jump in it all together."""
        continued = self.inactive.continued if scope is self.loop else ()
        return len(self.waiting) == scope.outside and not self.inactive.broken and not continued

    # --------------------------------------------------------------------------------- further in

    def under(self, kind: Kind, live: Live | None, seldom: bool = False) -> Here:
        """The lanes that run what depends on a condition of this kind; the lanes that wait may read `live`."""
        control = max(self.control, kind)
        if kind >= Kind.AFFINE:
            return Here(control, (*self.waiting, live), self.seldom and seldom, self.loop, self.scope, self.inactive)
        return self if control == self.control else replace(self, control=control)

    def in_loop(self, node: tree.Loop, raised: Kind, left: tuple[Live, ...]) -> Here:
        """The lanes that run an iteration; `left`: what lanes may read that have left the loop before the others."""
        waiting = (*self.all_waiting, *left)
        scope = Scope(node, self.control, len(waiting))
        seldom = self.mostly_together and not left
        return Here(
            max(self.control, raised), waiting, seldom, scope, scope, InactiveLanes(returned=self.inactive.returned)
        )

    def in_switch(self, node: tree.Switch, raised: Kind, reads: tuple[Live, ...]) -> Here:
        """The lanes that run the sections of a switch; `reads`: what lanes may read while others run a section."""
        outside = (*self.waiting, *self.inactive.broken)
        scope = Scope(node, self.control, len(outside))
        seldom = self.seldom and not self.inactive.broken and not reads
        inactive = replace(self.inactive, broken=())
        return Here(max(self.control, raised), (*outside, *reads), seldom, self.loop, scope, inactive)

    # -------------------------------------------------------------------------------- further on

    def after(self, inside: Here) -> Here:
        """The lanes that run what follows a part of this statement at whose end `inside` runs."""
        return self._without(inside.inactive)

    def after_loop(self, inside: Here) -> Here:
        """The lanes that run what follows a loop at the end of whose iterations `inside` runs."""
        return self._without(InactiveLanes(self.inactive.continued, self.inactive.broken, inside.inactive.returned))

    def after_switch(self, inside: Here) -> Here:
        """The lanes that run what follows a switch at whose end `inside` runs."""
        return self._without(InactiveLanes(inside.inactive.continued, self.inactive.broken, inside.inactive.returned))

    def without_continued(self, live: Live) -> Here:
        """The lanes that run what follows a `continue` of other lanes, which may read `live` in the next iteration."""
        return self._without(replace(self.inactive, continued=(live,)))

    def without_broken(self, live: Live) -> Here:
        """The lanes that run what follows a `break` of other lanes from a switch, which may read `live` after it."""
        return self._without(replace(self.inactive, broken=(live,)))

    def without_returned(self) -> Here:
        """The lanes that run what follows a `return` that some lanes made."""
        return self._without(replace(self.inactive, returned=True))

    def _without(self, inactive: InactiveLanes) -> Here:
        return self if inactive == self.inactive else replace(self, inactive=inactive)
