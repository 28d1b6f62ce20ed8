// Functions for both sides that only the host can have: what is wrong with them counts where device code reaches them.
int host_only(int x) { return x + 1; } // note 5-13: 'host_only' is declared here
__host__ __device__ int unreached(int x) { return host_only(x); }
__host__ __device__ int reached(int x) { return host_only(x); } // error 49-57: 'host_only' is a host function: device code cannot use it // help: mark it `__device__`
__host__ __device__ int calls_it(int x) { return reached(x) + 1; }
__host__ __device__ auto deduced(int x) { return nowhere(x); } // error 50-56: function 'nowhere' is not declared
__host__ __device__ constexpr int constant(int x) { return elsewhere(x); } // error 60-68: function 'elsewhere' is not declared
__host__ __device__ int given(Unknown *x) { return 0; } // note 31-37: unknown type name 'Unknown' // note 25-29: 'given' is declared here
struct Class {
    int v;
    __host__ __device__ int method(Unknown *x) { return 0; } // note 29-34: 'method' is declared here // note 36-42: unknown type name 'Unknown'
    __host__ __device__ int body() { return nothing; } // error 45-51: 'nothing' is not declared
    __host__ __device__ int other() { return nothing_else; }
};
__device__ void computes(int *out) {
    Class c{1};
    out[0] = calls_it(1);
    out[1] = c.body();
    out[2] = deduced(2);
    out[3] = given(nullptr); // error 14-18: 'given' cannot be used in device code
    out[4] = c.method(nullptr); // error 16-21: 'method' cannot be used in device code
    int numbers[constant(3)];
}
__global__ void kernel(int *out) { computes(out); }
