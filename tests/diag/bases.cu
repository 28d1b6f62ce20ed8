// Members that several bases have.
struct Left {
    int x;
    static constexpr int kind = 1;
    __device__ int get() { return x; }
};
struct Right {
    int x;
    static constexpr int kind = 2;
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
