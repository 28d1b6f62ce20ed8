// features: device-malloc typedef-struct pointers-to-pointers nullptr references memcpy-memset nested-structs
// Linked lists and growing arrays on the device heap: malloc in one kernel, use in the next, free in the last.
#include "check.h"

typedef struct Node {
	int key;
	int count;
	struct Node *next;
} Node;

struct Bucket {
	Node *head;
	int length;
};

// Puts `key` into a list that is sorted by keys, or counts it.
__device__ bool insert(Node **head, int key) {
	Node **place = head;
	while (*place != nullptr && (*place)->key < key)
		place = &(*place)->next;
	if (*place && (*place)->key == key) {
		(*place)->count++;
		return false;
	}
	Node *node = (Node *)malloc(sizeof(Node));
	if (node == NULL)
		return false;
	node->key = key;
	node->count = 1;
	node->next = *place;
	*place = node;
	return true;
}

__global__ void build(Bucket *buckets, const int *keys, int n, int count) {
	int b = blockIdx.x * blockDim.x + threadIdx.x;
	if (b >= count)
		return;
	Bucket &bucket = buckets[b];
	bucket.head = nullptr;
	bucket.length = 0;
	for (int i = 0; i < n; i++)
		if (keys[i] % count == b && insert(&bucket.head, keys[i]))
			bucket.length++;
}

__global__ void summarise(const Bucket *buckets, int2 *sums, int count) {
	int b = blockIdx.x * blockDim.x + threadIdx.x;
	if (b >= count)
		return;
	int total = 0, previous = -1;
	for (const Node *node = buckets[b].head; node; node = node->next) {
		total += node->count * node->key;
		if (node->key <= previous)
			total = -1000000;
		previous = node->key;
	}
	sums[b] = make_int2(total, buckets[b].length);
}

__global__ void destroy(Bucket *buckets, int *freed, int count) {
	int b = blockIdx.x * blockDim.x + threadIdx.x;
	if (b >= count)
		return;
	for (Node *node = buckets[b].head; node != nullptr;) {
		Node *next = node->next;
		free(node);
		node = next;
		atomicAdd(freed, 1);
	}
	buckets[b].head = nullptr;
}

struct Growing {
	int *items;
	int size, room;
	__device__ void push(int x) {
		if (size == room) {
			int more = room ? room * 2 : 2;
			int *larger = (int *)malloc(more * sizeof *larger);
			if (room) {
				memcpy(larger, items, size * sizeof(int));
				free(items);
			}
			memset(larger + size, 0xff, (more - size) * sizeof(int));
			items = larger;
			room = more;
		}
		items[size++] = x;
	}
};

// The numbers of the Collatz sequence from the thread's own, backwards.
__global__ void collatz(int *out, int *lengths, int n, int pitch) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	Growing list = {nullptr, 0, 0};
	for (int x = i + 1; x != 1; x = x % 2 ? 3 * x + 1 : x / 2)
		list.push(x);
	lengths[i] = list.size < list.room && list.items[list.size] != -1 ? -1 : list.size;
	for (int k = 0; k < list.size && k < pitch; k++)
		out[i * pitch + k] = list.items[list.size - 1 - k];
	free(list.items);
}

int main() {
	CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
	const int n = 400, count = 37, m = 100, pitch = 10;
	std::vector<int> keys(n);
	Random random(6);
	for (int &key : keys)
		key = random.below(300);
	std::vector<int> sums(count), lengths(count), seen(300);
	int distinct = 0;
	for (int key : keys) {
		sums[key % count] += key;
		if (!seen[key]++)
			lengths[key % count]++, distinct++;
	}
	int *d_keys = to_device(keys), *freed = device_array<int>(1);
	Bucket *buckets = device_array<Bucket>(count);
	int2 *d_sums = device_array<int2>(count);
	build<<<2, 32>>>(buckets, d_keys, n, count);
	summarise<<<3, 16>>>(buckets, d_sums, count);
	destroy<<<1, 64>>>(buckets, freed, count);
	CHECK_LAUNCH();
	std::vector<int2> got = to_host(d_sums, count);
	for (int b = 0; b < count; b++) {
		expect_equal("sum", b, got[b].x, sums[b]);
		expect_equal("length", b, got[b].y, lengths[b]);
	}
	expect_equal("freed", 0, to_host(freed, 1)[0], distinct);

	int *out = device_array<int>(m * pitch), *d_lengths = device_array<int>(m);
	collatz<<<4, 25>>>(out, d_lengths, m, pitch);
	CHECK_LAUNCH();
	std::vector<int> numbers = to_host(out, m * pitch), steps = to_host(d_lengths, m);
	for (int i = 0; i < m; i++) {
		std::vector<int> list;
		for (int x = i + 1; x != 1; x = x % 2 ? 3 * x + 1 : x / 2)
			list.push_back(x);
		expect_equal("steps", i, steps[i], list.size());
		for (size_t k = 0; k < list.size() && k < pitch; k++)
			expect_equal("number", i * pitch + k, numbers[i * pitch + k], list[list.size() - 1 - k]);
	}
	return verdict();
}
