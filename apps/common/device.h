/* Memory and time on the device, for host code. */
#ifndef COMMON_DEVICE_H
#define COMMON_DEVICE_H

#include <cstddef>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "errors.h"

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
