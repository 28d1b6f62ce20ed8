/* The search on the device, for a host program: everything about CUDA is behind this. */
#ifndef NN_KERNEL_SEARCH_H
#define NN_KERNEL_SEARCH_H

#include <memory>
#include <vector>

#include "../common/errors.h"
#include "../common/kdtree.h"

/* A tree and the queries in device memory. Every function throws CudaError. */
class KernelSearch
{
public:
	/* `queries` are points of the tree, by their number in its order. */
	KernelSearch(const Tree &tree, const std::vector<int> &queries);
	~KernelSearch();
	KernelSearch(const KernelSearch &) = delete;
	KernelSearch &operator=(const KernelSearch &) = delete;

	/* Answers all queries, waits for the end, and returns the kernel's time in milliseconds. */
	float run();

	/* Copies the answers of the last run: query i's nearest point, by its number in the tree, and its distance. */
	void results(std::vector<int> &nearest, std::vector<float> &distance) const;

private:
	struct Memory;
	std::unique_ptr<Memory> memory;
};

#endif
