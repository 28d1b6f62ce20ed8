// Functions of namespaces that only the host can call take part in overload resolution as members do.
struct X {
    __host__ __device__ operator int() const { return 1; }
    friend int near(X, int) { return 1; } // note 16-19: 'near' is declared here
    friend __device__ int near(X, double) { return 2; }
};
int f(int); // note 5: 'f' is declared here // note 5: 'f' is declared here
__device__ int f(double) { return 2; }
__device__ int later(double) { return 2; }
int later(int x) { return x; } // note 5-9: 'later' is declared here
template <class T> int pattern(T *p) { return *p; } // note 24-30: 'pattern' is declared here
__device__ int pattern(const void *) { return 2; }
bool operator==(X, X); // note 6-13: 'operator==' is declared here
int operator-(X); // note 5-12: 'operator-' is declared here
float max(int, float); // note 7-9: 'max' is declared here
int redeclared(int);
__device__ int redeclared(int) { return 2; }
__device__ int around(double) { return 3; }
namespace inner {
int around(int); // note 5-10: 'around' is declared here
__device__ int call() { return around(1.0); } // error 32-42: 'around' is a host function: device code cannot use it // help: mark it `__device__`
struct Y {
    int v;
};
int found(Y, int); // note 5-9: 'found' is declared here
} // namespace inner
template <class T> __device__ int found(T, double) { return 4; }
template <class T> __device__ auto asked(T x) -> decltype(f(x)) { return 5; }
__global__ void kernel(int *out) {
    out[0] = f(1);                     // error 14-17: 'f' is a host function: device code cannot use it // help: mark it `__device__`
    out[1] = f(1.0) + later(1.0);
    out[2] = later(1);                 // error 14-21: 'later' is a host function: device code cannot use it // help: mark it `__device__`
    out[3] = pattern(out);             // error 14-25: 'pattern' is a host function: device code cannot use it // help: mark it `__device__`
    out[4] = X{} == X{};               // error 14-23: 'operator==' is a host function: device code cannot use it // help: mark it `__device__`
    out[5] = -X{};                     // error 14-17: 'operator-' is a host function: device code cannot use it // help: mark it `__device__`
    out[6] = max(1, 2.0f);             // error 14-25: 'max' is a host function: device code cannot use it // help: mark it `__device__`
    out[7] = redeclared(1);
    out[8] = near(X{}, 1.0);
    out[9] = near(X{}, 1);             // error 14-25: 'near' is a host function: device code cannot use it // help: mark it `__device__`
    out[10] = found(inner::Y{1}, 1);   // error 15-35: 'found' is a host function: device code cannot use it // help: mark it `__device__`
    out[11] = sizeof(f(1)) + asked(1); // unevaluated operands may name it
    int (*pointer)(int) = f;           // error 27: 'f' is a host function: device code cannot use it // help: mark it `__device__`
    out[12] = pointer(1);
}
