/* Device memory for the CUDA programs of the benchmarks, which end with a message when CUDA fails. */
#ifndef PEERS_DEVICE_H
#define PEERS_DEVICE_H

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

inline void check(cudaError_t error) {
	if (error != cudaSuccess)
		throw std::runtime_error(cudaGetErrorString(error));
}

/* An array in device memory. */
template <class T> class DeviceArray {
  public:
	DeviceArray() = default;

	explicit DeviceArray(size_t count) {
		resize(count);
	}

	explicit DeviceArray(const std::vector<T> &host) {
		assign(host);
	}

	DeviceArray(DeviceArray &&other) noexcept {
		*this = std::move(other);
	}

	DeviceArray &operator=(DeviceArray &&other) noexcept {
		std::swap(memory, other.memory);
		std::swap(count, other.count);
		return *this;
	}

	~DeviceArray() {
		cudaFree(memory);
	}

	/* Have room for `count` elements, whose values are not defined. */
	void resize(size_t count) {
		check(cudaFree(memory));
		memory = nullptr;
		this->count = count;
		check(cudaMalloc(reinterpret_cast<void **>(&memory), count * sizeof(T)));
	}

	void assign(const T *host, size_t count) {
		resize(count);
		copy_from(host);
	}

	void assign(const std::vector<T> &host) {
		assign(host.data(), host.size());
	}

	/* Copy as many elements as the array has. */
	void copy_from(const T *host) {
		check(cudaMemcpy(memory, host, count * sizeof(T), cudaMemcpyHostToDevice));
	}

	std::vector<T> to_host() const {
		std::vector<T> host(count);
		check(cudaMemcpy(host.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
		return host;
	}

	T *data() const {
		return memory;
	}

  private:
	T *memory = nullptr;
	size_t count = 0;
};

#endif
