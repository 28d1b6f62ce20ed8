/* Recursive traversals of many kinds: what each finds is printed as a sum,
 * which no form of them may change. */
#include <cstdio>
#include <cuda_runtime.h>

struct Node {
  int left, right; /* -1: there is none */
  float key;
  int child[8];
};

struct Query {
  float x;
  unsigned sum;
  float best;
};

__device__ void note(Query *q, unsigned value) { q->sum = q->sum * 31 + value; }

/* Truncated by the thread's own data; children that are not there are no calls.
 */
__device__ void visit(const Node *nodes, int n, Query *q) {
  note(q, n);
  if (nodes[n].key > q->x)
    return;
  if (nodes[n].left >= 0)
    visit(nodes, nodes[n].left, q);
  if (nodes[n].right >= 0)
    visit(nodes, nodes[n].right, q);
}

/* Work between and behind the calls, which depends on arguments that differ by
 * lane, and on some that do not. */
__device__ void weigh(const Node *nodes, int n, float own, double common,
                      bool flip, unsigned char steps, Query *q) {
  if (n < 0 || own > q->x * 40 + 3)
    return;
  note(q, n + (flip ? 7 : 0) + steps);
  weigh(nodes, nodes[n].left, own + q->x, common * 0.5, !flip, steps + 1, q);
  note(q, (unsigned)(own * 8) + (unsigned)(common * 64));
  if (nodes[n].key < q->x)
    weigh(nodes, nodes[n].right, own + 1, common * 0.25, flip, steps + 2, q);
  note(q, 3);
}

/* Nodes by their addresses, and calls in a loop. */
__device__ void spread(const Node *nodes, const Node *node, Query *q) {
  note(q, (unsigned)(node - nodes));
  if (node->key * 3 > q->x * 4)
    return;
  for (int i = 0; i < 8; i++)
    if (node->child[i] >= 0)
      spread(nodes, nodes + node->child[i], q);
}

/* Deeper than any stack in shared memory: a call waits at each level. */
__device__ void dive(const Node *nodes, int n, int level, Query *q) {
  note(q, n + level);
  if (level == 0 || nodes[n].key > q->x * 250)
    return;
  dive(nodes, nodes[n].child[0], level - 1, q);
  dive(nodes, nodes[n].child[1], 0, q);
}

/* One way to a leaf, which has a result. */
__device__ int search(const Node *nodes, int n, float x, int found) {
  if (n < 0)
    return found;
  if (nodes[n].key >= x)
    return search(nodes, nodes[n].left, x, n);
  return search(nodes, nodes[n].right, x, found);
}

/* Guided: the order is the thread's business, and the least distance is the
 * same in all. */
__device__ void nearest(const Node *nodes, int n, Query *q) {
  const float distance = fabsf(nodes[n].key - q->x);
  if (distance < q->best)
    q->best = distance;
  const int left = nodes[n].left, right = nodes[n].right;
  if (left < 0 || right < 0)
    return;
  const float to_left = fabsf(nodes[left].key - q->x) - 0.25f,
              to_right = fabsf(nodes[right].key - q->x) - 0.25f;
#pragma s2s any_order
  if (to_left <= to_right) {
    if (to_left < q->best)
      nearest(nodes, left, q);
    if (to_right < q->best)
      nearest(nodes, right, q);
  } else {
    if (to_right < q->best)
      nearest(nodes, right, q);
    if (to_left < q->best)
      nearest(nodes, left, q);
  }
}

__device__ int thread_number() {
  const int block =
      (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  return ((block * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) *
             blockDim.x +
         threadIdx.x;
}

__device__ Query query(int i) {
  Query q;
  q.x = (i * 37 % 101) * 0.01f;
  q.sum = i;
  q.best = 1e9f;
  return q;
}

__global__ void visit_all(const Node *nodes, int root, int count,
                          unsigned *out) {
  const int i = thread_number();
  if (i >= count)
    return;
  Query q = query(i);
  visit(nodes, root, &q);
  out[i] = q.sum;
}

/* Threads begin two traversals separately, some of them several times, and leave
 * at different times. */
__global__ void visit_separately(const Node *nodes, int count, unsigned *out) {
  const int i = thread_number();
  if (i % 7 == 3 || i >= count)
    return;
  Query q = query(i);
  if (i % 3 == 0) {
    for (int k = 0; k < i % 5; k++)
      visit(nodes, 0, &q);
  } else if (i % 3 == 1) {
    spread(nodes, nodes, &q);
    visit(nodes, 1, &q);
  } else {
    visit(nodes, nodes[0].left, &q);
  }
  note(&q, search(nodes, 0, q.x, -1));
  out[i] = q.sum;
}

__global__ void weigh_all(const Node *nodes, int count, unsigned *out) {
  const int i = thread_number();
  Query q = query(i);
  if (i < count && i % 5 != 1) {
    weigh(nodes, 0, q.x, 1.0, false, 0, &q);
    spread(nodes, nodes, &q);
    out[i] = q.sum;
  }
}

__global__ void dive_all(const Node *nodes, int level, int count,
                         unsigned *out) {
  const int i = thread_number();
  if (i >= count)
    return;
  Query q = query(i);
  dive(nodes, 0, level, &q);
  out[i] = q.sum;
}

__global__ void find_all(const Node *nodes, int count, unsigned *out) {
  const int i = thread_number();
  if (i >= count)
    return;
  Query q = query(i);
  nearest(nodes, 0, &q);
  out[i] = (unsigned)(q.best * 4096) + 100000 * search(nodes, 0, q.x, -1);
}

static const int COUNT = 700, NODES = 255;
static Node *nodes;
static unsigned *out;

static void print(const char *name) {
  const cudaError_t error = cudaDeviceSynchronize();
  unsigned long long sum = 0;
  for (int i = 0; i < COUNT; i++) {
    sum = sum * 1000003 + out[i];
    out[i] = 0;
  }
  std::printf("%s: %llu, %s\n", name, sum, cudaGetErrorName(error));
}

/* A search tree in preorder over keys 0 to 1; the eight children are at random,
 * and lead on. */
static int build(int first, int end, int *next) {
  if (first >= end)
    return -1;
  const int n = (*next)++, middle = (first + end) / 2;
  nodes[n].key = middle / (float)NODES;
  nodes[n].left = build(first, middle, next);
  nodes[n].right = build(middle + 1, end, next);
  for (int i = 0; i < 8; i++) {
    const int child = 2 * n + 1 + (n * 5 + i * 3) % 6 + i;
    nodes[n].child[i] = child < NODES && (n + i) % 3 != 0 ? child : -1;
  }
  return n;
}

int main() {
  cudaMallocManaged(&nodes, NODES * sizeof(Node));
  cudaMallocManaged(&out, COUNT * sizeof(unsigned));
  int next = 0;
  build(0, NODES, &next);
  for (int i = 0; i < COUNT; i++)
    out[i] = 0;
  visit_all<<<7, 100>>>(nodes, 0, COUNT, out);
  print("visit");
  visit_all<<<dim3(3, 2), dim3(5, 3, 4)>>>(nodes, 1, 333, out);
  print("visit in blocks of three axes");
  visit_all<<<COUNT, 1>>>(nodes, 0, COUNT, out);
  print("visit in blocks of one thread");
  visit_all<<<1, 1024>>>(nodes, 0, COUNT, out);
  print("visit in the largest block");
  visit_separately<<<11, 64>>>(nodes, COUNT, out);
  print("separate");
  weigh_all<<<(COUNT + 95) / 96, 96>>>(nodes, COUNT, out);
  print("weigh");
  find_all<<<6, 128>>>(nodes, COUNT, out);
  print("find");
  for (int n = 0; n < NODES; n++) {
    nodes[n].child[0] = n + 1 < NODES ? n + 1 : 0;
    nodes[n].child[1] = (n * 7) % NODES;
    nodes[n].key = n;
  }
  const cudaStream_t stream = 0;
  dive_all<<<22, 32, 0, stream>>>(nodes, 240, COUNT, out);
  print("dive");
  return 0;
}
