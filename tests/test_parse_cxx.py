"""Parsing C++: each construct becomes its nodes, ambiguities are decided as C++ decides them, errors have their places.

`shown` writes nodes compactly: a declaration as `name: type = init`, types from the name outwards, the rest as calls.
"""

# ruff: noqa: E501 (sources and what becomes of them)

from __future__ import annotations

import dataclasses

import pytest
from front import parsed
from pycparser import c_ast

from simt2simd.frontend.parse import cxx
from simt2simd.frontend.parse.parse import Parsed, ParsedItem
from simt2simd.frontend.parse.words import Faulty

_LEFT_OUT = {"coord", "span", "attributes", "__weakref__", "trailing", "words", "key"}


def shown(node: object) -> str:
    """Write a node, a part of one, or a list of them."""
    match node:
        case None:
            return "-"
        case str() | bool():
            return str(node)
        case list() | tuple():
            return "[" + ", ".join(map(shown, node)) + "]"
        case ParsedItem():
            return "; ".join(map(shown, node.nodes))
        case cxx.Body():
            return "{" + "; ".join(map(shown, node.items())) + "}"
        case c_ast.Compound():
            return "{" + "; ".join(map(shown, node.block_items or [])) + "}"
        case c_ast.ID():
            return node.name
        case c_ast.Constant():
            return node.value
        case c_ast.IdentifierType():
            return " ".join(node.names)
        case cxx.Name():
            return ("::" if node.rooted else "") + "::".join(_part(part) for part in node.parts)
        case c_ast.InferredType():
            return "auto"
        case c_ast.TypeDecl():
            return " ".join([*(node.quals or []), shown(node.type)])
        case c_ast.Typename():
            return f"<{shown(node.type)}>"
        case c_ast.PtrDecl():
            return f"*{' '.join(node.quals)}({shown(node.type)})"
        case cxx.Reference():
            return ("&&" if node.rvalue else "&") + f"({shown(node.type)})"
        case c_ast.ArrayDecl():
            return f"[{shown(node.dim)}]({shown(node.type)})"
        case cxx.Signature():
            return (
                f"fn{shown(node.args.params if node.args else [])}{' const' * node.const}{node.ref}({shown(node.type)})"
            )
        case c_ast.Decl():
            return _declaration(node)
        case cxx.Definition():
            inits = f" : {shown(node.inits)}" if node.inits else ""
            return f"{shown(node.decl)}{inits} {shown(node.body)}"
        case c_ast.Typedef():
            return f"typedef {node.name}: {shown(node.type)}"
        case Faulty():
            return "FAULTY"
        case _:
            return _others(node)


def _part(part: cxx.NamePart) -> str:
    return part.name + ("" if part.args is None else "<" + ", ".join(map(shown, part.args)) + ">")


def _declaration(node: c_ast.Decl) -> str:
    words = " ".join([*node.storage, *node.funcspec])
    scope = f"{shown(node.scope)}::" if isinstance(node, cxx.MemberOf) else ""
    bits = f" : {shown(node.bitsize)}" if node.bitsize is not None else ""
    init = f" = {shown(node.init)}" if node.init is not None else ""
    return f"{words} {scope}{node.name or ''}: {shown(node.type)}{bits}{init}".lstrip()


def _others(node: object) -> str:
    slots = [name for kind in type(node).__mro__[::-1] for name in getattr(kind, "__slots__", ())]
    names = dict.fromkeys([*slots, *getattr(node, "__dict__", ())])
    if dataclasses.is_dataclass(node):
        names = dict.fromkeys(field.name for field in dataclasses.fields(node))
    values = [(name, getattr(node, name)) for name in names if name not in _LEFT_OUT and not name.startswith("_")]
    kept = [_field(name, value) for name, value in values if value not in (None, "", False, [], (), {})]
    return f"{type(node).__name__}({', '.join(kept)})"


def _field(name: str, value: object) -> str:
    if name == "host_members":
        assert isinstance(value, dict)
        return f"host {shown(list(value))}"
    if name == "names" and isinstance(value, tuple):
        return shown([bound for bound, _ in value])
    return name if value is True else shown(value)


def items(text: str) -> str:
    """Return all items of `text`, which has no faults."""
    found = parsed(text)
    assert [fault.message for fault in found.faults] == []
    return "\n".join(map(shown, found.items))


def statements(text: str) -> str:
    """Return the statements of a device function with this body, which has no faults."""
    body = _last_body(parsed(f"{_PRELUDE}__device__ void f(int n, int m, A a, A *p) {{ {text} }}"))
    result = shown(body)
    assert [fault.message for fault in body.faults] == []
    return result[1:-1]


def _last_body(found: Parsed) -> cxx.Body:
    (node,) = found.items[-1].nodes
    assert isinstance(node, cxx.Definition) and isinstance(node.body, cxx.Body)
    return node.body


def body_faults(text: str) -> list[str]:
    body = _last_body(parsed(text))
    body.items()
    return [f"{fault.span.line}:{fault.span.column}: {fault.message}" for fault in body.faults]


_PRELUDE = """
struct A { int x; using T = int; static const int K = 3; template <int N> __device__ int g(); };
template <class T> struct V { T d; using type = T; static const int size = 3; };
template <class T> __device__ T id(T a) { return a; }
namespace lib { struct B { }; __device__ int h(int); }
"""

ITEMS = {
    "__device__ void f(int &a, const float &b, int &&c, int (&d)[3], int (&e)(int));": (
        "__device__ f: fn[a: &(int), b: &(const float), c: &&(int), d: &([3](int)), e: &(fn[<int>](int))](void)"
    ),
    "__device__ int &f(int *(&p), int n = 3, int = 4);": "__device__ f: fn[p: &(*(int)), n: int = 3, : int = 4](&(int))",
    "__device__ auto f(int a) -> const int *;": "__device__ f: fn[a: int](*(const int))",
    "__device__ int (*table[2])(int, float) = {f, g};": "__device__ table: [2](*(fn[<int>, <float>](int))) = InitList([f, g])",
    "typedef int Fn(int); using Fp = void (*)(int); using Arr = int[3];": (
        "typedef Fn: fn[<int>](int)\ntypedef Fp: *(fn[<int>](void))\ntypedef Arr: [3](int)"
    ),
    "__device__ void g(int a...), h(int, ...);": (
        "__device__ g: fn[a: int, EllipsisParam()](void); __device__ h: fn[<int>, EllipsisParam()](void)"
    ),
    "constexpr int N(3), M{N}; const auto K = N;": (
        "constexpr N: int = Arguments([3]); constexpr M: int = DirectList([N])\nK: const auto = N"
    ),
    "namespace a::b { __device__ int f(); } namespace a { inline namespace v { struct S; } } namespace c = a::b;": (
        "Namespace(a, [Namespace(b, [__device__ f: fn[](int)])])\n"
        "Namespace(a, [Namespace(v, inline, [: Class(S)])])\n"
        "NamespaceAlias(c, a::b)"
    ),
    "using namespace std; using std::max; struct A { }; struct D : A { using A::A; using A::f, A::g; };": (
        "UsingDirective(std)\n"
        "UsingDeclaration(std::max)\n"
        ": Class(A)\n"
        ": Class(D, [UsingDeclaration(A::A), UsingDeclaration(A::f), UsingDeclaration(A::g)], [Base(A)])"
    ),
    "namespace { __device__ int f() { return 1; } int host() { return 2; } }": "Namespace([__device__ f: fn[](int) {Return(1)}])",
    "enum class E : unsigned char { X, Y = 2 }; enum F : int; enum { Z };": (
        ": ScopedEnum(E, EnumeratorList([Enumerator(X), Enumerator(Y, 2)]), <unsigned char>)\n"
        ": Enum(F, <int>)\n"
        ": Enum(EnumeratorList([Enumerator(Z)]))"
    ),
    "struct A { A() = default; explicit A(int a) : x(a), y{2} {} __device__ A(const A &) = delete; __device__ ~A(); int x = 1, y{2}; int host(); };": (
        ": Class(A, [=default A: fn[](-), explicit host-only A: fn[a: int](-), "
        "__device__ =delete A: fn[<&(const A)>](-), __device__ ~A: fn[](-), "
        "x: int = 1, y: int = DirectList([2]), host-only host: fn[](int)])"
    ),
    "struct A { __device__ A(int a) : x(a), y{2} {} __device__ virtual int f() const & = 0; __device__ int g() override; int x, y; };": (
        ": Class(A, [__device__ A: fn[a: int](-) : [MemberInit(x, Arguments([a])), MemberInit(y, "
        "DirectList([2]))] {}, __device__ virtual =0 f: fn[] const&(int), __device__ override g: fn[](int), x: "
        "int, y: int])"
    ),
    "struct A { __device__ bool operator<(const A &o) const; __device__ int operator()(int, int); __device__ int &operator[](int i); __device__ operator float *() const; __device__ A &operator++(); __device__ void *operator new(unsigned long n); };": (
        ": Class(A, [__device__ operator<: fn[o: &(const A)] const(bool), __device__ operator(): fn[<int>, "
        "<int>](int), __device__ operator[]: fn[i: int](&(int)), __device__ operator type: fn[] "
        "const(*(float)), __device__ operator++: fn[](&(A)), __device__ operator new: fn[n: unsigned "
        "long](*(void))])"
    ),
    "template <class T> class A; namespace C { struct D; } template <class... Ts> class B final : public A<int>, virtual C::D, Ts... { public: int x : 3; protected: mutable int m; };": (
        "Template([TemplateParameter(type, T)], Class(A))\n"
        "Namespace(C, [: Class(D)])\n"
        "Template([TemplateParameter(type, Ts, pack)], Class(B, [x: int : 3, mutable m: int], "
        "[Base(A<<int>>), Base(C::D, virtual), Base(Ts, pack)], hides_data, mixes_access, final))"
    ),
    "struct A { struct In { int v; } in; union { int i; float f; }; static constexpr int n = 3; friend struct X; friend __device__ int f(A a) { return 1; } static_assert(n == 3); };": (
        ": Class(A, [in: Class(In, [v: int]), : Union([i: int, f: float]), static constexpr n: int = 3, "
        "Friend(: Class(X)), Friend(__device__ f: fn[a: A](int) {Return(1)}), StaticAssert(BinaryOp(==, n, "
        "3))])"
    ),
    "union U { int i; float f; }; union W { int i; __device__ int get() { return i; } };": (
        ": Union(U, [i: int, f: float])\n: UnionClass(W, [i: int, __device__ get: fn[](int) {Return(i)}])"
    ),
    "struct A { __device__ int f(); int x; }; __device__ int A::f() { return x < y; }": (
        ": Class(A, [__device__ f: fn[](int), x: int])\n__device__ A::f: fn[](int) {Return(BinaryOp(<, x, y))}"
    ),
    "template <class T, typename U = int, int N = (3 > 2), class... R> struct V { T d[N]; V<T, U> *next; V *self; };": (
        "Template([TemplateParameter(type, T), TemplateParameter(type, U, <int>), TemplateParameter(value, "
        "N, BinaryOp(>, 3, 2), N: int), TemplateParameter(type, R, pack)], Class(V, [d: [N](T), next: "
        "*(V<<T>, <U>>), self: *(V)]))"
    ),
    "template <template <class, int> class C, auto n, int... I> __device__ void f(C<int, 3> c);": (
        "Template([TemplateParameter(template, C, [TemplateParameter(type), TemplateParameter(value, : "
        "int)]), TemplateParameter(value, n, n: auto), TemplateParameter(value, I, pack, I: int)], "
        "__device__ f: fn[c: C<<int>, 3>](void))"
    ),
    "template <class T> struct P { }; template <class T> struct P<T *> { using type = T; }; template <> struct P<int>; template struct P<float>;": (
        "Template([TemplateParameter(type, T)], Class(P))\n"
        "Template([TemplateParameter(type, T)], Class(P, [typedef type: T], [<*(T)>]), [<*(T)>])\n"
        "Template(Class(P, [<int>]), [<int>])\n"
        "ExplicitInstantiation(Class(P, [<float>]), [<float>])"
    ),
    "template <class T> __global__ void k(T *a) { } template <> __global__ void k<int>(int *a) { } template __global__ void k<float>(float *);": (
        "Template([TemplateParameter(type, T)], __global__ k: fn[a: *(T)](void) {})\n"
        "Template(__global__ k: fn[a: *(int)](void) {}, [<int>])\n"
        "ExplicitInstantiation(__global__ k: fn[<*(float)>](void), [<float>])"
    ),
    "template <class T> constexpr T pi = T(3.14); template <class T> using Ptr = T *;": (
        "Template([TemplateParameter(type, T)], constexpr pi: T = Cast(<T>, 3.14))\n"
        "Template([TemplateParameter(type, T)], typedef Ptr: *(T))"
    ),
    "template <class T> struct M { __device__ M(); __device__ T at(int i) const; template <class U> __device__ U to(); __device__ operator T(); static int n; };": (
        "Template([TemplateParameter(type, T)], Class(M, [__device__ M: fn[](-), __device__ at: fn[i: int] "
        "const(T), Template([TemplateParameter(type, U)], __device__ to: fn[](U)), __device__ operator type: "
        "fn[](T), static n: int]))"
    ),
    "template <class T> struct M { using I = int; __device__ M(); __device__ I at(I i) const; __device__ ~M(); }; template <class T> __device__ M<T>::M() { } template <class T> __device__ typename M<T>::I M<T>::at(I i) const { I k; } template <class T> __device__ M<T>::~M() { }": (
        "Template([TemplateParameter(type, T)], Class(M, [typedef I: int, __device__ M: fn[](-), __device__ "
        "at: fn[i: I] const(I), __device__ ~M: fn[](-)]))\n"
        "Template([TemplateParameter(type, T)], __device__ M<<T>>::M: fn[](-) {})\n"
        "Template([TemplateParameter(type, T)], __device__ M<<T>>::at: fn[i: I] const(M<<T>>::I) {k: I})\n"
        "Template([TemplateParameter(type, T)], __device__ M<<T>>::~M: fn[](-) {})"
    ),
    "template <class T, std::enable_if_t<sizeof(T) == 4, int> = 0> __device__ T f(T a); template <class T> requires (sizeof(T) > 4) __device__ T g(T a);": (
        "Template([TemplateParameter(type, T), TemplateParameter(value, 0, : std::enable_if_t<BinaryOp(==, "
        "UnaryOp(sizeof, <T>), 4), <int>>)], __device__ f: fn[a: T](T))\n"
        "Template([TemplateParameter(type, T)], __device__ g: fn[a: T](T), BinaryOp(>, UnaryOp(sizeof, <T>), "
        "4))"
    ),
    "template <class F, class... A> __device__ auto call(F &&f, A &&...a) -> decltype(f(a...)) { return f(static_cast<A &&>(a)...); }": (
        "Template([TemplateParameter(type, F), TemplateParameter(type, A, pack)], __device__ call: fn[f: "
        "&&(F), a: PackExpansion(&&(A))](DeclType(FuncCall(f, ExprList([PackExpansion(a)])))) "
        "{Return(FuncCall(f, ExprList([PackExpansion(NamedCast(<&&(A)>, a, static_cast))])))})"
    ),
    "template <int N, int... I> struct mk : mk<N - 1, N - 1, I...> { }; template <int... I> struct mk<0, I...> { };": (
        "Template([TemplateParameter(value, N, N: int), TemplateParameter(value, I, pack, I: int)], "
        "Class(mk, [Base(mk<BinaryOp(-, N, 1), BinaryOp(-, N, 1), PackExpansion(I)>)]))\n"
        "Template([TemplateParameter(value, I, pack, I: int)], Class(mk, [0, PackExpansion(I)]), [0, "
        "PackExpansion(I)])"
    ),
    "__device__ int x [[maybe_unused]] = 3; [[nodiscard]] __device__ int f([[maybe_unused]] int a) noexcept(true) { [[maybe_unused]] int b; return a; }": (
        "__device__ x: int = 3\n__device__ f: fn[a: int](int) {b: int; Return(a)}"
    ),
    'extern "C" __global__ void k(std::size_t n, const std::complex<float> *p, foo::bar *q, a::b<3> &r) { }': (
        "__global__ k: fn[n: std::size_t, p: *(const std::complex<<float>>), q: *(foo::bar), r: &(a::b<3>)](void) {}"
    ),
    "namespace lib { struct B { }; __device__ B g(); } __device__ lib::B f(lib::B b); __device__ lib::B lib::g() { B b; }": (
        "Namespace(lib, [: Class(B), __device__ g: fn[](B)])\n"
        "__device__ f: fn[b: lib::B](lib::B)\n"
        "__device__ lib::g: fn[](lib::B) {b: B}"
    ),
}

STATEMENTS = {
    "n < m; (n < m) > (3); n >> m; a.x < n; n < A::K;": (
        "BinaryOp(<, n, m); BinaryOp(>, BinaryOp(<, n, m), 3); BinaryOp(>>, n, m); BinaryOp(<, StructRef(a, "
        "., x), n); BinaryOp(<, n, A::K)"
    ),
    "V<int> v; V<V<V<int>>> w; V<int>::type t = V<int>::size; V<A::T> *q = nullptr;": (
        "v: V<<int>>; w: V<<V<<V<<int>>>>>>; t: V<<int>>::type = V<<int>>::size; q: *(V<<A::T>>) = nullptr"
    ),
    "id<int>(n); id(n) < m > (n); &id<int>; id<V<int>>(n); V<(3 > 2)> u;": (
        "FuncCall(id<<int>>, ExprList([n])); BinaryOp(>, BinaryOp(<, FuncCall(id, ExprList([n])), m), n); "
        "UnaryOp(&, id<<int>>); FuncCall(id<<V<<int>>>>, ExprList([n])); u: V<BinaryOp(>, 3, 2)>"
    ),
    "V<int>(); A(n, m); A{n, m}; int(n); auto(n); A(n).x; V<int>{3}.d; (A)n; (lib::B)a;": (
        "Construct(<V<<int>>>); Construct(<A>, [n, m]); CompoundLiteral(<A>, DirectList([n, m])); n: int; n: "
        "auto; StructRef(Cast(<A>, n), ., x); StructRef(CompoundLiteral(<V<<int>>>, DirectList([3])), ., d); "
        "Cast(<A>, n); Cast(<lib::B>, a)"
    ),
    "A b(n, m), c{1}, d = {2}, e(A(n)); A g();": (
        "b: A = Arguments([n, m]); c: A = DirectList([1]); d: A = InitList([2]); e: fn[n: A](A); g: fn[](A)"
    ),
    "int x(n); int y(int(n)); const int &r = n; int &&rr = 3; auto *z = &n; const auto &w = n; decltype(auto) u = n; decltype((n)) t = n;": (
        "x: int = Arguments([n]); y: fn[n: int](int); r: &(const int) = n; rr: &&(int) = "
        "3; z: *(auto) = UnaryOp(&, n); w: &(const auto) = n; u: DeclType() = n; t: DeclType(n, "
        "parenthesised) = n"
    ),
    "n * m; A *q; lib::B *b; lib::h(n); foo::bar *c = 0; foo::bar d; foo::baz(n); std::max(n, m); (std::size_t)n; (foo::x) + n;": (
        "BinaryOp(*, n, m); q: *(A); b: *(lib::B); FuncCall(lib::h, ExprList([n])); c: *(foo::bar) = 0; d: "
        "foo::bar; FuncCall(foo::baz, ExprList([n])); FuncCall(std::max, ExprList([n, m])); "
        "Cast(<std::size_t>, n); BinaryOp(+, foo::x, n)"
    ),
    "typename V<int>::type x = 3; V<int>::type(3); typename lib::X(n);": "x: V<<int>>::type = 3; Cast(<V<<int>>::type>, 3); n: lib::X",
    "a.g<3>(); p->template g<n>(); p->~A(); a.operator()(n); p->A::x; a.operator+(a); A::operator+(a);": (
        "FuncCall(StructRef(a, ., g<3>)); FuncCall(StructRef(p, ->, g<n>)); FuncCall(StructRef(p, ->, ~A)); "
        "FuncCall(StructRef(a, ., operator()), ExprList([n])); StructRef(p, ->, A::x); FuncCall(StructRef(a, "
        "., operator+), ExprList([a])); FuncCall(A::operator+, ExprList([a]))"
    ),
    "auto l = [](int a) { return a; }; [&] { n++; }(); [=, &n, this, *this, k = n + 1, ...xs = a](auto a, int b = 3) mutable -> int { return a; }; [n] __device__ (int i) { }; []<class T>(T a) { };": (
        "l: auto = Lambda(fn[a: int](-), {Return(a)}); FuncCall(Lambda(&, {UnaryOp(p++, n)})); Lambda(=, "
        "[Capture(n, by_reference), Capture(this), Capture(*this), Capture(k, BinaryOp(+, n, 1)), "
        "Capture(xs, a, pack)], fn[a: auto, b: int = 3](int), mutable, {Return(a)}); Lambda([Capture(n)], "
        "fn[i: int](-), {}); Lambda([TemplateParameter(type, T)], fn[a: T](-), {})"
    ),
    "new int; new A(n); new A{n}; new int[n]; new (p) A(); new int[n][3]; delete p; delete[] p; ::new (p) A;": (
        "New(<int>); New(<A>, Arguments([n])); New(<A>, DirectList([n])); New(<int>, n); New(<A>, Arguments(), "
        "[p]); New(<[3](int)>, n); Delete(p); Delete(p, array); New(<A>, [p], rooted)"
    ),
    "if (int i = n; i < 3) n = 1; else n = 2; if constexpr (sizeof(int) == 4) { } if (A *q = p) { } while (int k = n) { } switch (int j = n; j) { case 1: n = 1; n = 2; default: ; };": (
        "If(BinaryOp(<, i, 3), Assignment(=, n, 1), Assignment(=, n, 2), DeclList([i: int = n])); "
        "If(BinaryOp(==, UnaryOp(sizeof, <int>), 4), {}, constexpr); If(q: *(A) = p, {}); While(k: int = n, "
        "{}); Switch(j, {Case(1, [Assignment(=, n, 1), Assignment(=, n, 2)]); Default([EmptyStatement()])}, "
        "DeclList([j: int = n])); EmptyStatement()"
    ),
    "for (auto &[k, v] : a) n = k; for (int v : {1, 2}) n = v; for (int i = 0; auto v : a) n = v; for (int i = 0, j = 1; i < n; ++i, j--) n = i; for (;;) break;": (
        "RangeFor(StructuredBinding([k, v], &), a, Assignment(=, n, k)); RangeFor(v: int, InitList([1, 2]), "
        "Assignment(=, n, v)); RangeFor(DeclList([i: int = 0]), v: auto, a, Assignment(=, n, v)); "
        "For(DeclList([i: int = 0, j: int = 1]), BinaryOp(<, i, n), ExprList([UnaryOp(++, i), UnaryOp(p--, "
        "j)]), Assignment(=, n, i)); For(Break())"
    ),
    "auto [x, y] = a; const auto &[u, v]{a}; auto &&[w](a);": (
        "StructuredBinding([x, y], a); StructuredBinding([u, v], [const], &, InitList([a])); "
        "StructuredBinding([w], &&, Arguments([a]))"
    ),
    "sizeof...(xs); alignof(A); noexcept(n); __is_same(A, int); sizeof(A) * n; sizeof n; sizeof(V<int>);": (
        "SizeofPack(xs); UnaryOp(alignof, <A>); Trait(noexcept, [n]); Trait(__is_same, [<A>, <int>]); "
        "BinaryOp(*, UnaryOp(sizeof, <A>), n); UnaryOp(sizeof, n); UnaryOp(sizeof, <V<<int>>>)"
    ),
    "throw n; throw; try { n = 1; } catch (...) { n = 2; } n = 3;": "Throw(throw); Throw(throw); Throw(try); Assignment(=, n, 3)",
    "using T = int; typedef float F; using namespace lib; using lib::h; namespace q = lib; T t; F f; static_assert(sizeof(T) == 4);": (
        "typedef T: int; typedef F: float; UsingDirective(lib); UsingDeclaration(lib::h); NamespaceAlias(q, "
        "lib); t: T; f: F; StaticAssert(BinaryOp(==, UnaryOp(sizeof, <T>), 4))"
    ),
    "struct L { int a; __device__ int get() { return a; } } l{3}; l.get(); struct Q; enum { X, Y }; n = X;": (
        "l: Class(L, [a: int, __device__ get: fn[](int) {Return(a)}]) = DirectList([3]); FuncCall(StructRef(l, "
        "., get)); : Class(Q); : Enum(EnumeratorList([Enumerator(X), Enumerator(Y)])); Assignment(=, n, X)"
    ),
    "f(xs...); int x[] = {xs...}; A b{.x = 1}; a[{1, 2}]; f({1, 2}, {}); return {n, m};": (
        "FuncCall(f, ExprList([PackExpansion(xs)])); x: [-](int) = InitList([PackExpansion(xs)]); b: A = "
        "DirectList([NamedInitializer([x], 1)]); ArrayRef(a, InitList([1, 2])); FuncCall(f, "
        "ExprList([InitList([1, 2]), InitList()])); Return(InitList([n, m]))"
    ),
    "1'000'000; 0x1p3; 'a'; 0b101; \"a\" \"b\"; nullptr; true; 1ull; 2.5f;": "1'000'000; 0x1p3; 'a'; 0b101; \"ab\"; nullptr; true; 1ull; 2.5f",
    "n = m = 3, p->x += 2; n ? m : 3; -n + !m * ~n; n++ + ++m; ({ int t = n; t; });": (
        "ExprList([Assignment(=, n, Assignment(=, m, 3)), Assignment(+=, StructRef(p, ->, x), 2)]); "
        "TernaryOp(n, m, 3); BinaryOp(+, UnaryOp(-, n), BinaryOp(*, UnaryOp(!, m), UnaryOp(~, n))); "
        "BinaryOp(+, UnaryOp(p++, n), UnaryOp(++, m)); BlockExpression({t: int = n; t})"
    ),
    "n && m || n; n and not m; n <= m; n & m; n &&m; a &&b;": (
        "BinaryOp(||, BinaryOp(&&, n, m), n); BinaryOp(&&, n, UnaryOp(!, m)); BinaryOp(<=, n, m); "
        "BinaryOp(&, n, m); BinaryOp(&&, n, m); BinaryOp(&&, a, b)"
    ),
    "static_cast<const A &>(a); reinterpret_cast<V<int> *>(p); const_cast<A *>(p)->x; static_cast<A &&>(a);": (
        "NamedCast(<&(const A)>, a, static_cast); NamedCast(<*(V<<int>>)>, p, reinterpret_cast); "
        "StructRef(NamedCast(<*(A)>, p, const_cast), ->, x); NamedCast(<&&(A)>, a, static_cast)"
    ),
    "operator+(a, a); this->x; ::n; ::lib::h(n); lib::B b;": (
        "FuncCall(operator+, ExprList([a, a])); StructRef(this, ->, x); ::n; FuncCall(::lib::h, "
        "ExprList([n])); b: lib::B"
    ),
    "goto out; out: n = 1;": "Goto(out); Label(out, Assignment(=, n, 1))",
    "std::vector<int> v; std::is_same<A, int>::value; std::foo<int>(n)[3]; std::pair<int, A>{1, a}; std::min<int>(n, m) < 3;": (
        "v: std::vector<<int>>; std::is_same<<A>, <int>>::value; ArrayRef(FuncCall(std::foo<<int>>, "
        "ExprList([n])), 3); CompoundLiteral(<std::pair<<int>, <A>>>, DirectList([1, a])); BinaryOp(<, "
        "FuncCall(std::min<<int>>, ExprList([n, m])), 3)"
    ),
    "A::T x = 3; A::K * n; (A::T)n; A::T(n); V<A>::type *y;": "x: A::T = 3; BinaryOp(*, A::K, n); Cast(<A::T>, n); n: A::T; y: *(V<<A>>::type)",
    "int (*fp)(int) = nullptr; int (*tab[2])(int) = {fp}; int (&ra)[3] = *q; fp(n); (*fp)(n);": (
        "fp: *(fn[<int>](int)) = nullptr; tab: [2](*(fn[<int>](int))) = InitList([fp]); ra: &([3](int)) = "
        "UnaryOp(*, q); FuncCall(fp, ExprList([n])); FuncCall(UnaryOp(*, fp), ExprList([n]))"
    ),
}


@pytest.mark.parametrize("text", ITEMS)
def test_items(text: str) -> None:
    assert items(text) == ITEMS[text]


@pytest.mark.parametrize("text", STATEMENTS)
def test_statements(text: str) -> None:
    assert statements(text) == STATEMENTS[text]


def test_bodies_are_parsed_when_they_are_looked_at() -> None:
    found = parsed("template <class T> __device__ int f(T a) { return ); }")
    assert found.faults == ()
    (template,) = found.items[0].nodes
    assert isinstance(template, cxx.Template)
    assert isinstance(template.declaration, cxx.Definition)
    body = template.declaration.body
    assert isinstance(body, cxx.Body)
    assert body.faults == [] and body.block_items == []
    assert shown(body) == "{FAULTY}"
    assert [fault.message for fault in body.faults] == ["expected an expression before ')'"]


def test_raw_strings() -> None:
    assert statements("""R"(a\\b"c)" "d"; R"x()")x";""") == r'''"a\\b\"cd"; ")\""'''


def test_errors_in_bodies() -> None:
    text = """__device__ void f(int n) {
 int a = n.;
 auto l = [n { };
 std::f<int>(;
 for (auto x : ) n = 1;
 (n + ...;
 n.template 3;
 co_await n;
 int A::*;
 dynamic_cast<int>(n);
 n = 1
}"""
    assert body_faults(text) == [
        "2:12: expected a member's name after '.'",
        "3:17: expected ']' before ';'",
        "4:14: expected an expression before ';'",
        "5:16: expected an expression before ')'",
        "6:10: unexpected ';'",
        "7:13: expected a member's name after '.'",
        "8:2: coroutines do not exist in device code",
        "9:10: unexpected ';'",
        "10:2: 'dynamic_cast' does not exist in device code",
        "11:7: expected ';' after '1'",
    ]


def test_host_members_and_host_classes() -> None:
    text = """
    struct Both { __device__ int f(Unknown u); int host(std::string s) { return 1; } int x; ~Both(); };
    struct Host { Unknown u; };
    template <class T> concept C = true;
    template <class T> int h(T a) { return 1; }
    namespace n { int g(); }
    """
    found = parsed(text)
    (both,) = found.items[0].nodes
    assert isinstance(both, c_ast.Decl) and isinstance(both.type, cxx.Class)
    assert list(both.type.host_members) == ["f"]  # the types of the others are there, or nothing needs them
    assert {name: why.what for name, why in found.host_only.items()} == {
        "h": "a template", "n::g": "a host function", "Host": "a C++ declaration",
    }  # fmt: skip


def test_a_class_of_the_host_leaves_its_base_alone() -> None:
    text = (
        "struct Base { int x; }; template <int N = 3> struct Host : Base { Unknown u; }; __device__ void f(Base b) { }"
    )
    found = parsed(text)
    assert list(found.host_only) == ["Host"] and found.faults == ()


def test_names_of_namespaces_that_are_the_hosts_alone() -> None:
    body = _last_body(
        parsed(
            "namespace n { template <class T> int g(T a) { return 1; } __device__ void k() { g<int>(1); } }"
            "using n::k; __device__ void f() { n::g<int>(3); }"
        )
    )
    assert shown(body) == "{FuncCall(n::g<<int>>, ExprList([3]))}"


@pytest.mark.parametrize(
    "text",
    [
        "A<" * 100 + "int" + ">" * 100 + " x;",
        "a < " * 60 + "b;",
        "(" * 200 + "n" + ")" * 200 + ";",
        "f<" * 40 + ";",
        "V<V<V<V<V<V<V<V<V<V<V<V<int>>>>>>>>>>>> v;",
        "x = [] { return [] { return [] { return 1; }; }; };",
    ],
)
def test_deep_nesting_takes_no_time(text: str) -> None:
    body = _last_body(parsed(f"{_PRELUDE}__device__ void f(int n) {{ {text} }}"))
    assert body.items() is not None


def test_pointers_to_members() -> None:
    """They bind less tightly than unary operators and casts, and more tightly than all others."""
    assert statements("a.*n = (p->*m)(1) * (A *)p->*n;") == (
        "Assignment(=, PointedMember(a, ., n), BinaryOp(*, FuncCall(PointedMember(p, ->, m), ExprList([1])), "
        "PointedMember(Cast(<*(A)>, p), ->, n)))"
    )
    assert statements("*p->*n = &a->*m.n;") == (
        "Assignment(=, PointedMember(UnaryOp(*, p), ->, n), PointedMember(UnaryOp(&, a), ->, StructRef(m, ., n)))"
    )
