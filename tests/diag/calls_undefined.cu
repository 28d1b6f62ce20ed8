// A function that is declared and called, but defined nowhere.
__device__ float elsewhere(float x); // note 18-26: it is declared here
__global__ void kernel(float *out) {
    out[0] = elsewhere(out[1]); // error 14-30: 'elsewhere' is called, but not defined in this file // help: if another file defines it, compile all files with -rdc=true
}
