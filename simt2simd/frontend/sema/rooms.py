"""The rooms and their parts: which part is where."""

from __future__ import annotations

from collections.abc import Mapping

from ..parse.fragments import Fragments
from ..text.top_level import HostOnly
from .calls.arguments import Arguments
from .calls.builtin_calls import BuiltinCalls
from .calls.calls import Calls
from .calls.conversion_sequences import ConversionSequences
from .calls.function_calls import FunctionCalls
from .calls.indirect_calls import IndirectCalls
from .calls.launches import Launches
from .calls.memory_functions import MemoryFunctions
from .calls.overloads import Overloads
from .calls.runtime_calls import RuntimeCalls
from .classes.allocation_functions import AllocationFunctions
from .classes.builtin_candidates import BuiltinCandidates
from .classes.class_conversions import ClassConversions
from .classes.classes import Classes
from .classes.construction import Construction
from .classes.implicit_members import ImplicitMembers
from .classes.inherited_constructors import InheritedConstructors
from .classes.initializer_list import InitializerLists
from .classes.lambdas import Lambdas
from .classes.member_pointers import MemberPointers
from .classes.members import Members
from .classes.new_delete import NewDelete
from .classes.operators import Operators
from .classes.prvalues import Prvalues
from .classes.temporaries import Temporaries
from .classes.user_conversions import UserConversions
from .constexpr.constant_data import ConstantData
from .constexpr.constants import Constants
from .context import Sema
from .expr.argument_lookup import ArgumentLookup
from .expr.braced_objects import BracedObjects
from .expr.builtin_operators import BuiltinOperators
from .expr.casts import Casts
from .expr.conversions import Conversions
from .expr.expressions import Expressions
from .expr.initialisers import Initialisers
from .expr.names import Names
from .expr.pointers import Pointers
from .expr.strings import Strings
from .half.half2 import Half
from .linkage import Linkage
from .ptx.asm import Assembly
from .statements.bindings import Bindings
from .statements.bodies import Bodies
from .statements.declarations import Declarations
from .statements.functions import FunctionDeclarations
from .statements.loops import Loops
from .statements.pragmas import Pragmas
from .statements.ranges import Ranges
from .statements.returns import Returns
from .statements.statements import Statements
from .statements.switches import Switches
from .statements.unmarked import UnmarkedFunctions
from .statements.variables import Variables
from .templates.conditions import Conditions
from .templates.constraints import Constraints
from .templates.declarations import TemplateDeclarations
from .templates.deduction import Deduction
from .templates.dropped import DroppedSpecialisations
from .templates.exceptions import Exceptions
from .templates.explicit import ExplicitInstances
from .templates.function_templates import FunctionTemplates
from .templates.instantiate import Templates
from .templates.kernel_instances import KernelInstances
from .templates.matching import Matching
from .templates.member_templates import MemberTemplates
from .templates.object_traits import ObjectTraits
from .templates.outside import OutsideMembers
from .templates.packs import Packs
from .templates.partial_ordering import PartialOrdering
from .templates.rejection import Rejection
from .templates.specialisation import Specialisation
from .templates.traits import Traits
from .types.enums import Enums
from .types.records import Records
from .types.types import Types


def sema(host_only: Mapping[str, HostOnly], fragments: Fragments, mark: str = "") -> Sema:
    """Return what checks a file of which only the host knows `host_only`.

    `fragments` reads text that host code names. `mark` comes after the keys of what is private to the file; it is empty
    for a file that is compiled alone.
    """
    s = Sema(host_only)
    s.linkage = Linkage(s, mark)

    s.types = Types(s)
    s.types.records = Records(s)
    s.types.enums = Enums(s)

    s.statements = Statements(s)
    s.statements.loops = Loops(s)
    s.statements.switches = Switches(s)
    s.statements.returns = Returns(s)
    s.statements.declarations = Declarations(s)
    s.statements.ranges = Ranges(s)
    s.statements.bindings = Bindings(s)
    s.statements.functions = FunctionDeclarations(s)
    s.statements.bodies = Bodies(s)
    s.statements.pragmas = Pragmas(s)
    s.statements.variables = Variables(s)
    s.statements.unmarked = UnmarkedFunctions(s)

    s.expr = Expressions(s)
    s.expr.operators = BuiltinOperators(s)
    s.expr.conversions = Conversions(s)
    s.expr.casts = Casts(s)
    s.expr.strings = Strings(s)
    s.expr.names = Names(s)
    s.expr.by_arguments = ArgumentLookup(s)
    s.expr.initialisers = Initialisers(s)
    s.expr.objects = BracedObjects(s)
    s.expr.pointers = Pointers(s)

    s.calls = Calls(s)
    s.calls.overloads = Overloads(s)
    s.calls.sequences = ConversionSequences(s)
    s.calls.arguments = Arguments(s)
    s.calls.builtins = BuiltinCalls(s)
    s.calls.runtime = RuntimeCalls(s)
    s.calls.memory = MemoryFunctions(s)
    s.calls.launches = Launches(s)
    s.calls.indirect = IndirectCalls(s)
    s.calls.functions = FunctionCalls(s)

    s.classes = Classes(s)
    s.classes.members = Members(s)
    s.classes.member_pointers = MemberPointers(s)
    s.classes.implicit = ImplicitMembers(s)
    s.classes.construction = Construction(s)
    s.classes.conversions = ClassConversions(s)
    s.classes.user_conversions = UserConversions(s)
    s.classes.temporaries = Temporaries(s)
    s.classes.prvalues = Prvalues(s)
    s.classes.operators = Operators(s)
    s.classes.builtin_candidates = BuiltinCandidates(s)
    s.classes.lists = InitializerLists(s)
    s.classes.lambdas = Lambdas(s)
    s.classes.inherited = InheritedConstructors(s)
    s.classes.allocation = AllocationFunctions(s)
    s.classes.new_delete = NewDelete(s)

    s.templates = Templates(s)
    s.templates.functions = FunctionTemplates(s)
    s.templates.deduction = Deduction(s)
    s.templates.specialisations = Specialisation(s)
    s.templates.dropped = DroppedSpecialisations(s)
    s.templates.ordering = PartialOrdering(s)
    s.templates.outside = OutsideMembers(s)
    s.templates.conditions = Conditions(s)
    s.templates.constraints = Constraints(s)
    s.templates.packs = Packs(s)
    s.templates.rejection = Rejection(s)
    s.templates.traits = Traits(s)
    s.templates.objects = ObjectTraits(s)
    s.templates.exceptions = Exceptions(s)
    s.templates.explicit = ExplicitInstances(s)
    s.templates.member_templates = MemberTemplates(s)
    s.templates.kernels = KernelInstances(s, fragments)
    s.templates.matching = Matching(s)
    s.templates.declarations = TemplateDeclarations(s)

    s.constexpr = Constants(s)
    s.constexpr.data = ConstantData(s)

    s.ptx = Assembly(s)

    s.half = Half(s)

    return s
