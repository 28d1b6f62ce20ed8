/* Memory on the device, and the time that work takes there and on the host. */
#ifndef COMMON_DEVICE_H
#define COMMON_DEVICE_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "errors.h"
#include "host_time.h"
#include "options.h"

inline void check(cudaError_t error, const char *what)
{
	if (error != cudaSuccess)
		throw CudaError(std::string(what) + ": " + cudaGetErrorString(error));
}

/* Milliseconds that copies to and from the device have taken so far. */
inline double &transfer_ms()
{
	static double ms = 0.0;
	return ms;
}

/* Copies `bytes`; adds the time to transfer_ms(). */
inline void copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, const char *what)
{
	transfer_ms() += host_ms([&] { check(cudaMemcpy(to, from, bytes, kind), what); });
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
		copy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice, "cudaMemcpy to the device");
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
		copy(host.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost, "cudaMemcpy to the host");
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

/* Prints how long copies have taken, if there were any. */
inline void print_transfers()
{
	if (transfer_ms() > 0.0)
		std::printf("transfers: %.3f ms\n", transfer_ms());
}

/* Prints the time that all queries took, once their answers are on the host. */
inline void print_ms(const Options &options, double ms, size_t queries)
{
	std::printf("%s: %.3f ms (best of %d), %.0f queries/s, %s\n", options.on_host() ? "host" : "kernel", ms,
				options.reps, queries / (ms * 1e-3), options.order());
	print_transfers();
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
