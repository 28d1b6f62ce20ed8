// Each recursive function counts its visits; functions that call each other are one recursion.
struct Node { float split; int left, right; };

__device__ int height(const Node *nodes, int n)
{
    if (n < 0)
        return 0;
    int left = height(nodes, nodes[n].left), right = height(nodes, nodes[n].right);
    return 1 + (left > right ? left : right);
}

__device__ bool is_odd(int n);
__device__ bool is_even(int n)
{
    return n == 0 || is_odd(n - 1);
}
__device__ bool is_odd(int n)
{
    return n != 0 && is_even(n - 1);
}

// A traversal may make others.
__device__ void walk(const Node *nodes, int n, int *sum)
{
    if (n < 0)
        return;
    if (is_even(height(nodes, n)))
        *sum += 1;
    walk(nodes, nodes[n].left, sum);
    walk(nodes, nodes[n].right, sum);
}

__global__ void k(const Node *nodes, int *out)
{
    int sum = 0;
    walk(nodes, 0, &sum);
    out[threadIdx.x] = sum;
}
