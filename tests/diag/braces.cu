// A brace that is never closed is reported where the next function begins.
__global__ void first(float *out) { // note 35: to match this '{'
    if (out[0] > 1) {
        out[0] = 1;
}

__global__ void second(float *out) { // error 1-10: expected '}' before '__global__'
    out[0] = missing; // error 14-20: 'missing' is not declared
}
