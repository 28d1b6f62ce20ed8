/* Recursive walks that do their work before they visit the children: what a loop over a stack can run. The order of
 * each thread's visits goes into `trail`. */
typedef struct {
	int key, left, right;
} Node;

typedef struct {
	int trail, count;
	float sum;
} Found;

/* Returns in the middle, guards of both kinds, a call under a condition that differs among the lanes. */
__device__ void collect(const Node *nodes, int n, int limit, Found *q)
{
	const Node *node = &nodes[n];
	if (node->key > limit)
		return;
	q->trail = q->trail * 31 + n;
	if (node->key % 3 == limit % 3)
		q->count++;
	q->sum += 1.0f / (node->key + 1);
	if (q->trail % 7 == 0)
		return;
	if (node->left >= 0)
		collect(nodes, node->left, limit, q);
	const int right = node->right;
	if (right >= 0 && node->key + 9 < limit) {
		const int less = limit & 1;
		collect(nodes, right, limit, q);
		if (less)
			collect(nodes, right, limit, q);
	}
}

__global__ void collected(const int *in, const Node *nodes, int *out, int n)
{
	const int t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t >= n)
		return;
	Found q = {0, 0, 0.0f};
	collect(nodes, 0, in[t], &q);
	out[t] = q.trail ^ q.count ^ __float_as_int(q.sum);
}

/* The leaf in an arm of its own; the nearer child first, and which one is nearer differs among the lanes. */
__device__ void guided(const Node *nodes, int n, int place, Found *q)
{
	const Node node = nodes[n];
	q->trail = q->trail * 31 + n;
	if (node.left < 0 || node.right < 0) {
		for (int i = 0; i < node.key; i++) {
			if (i == place)
				continue;
			if (i > place + 5)
				break;
			q->count += i;
		}
	} else {
		const int away = place - node.key;
		q->sum += away;
		if (away < 0) {
			guided(nodes, node.left, place, q);
			if (away > -40)
				guided(nodes, node.right, place, q);
		} else {
			{
				guided(nodes, node.right, place + 1, q);
			}
			if (away < 30)
				guided(nodes, node.left, place, q);
		}
		return;
	}
}

__global__ void guided_ways(const int *in, const Node *nodes, int *out, int n)
{
	const int t = blockIdx.x * blockDim.x + threadIdx.x;
	Found q = {0, 0, 0.0f};
	if (t < n)
		guided(nodes, 0, in[t], &q);
	__syncthreads();
	if (t < n && in[t] % 2)
		guided(nodes, 1, in[t] / 2, &q);
	if (t < n)
		out[t] = q.trail ^ q.count ^ __float_as_int(q.sum);
}

typedef struct {
	short step;
	bool odd;
	double weight;
} Move;

/* Arguments of every kind, the same for all lanes or not, some of them changed on the way. */
__device__ void wander(const int *numbers, const int *place, bool even, unsigned char depth, Move move, long *trail)
{
	if (depth > 6)
		return;
	const int here = *place;
	*trail = *trail * 5 + here + (int)(move.weight * 4) + even;
	depth++;
	if (here % 2 == 0) {
		move.step++;
		move.weight += 0.25;
	}
	if (here % 3 == 0)
		wander(numbers, numbers + (here + move.step) % 40, !even, depth, move, trail);
	if (even)
		wander(numbers, place + 1, here < 50, depth + 1, move, trail);
	wander(numbers, numbers + depth, move.odd, depth + 1, move, trail);
}

__global__ void wandered(const int *in, const Node *nodes, int *out, int n)
{
	const int t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t >= n)
		return;
	const Move move = {(short)(in[t] & 3), (in[t] & 4) != 0, 1.0};
	long trails[2] = {0, 0};
	wander(in, in + t % 9, t & 1, t % 3, move, &trails[t & 1]);
	wander(in, in + 4, false, 0, move, trails);
	out[t] = (int)(trails[0] - trails[1]) + nodes[0].key;
}

/* Deep: many calls wait, in a stack that has to grow, with arguments that are scalars and with vectors. */
__device__ void descend(int n, float part, Found *q)
{
	q->trail = q->trail * 3 + n;
	q->sum += part;
	if (n <= 0)
		return;
	descend(n - 1, part, q);
	descend(-n, part * 0.5f, q);
}

__device__ void descend_together(int n, Found *q)
{
	q->trail = q->trail * 3 + n;
	q->count += n & 1;
	if (n > 0) {
		descend_together(n - 1, q);
		descend_together(-n, q);
	}
}

__global__ void descended(const int *in, const Node *nodes, int *out, int n)
{
	const int t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t >= n)
		return;
	Found q = {0, 0, 0.0f};
	descend(in[t], in[t], &q);
	if (t % 16 < 3)
		descend_together(150, &q);
	out[t] = q.trail ^ q.count ^ __float_as_int(q.sum) ^ nodes[0].left;
}

/* A walk for every node of a walk, and a table in shared memory. */
__device__ void pairs(const Node *nodes, const int *table, int n, int limit, Found *q)
{
	float digits[3] = {1, 2, 3};
	digits[nodes[n].key % 3] += table[n % 32];
	Found inner = {q->trail, 0, 0.0f};
	collect(nodes, n, limit, &inner);
	q->trail = inner.trail * 7 + inner.count;
	q->sum += digits[limit & 1];
	if (nodes[n].left >= 0 && limit > table[n % 32])
		pairs(nodes, table, nodes[n].left, limit, q);
	if (nodes[n].right >= 0 && digits[0] < 90.0f)
		pairs(nodes, table, nodes[n].right, limit - 1, q);
}

__global__ void paired(const int *in, const Node *nodes, int *out, int n)
{
	__shared__ int table[32];
	const int t = blockIdx.x * blockDim.x + threadIdx.x;
	for (int i = threadIdx.x; i < 32; i += blockDim.x)
		table[i] = i * 3 % 32;
	__syncthreads();
	if (t >= n)
		return;
	Found q = {0, 0, 0.0f};
	pairs(nodes, table, 0, in[t] / 2, &q);
	out[t] = q.trail ^ __float_as_int(q.sum);
}

__device__ void use_up(int *left, int cost)
{
	*left -= cost;
}

/* What is left changes through a pointer: every call has its own, though all calls hand on a variable of one name. */
__device__ void search(const Node *nodes, int n, int left, Found *q)
{
	use_up(&left, 1 + nodes[n].key % 2);
	if (left < 0)
		return;
	q->trail = q->trail * 3 + left;
	if (nodes[n].left >= 0)
		search(nodes, nodes[n].left, left, q);
	if (nodes[n].right >= 0)
		search(nodes, nodes[n].right, left, q);
}

__global__ void used_up(const int *in, const Node *nodes, int *out, int n)
{
	const int t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t >= n)
		return;
	Found q = {0, 0, 0.0f};
	search(nodes, 0, in[t] % 12, &q);
	search(nodes, t % 4, 7, &q);
	out[t] = q.trail;
}
