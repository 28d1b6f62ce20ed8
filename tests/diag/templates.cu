// Templates: arguments, deduction, and faults inside instances.
template <typename T> struct Only { // note 30-33: 'Only' is declared here // note 30-33: it is declared here
    T v;
};
template <typename T, int N> struct Fixed { // note 37-41: 'Fixed' is declared here
    static_assert(N > 0, "no elements");
    T v[N]; // error 9: the size of an array must be positive, not 0
};
template <typename T> __device__ T largest(T a, T b) { return a < b ? b : a; } // error 63-67: invalid operands of '<': 'P' and 'P' // note 36-42: candidate: 'largest<T>': 'T' would be 'int' and 'float' // note 36-42: candidate: 'largest<T>': too many template arguments for 'largest' // note 36-42: candidate: 'largest<T>': it takes 2 arguments
template <typename T, int N> __device__ T sum(T (&a)[N]) { return a[0]; } // note 43-45: candidate: 'sum<T, N>': 'int *' does not fit the parameter 'a'
template <typename T> __device__ T make() { return T(); } // note 36-39: candidate: 'make<T>': no argument determines 'T'
template <typename T> __device__ int uses(T t) { return t.size(); } // error 57: 'int' is not a class: it has no method 'size' // error 59-62: 'P' has no member 'size'
template <typename T> __device__ int outer(T t) { return uses(t); } // note 58-64: in 'uses<int>' asked for here // note 58-64: in 'uses<P>' asked for here
template <int N> __device__ int endless(int a) { return endless<N + 1>(a); } // error 33-39: more than 200 instances of templates need one another: 'endless<200>' // help: give the recursion an end: a specialisation, or `if constexpr` // note 57-73: in 'endless<199>' asked for here
template <typename T> __device__ auto inferred(T t) { return t.nothing; } // error 64-70: 'P' has no member 'nothing' // note 39-46: in 'inferred<P>' asked for here
template <typename T> __device__ T two_phase(T t) { return missing_everywhere(t); } // error 60-77: function 'missing_everywhere' is not declared
template <typename T> __device__ typename T::type nested(T t) { return 1; } // note 51-56: candidate: 'nested<T>': 'int' is no class, namespace or enumeration: it has no members
template <int N> __device__ int value() { return N; } // note 33-37: candidate: 'value<N>': the template argument for 'N' must be a value // note 33-37: candidate: 'value<N>': '2.5' of type 'float' does not fit 'int' as a template argument
template <class... Ts> __device__ int count(Ts... ts) { return sizeof...(ts); }
template <typename T = float> struct Both {
    __device__ Both(T, T); // note 16-19: candidate: 'Both<T>': 'T' would be 'double' and 'int'
};
template <> __device__ int count<int, 3>(int a) { return 1; } // error 28-32: no template 'count' has this specialisation
template <typename T> struct Only<T *, int> {};

struct P { // note 8: 'P' is declared here
    int x;
};

__global__ void kernel(int *out, int n, P p) {
    largest(1, 2.0f); // error 5-20: no 'largest' takes (int, float)
    largest<int, int, int>(1, 2); // error 5-32: no 'largest' takes (int, int)
    largest(p, p); // note 5-17: in 'largest<P>' asked for here
    largest(1); // error 5-14: no 'largest' takes (int)
    make(); // error 5-10: no 'make' takes ()
    sum(out); // error 5-12: no 'sum' takes (int *)
    nested(n); // error 5-13: no 'nested' takes (int)
    value<n>(); // error 11: a template argument must be a constant: 'n' is known only at run time
    value<int>(); // error 5-16: no 'value' takes ()
    value<2.5f>(); // error 5-17: no 'value' takes ()
    Only<int, int> too_many; // error 5-8: too many template arguments for 'Only'
    Only<3> wrong_kind; // error 5-8: the template argument for 'T' must be a type
    Both both(2.5, 3); // error 10-13: class template argument deduction failed: (double, int) does not fix the arguments of 'Both' // help: write 'Both<...>'
    Only bare; // error 10-13: 'Only' is a template: its arguments are missing
    Fixed<int, 0> none; // note 5-9: in 'Fixed<int, 0>' asked for here
    Fixed<int> too_few; // error 5-9: too few template arguments for 'Fixed'
    outer(p);
    outer(n);
    inferred(p) + 1;
    two_phase(n); // note 5-16: in 'two_phase<int>' asked for here
    endless<0>(1);
    static_assert(sizeof(n) == 8, "n is wide"); // error 19-32: static assertion failed: "n is wide"
    static_assert(n > 0); // error 19-23: the condition of 'static_assert' must be a constant: 'n' is known only at run time
    auto x; // error 10: 'auto' needs an initialiser
    auto several = 1, other = 2.0;
    sizeof...(n); // error 5-16: 'n' is no parameter pack
    template_nowhere<int>(3); // error 5-25: 'template_nowhere' is not declared
    Nowhere<int> t; // error 5-16: 'Nowhere' is not declared
    cub::BlockReduce<int, 128> reduce; // error 5-30: 'cub' is not declared
    if constexpr (n) { // error 19: the condition of 'if constexpr' must be a constant: 'n' is known only at run time
    }
}
