/* A walk of an octree whose lanes leave at different times, and arguments that
 * differ by lane after it. */
struct Node {
  float x;
  int child[3];
};

__device__ void visit(const Node *nodes, int n, float reach, int *count) {
  const float distance = fabsf(nodes[n].x - reach);
  if (distance > 3)
    return;
  ++*count;
  for (int i = 0; i < 3; i++)
    if (nodes[n].child[i] >= 0)
      visit(nodes, nodes[n].child[i], reach * 0.5f + distance, count);
}

__global__ void k(const Node *nodes, const float *reach, int *counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int count = 0;
  visit(nodes, 0, reach[i], &count);
  counts[i] = count;
}
