// Members that several bases have.
struct Left {
    int x;
    static constexpr int kind = 1; // note 26-29: 'kind' is declared here
    __device__ int get() { return x; }
};
struct Right {
    int x;
    static constexpr int kind = 2; // note 26-29: 'kind' is declared here
    __device__ int get(int a) { return x + a; }
};
struct Both : Left, Right {}; // note 8-11: 'Both' is declared here
struct Chosen : Left, Right {
    using Left::get;
    using Right::get;
    using Left::x;
};
struct OneLeft : Left {};
struct TwoLeft : Left {};
struct Diamond : OneLeft, TwoLeft {};

__global__ void kernel(int *out, Both b, Chosen c, Diamond d) {
    out[0] = b.x; // error 16: 'x' is ambiguous: 'Left' and 'Right', bases of 'Both', have it // help: write 'Left::x' or 'Right::x'
    out[1] = b.get(); // error 16-18: 'get' is ambiguous: 'Left' and 'Right', bases of 'Both', have it // help: write 'Left::get' or 'Right::get'
    out[2] = d.x; // error 16: 'x' is ambiguous: 'Left' is a base of 'Diamond' more than once
    out[3] = b.Left::x + b.Right::get(1) + c.x + c.get() + c.get(2) + d.kind;
    out[5] = b.OneLeft::x; // error 16-25: 'OneLeft' is no base of 'Both'
    out[4] = b.kind; // error 16-19: 'kind' is ambiguous: 'Left' and 'Right', bases of 'Both', have it // help: write 'Left::kind' or 'Right::kind'
}

struct WithInt { typedef int T; __device__ int operator()(int) { return 1; } }; // note 30: 'T' is declared here
struct WithFloat { typedef float T; __device__ int operator()(float) { return 2; } }; // note 34: 'T' is declared here
struct WithBoth : WithInt, WithFloat {
    __device__ int own() { return get(); }
    __device__ int get() { return 1; }
};
struct Three : Both {
    __device__ int sum() { return kind; } // error 35-38: 'kind' is ambiguous // help: write the namespace or the class that is meant before it
};
__device__ int of_left(Left *left) { return left->x; }

__global__ void more(int *out, WithBoth w, Diamond d, Three t) {
    WithBoth::T value = 1; // error 5-15: 'WithBoth::T' is ambiguous // help: write the namespace or the class that is meant before it
    out[0] = w(1); // error 14: 'operator()' is ambiguous: 'WithInt' and 'WithFloat', bases of 'WithBoth', have it // help: write 'WithInt::operator()' or 'WithFloat::operator()'
    out[1] = of_left(&d); // error 22-23: 'Left' is an ambiguous base of 'Diamond' // help: convert it to the class between both first
    Left &left = d; // error 18: 'Left' is an ambiguous base of 'Diamond' // help: convert it to the class between both first
    out[2] = d.get(); // error 14-20: 'Left' is an ambiguous base of 'Diamond' // help: convert it to the class between both first
    out[3] = d.OneLeft::get() + of_left(static_cast<TwoLeft *>(&d)) + w.own() + t.sum();
}
