// Functions that call each other, with different arguments and results on the way.
__device__ bool is_odd(int n);

__device__ bool is_even(int n)
{
    if (n == 0)
        return true;
    return is_odd(n - 1);
}

__device__ bool is_odd(int n)
{
    if (n == 0)
        return false;
    return is_even(n - 1);
}

__device__ int male(int n);
__device__ int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }
__device__ int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }

// A grammar: sum = product { '+' product }, product = atom { '*' atom }, atom = digit | '(' sum ')'
__device__ int parse_sum(const char **text);

__device__ int parse_atom(const char **text)
{
    if (**text == '(') {
        ++*text;
        int value = parse_sum(text);
        ++*text;
        return value;
    }
    return *(*text)++ - '0';
}

__device__ int parse_product(const char **text)
{
    int value = parse_atom(text);
    while (**text == '*') {
        ++*text;
        value *= parse_atom(text);
    }
    return value;
}

__device__ int parse_sum(const char **text)
{
    int value = parse_product(text);
    while (**text == '+') {
        ++*text;
        value += parse_product(text);
    }
    return value;
}

__global__ void mutual(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = is_even(in[i] % 12) * 1000 + is_odd(in[i] % 5) * 100 + female(in[i] % 7) * 10 + male(i % 6);
}

__global__ void parser(const char *texts, const int *starts, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const char *text = texts + starts[i];
        out[i] = parse_sum(&text);
        out[i] = out[i] * 100 + (int)(text - (texts + starts[i]));
    }
}
