/* Memory on the device, and the time that work takes there and on the host. */
#ifndef COMMON_DEVICE_H
#define COMMON_DEVICE_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "errors.h"
#include "options.h"

inline void check(cudaError_t error, const char *what)
{
	if (error != cudaSuccess)
		throw CudaError(std::string(what) + ": " + cudaGetErrorString(error));
}

/* Memory on the device for `count` elements. */
template <class T> class DeviceArray
{
public:
	explicit DeviceArray(size_t count) : count(count)
	{
		check(cudaMalloc(reinterpret_cast<void **>(&data), count * sizeof(T)), "cudaMalloc");
	}

	explicit DeviceArray(const std::vector<T> &host) : DeviceArray(host.size())
	{
		check(cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy to the device");
	}

	~DeviceArray()
	{
		cudaFree(data);
	}

	DeviceArray(const DeviceArray &) = delete;
	DeviceArray &operator=(const DeviceArray &) = delete;

	void copy_to(std::vector<T> &host) const
	{
		host.resize(count);
		check(cudaMemcpy(host.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy to the host");
	}

	T *get() const
	{
		return data;
	}

private:
	size_t count;
	T *data = nullptr;
};

/* A point in time on the device. */
class Event
{
public:
	Event()
	{
		check(cudaEventCreate(&event), "cudaEventCreate");
	}

	~Event()
	{
		cudaEventDestroy(event);
	}

	Event(const Event &) = delete;
	Event &operator=(const Event &) = delete;

	void record()
	{
		check(cudaEventRecord(event, 0), "cudaEventRecord");
	}

	/* Milliseconds from `start` to this event, which it waits for; `what` ran between them. */
	float since(const Event &start, const char *what)
	{
		float ms = 0.0f;
		check(cudaEventSynchronize(event), what);
		check(cudaEventElapsedTime(&ms, start.event, event), "cudaEventElapsedTime");
		return ms;
	}

private:
	cudaEvent_t event;
};

/* Calls `launch`, which launches the kernel `name`, `reps` times; returns the least time in milliseconds. */
template <class Launch> double least_kernel_ms(int reps, const char *name, Launch launch)
{
	Event start, stop;
	double least = INFINITY;
	for (int i = 0; i < reps; i++) {
		start.record();
		launch();
		check(cudaGetLastError(), name);
		stop.record();
		least = std::min<double>(least, stop.since(start, name));
	}
	return least;
}

/* Calls `work` `reps` times; returns the least time in milliseconds. */
template <class Work> double least_host_ms(int reps, Work work)
{
	double least = INFINITY;
	for (int i = 0; i < reps; i++) {
		const auto start = std::chrono::steady_clock::now();
		work();
		const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
		least = std::min(least, ms.count());
	}
	return least;
}

/* Prints the time that all queries took. */
inline void print_ms(const Options &options, double ms, size_t queries)
{
	std::printf("%s: %.3f ms (best of %d), %.0f queries/s, %s\n", options.on_host() ? "host" : "kernel", ms,
				options.reps, queries / (ms * 1e-3), options.order());
}

/* Stack for a thread: a search is as deep as the tree, and a GPU's default of 1 KiB is too little for it. */
inline void set_stack_bytes(size_t bytes)
{
	check(cudaDeviceSetLimit(cudaLimitStackSize, bytes), "cudaDeviceSetLimit");
}

/* Blocks of `block_threads` threads, enough for `threads`. */
inline int blocks_of(int block_threads, int threads)
{
	return (threads + block_threads - 1) / block_threads;
}

#endif
