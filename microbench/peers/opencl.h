/* OpenCL for the host programs: what they need of its C interface, and buffers and kernels as objects.
 *
 * The loader of OpenCL, $OPENCL_LIBRARY or else libOpenCL.so.1, is opened when the program runs, so that no OpenCL need
 * be installed to build it.
 * Types and numbers below are those of the OpenCL specification. The device is a CPU of the platform whose name
 * contains $OPENCL_PLATFORM, any platform if that is not set. Kernels come from kernels.cl in the current directory,
 * built with the options that OPENCL_OPTIONS defines. */
#ifndef PEERS_OPENCL_H
#define PEERS_OPENCL_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <dlfcn.h>

#ifndef OPENCL_OPTIONS
#define OPENCL_OPTIONS ""
#endif

namespace opencl {

/* The interface's handles are pointers to things that only it knows. */
using Platform = struct platform_type *;
using DeviceId = struct device_type *;
using Context = struct context_type *;
using Queue = struct queue_type *;
using Memory = struct memory_type *;
using Program = struct program_type *;
using KernelId = struct kernel_type *;
using Event = struct event_type *;

const uint64_t DEVICE_TYPE_CPU = 2;
const uint64_t MEMORY_READ_WRITE = 1;
const uint32_t PLATFORM_VERSION = 0x0901, PLATFORM_NAME = 0x0902;
const uint32_t DEVICE_NAME = 0x102b, DRIVER_VERSION = 0x102d;
const uint32_t PROGRAM_BUILD_LOG = 0x1183;
const int32_t DEVICE_NOT_FOUND = -1;

/* The functions of libOpenCL that are used here. */
class Library {
  public:
	using InfoFunction = int32_t(void *object, uint32_t what, size_t bytes, void *value, size_t *bytes_of_value);

	int32_t (*get_platforms)(uint32_t count, Platform *platforms, uint32_t *available);
	InfoFunction *get_platform_info, *get_device_info;
	int32_t (*get_devices)(Platform, uint64_t type, uint32_t count, DeviceId *devices, uint32_t *available);
	Context (*create_context)(const intptr_t *properties, uint32_t count, const DeviceId *devices, void *notify,
		void *user_data, int32_t *error);
	Queue (*create_queue)(Context, DeviceId, uint64_t properties, int32_t *error);
	Program (*create_program)(Context, uint32_t count, const char **texts, const size_t *lengths, int32_t *error);
	int32_t (*build_program)(
		Program, uint32_t count, const DeviceId *devices, const char *options, void *notify, void *user_data);
	int32_t (*get_build_info)(Program, DeviceId, uint32_t what, size_t bytes, void *value, size_t *bytes_of_value);
	KernelId (*create_kernel)(Program, const char *name, int32_t *error);
	int32_t (*set_argument)(KernelId, uint32_t index, size_t bytes, const void *value);
	Memory (*create_buffer)(Context, uint64_t flags, size_t bytes, void *host, int32_t *error);
	int32_t (*read_buffer)(Queue, Memory, uint32_t blocking, size_t offset, size_t bytes, void *to, uint32_t waits,
		const Event *wait_list, Event *event);
	int32_t (*write_buffer)(Queue, Memory, uint32_t blocking, size_t offset, size_t bytes, const void *from,
		uint32_t waits, const Event *wait_list, Event *event);
	int32_t (*fill_buffer)(Queue, Memory, const void *pattern, size_t pattern_bytes, size_t offset, size_t bytes,
		uint32_t waits, const Event *wait_list, Event *event);
	int32_t (*launch)(Queue, KernelId, uint32_t dimensions, const size_t *offset, const size_t *global,
		const size_t *local, uint32_t waits, const Event *wait_list, Event *event);
	int32_t (*finish)(Queue);

	Library() {
		const char *path = std::getenv("OPENCL_LIBRARY");
		handle = dlopen(path ? path : "libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);
		if (!handle)
			throw std::runtime_error("OpenCL is not installed: " + std::string(dlerror()));
		find(get_platforms, "clGetPlatformIDs");
		find(get_platform_info, "clGetPlatformInfo");
		find(get_devices, "clGetDeviceIDs");
		find(get_device_info, "clGetDeviceInfo");
		find(create_context, "clCreateContext");
		find(create_queue, "clCreateCommandQueue");
		find(create_program, "clCreateProgramWithSource");
		find(build_program, "clBuildProgram");
		find(get_build_info, "clGetProgramBuildInfo");
		find(create_kernel, "clCreateKernel");
		find(set_argument, "clSetKernelArg");
		find(create_buffer, "clCreateBuffer");
		find(read_buffer, "clEnqueueReadBuffer");
		find(write_buffer, "clEnqueueWriteBuffer");
		find(fill_buffer, "clEnqueueFillBuffer");
		find(launch, "clEnqueueNDRangeKernel");
		find(finish, "clFinish");
	}

  private:
	template <class Function> void find(Function *&function, const char *name) {
		function = reinterpret_cast<Function *>(dlsym(handle, name));
		if (!function)
			throw std::runtime_error(std::string("libOpenCL.so.1 has no ") + name);
	}

	void *handle;
};

inline const Library &library() {
	static const Library loaded;
	return loaded;
}

inline void check(int32_t error, const char *what) {
	if (error)
		throw std::runtime_error(std::string(what) + ": OpenCL error " + std::to_string(error));
}

inline std::string info(Library::InfoFunction *function, void *object, uint32_t what) {
	char text[1024] = "";
	check(function(object, what, sizeof(text), text, nullptr), "asking for a name");
	return text;
}

struct Device {
	DeviceId id;
	std::string platform, version, name, driver;
};

/* Every CPU of every platform. */
inline std::vector<Device> cpus() {
	const Library &cl = library();
	Platform platforms[16];
	uint32_t platform_count = 0;
	if (cl.get_platforms(16, platforms, &platform_count))
		return {}; /* the loader found no platform */

	std::vector<Device> found;
	for (uint32_t p = 0; p < std::min(platform_count, 16u); p++) {
		DeviceId ids[16];
		uint32_t count = 0;
		const int32_t error = cl.get_devices(platforms[p], DEVICE_TYPE_CPU, 16, ids, &count);
		if (error == DEVICE_NOT_FOUND)
			continue;
		check(error, "clGetDeviceIDs");
		for (uint32_t d = 0; d < std::min(count, 16u); d++)
			found.push_back({ids[d], info(cl.get_platform_info, platforms[p], PLATFORM_NAME),
				info(cl.get_platform_info, platforms[p], PLATFORM_VERSION),
				info(cl.get_device_info, ids[d], DEVICE_NAME), info(cl.get_device_info, ids[d], DRIVER_VERSION)});
	}
	return found;
}

/* The device, an in-order queue to it, and the program of kernels.cl. */
class Session {
  public:
	Context context;
	Queue queue;
	Program program;

	Session() {
		const Library &cl = library();
		const DeviceId device = choose();
		int32_t error;
		context = cl.create_context(nullptr, 1, &device, nullptr, nullptr, &error);
		check(error, "clCreateContext");
		queue = cl.create_queue(context, device, 0, &error);
		check(error, "clCreateCommandQueue");

		const std::string text = kernels();
		const char *start = text.data();
		const size_t length = text.size();
		program = cl.create_program(context, 1, &start, &length, &error);
		check(error, "clCreateProgramWithSource");
		error = cl.build_program(program, 1, &device, OPENCL_OPTIONS, nullptr, nullptr);
		if (error) {
			std::vector<char> log(1 << 16);
			cl.get_build_info(program, device, PROGRAM_BUILD_LOG, log.size() - 1, log.data(), nullptr);
			std::fprintf(stderr, "%s\n", log.data());
			check(error, "kernels.cl does not compile");
		}
	}

  private:
	static DeviceId choose() {
		const char *wanted = std::getenv("OPENCL_PLATFORM");
		for (const Device &device : cpus())
			if (!wanted || device.platform.find(wanted) != std::string::npos)
				return device.id;
		throw std::runtime_error(std::string("no CPU device of OpenCL platform '") + (wanted ? wanted : "") + "'");
	}

	static std::string kernels() {
		std::FILE *file = std::fopen("kernels.cl", "rb");
		if (!file)
			throw std::runtime_error("no kernels.cl in the current directory");
		std::string text;
		char part[4096];
		while (const size_t got = std::fread(part, 1, sizeof(part), file))
			text.append(part, got);
		std::fclose(file);
		return text;
	}
};

inline const Session &session() {
	static const Session opened;
	return opened;
}

/* Wait until everything launched is done. */
inline void finish() {
	check(library().finish(session().queue), "clFinish");
}

/* An array in device memory; it lives as long as the program. Copies to and from it wait for what was launched before.
 */
template <class T> class Buffer {
  public:
	Memory memory = nullptr;

	void resize(size_t count) {
		this->count = count;
		int32_t error;
		memory = library().create_buffer(session().context, MEMORY_READ_WRITE, count * sizeof(T), nullptr, &error);
		check(error, "clCreateBuffer");
	}

	void assign(const T *host, size_t count) {
		resize(count);
		copy_from(host);
	}

	void assign(const std::vector<T> &host) {
		assign(host.data(), host.size());
	}

	/* Copy as many elements as the buffer has. */
	void copy_from(const T *host) {
		check(library().write_buffer(session().queue, memory, 1, 0, count * sizeof(T), host, 0, nullptr, nullptr),
			"clEnqueueWriteBuffer");
	}

	void fill(T value) {
		check(library().fill_buffer(
				  session().queue, memory, &value, sizeof(T), 0, count * sizeof(T), 0, nullptr, nullptr),
			"clEnqueueFillBuffer");
		finish();
	}

	void copy_to(T *host) const {
		check(library().read_buffer(session().queue, memory, 1, 0, count * sizeof(T), host, 0, nullptr, nullptr),
			"clEnqueueReadBuffer");
	}

	std::vector<T> to_host() const {
		std::vector<T> host(count);
		copy_to(host.data());
		return host;
	}

  private:
	size_t count = 0;
};

/* An argument for a `__local` pointer: that much local memory for each work-group. */
struct Local {
	size_t bytes;
};

struct Range {
	size_t x, y;
	Range(size_t x, size_t y = 0)
		: x(x), y(y) /* y 0: the range has one dimension */
	{
	}
};

/* A kernel of kernels.cl. Arguments: buffers, Local, and numbers of exactly the types of the parameters. */
class Kernel {
  public:
	void create(const char *name) {
		int32_t error;
		kernel = library().create_kernel(session().program, name, &error);
		check(error, name);
	}

	template <class... Values> void arguments(const Values &...values) {
		uint32_t index = 0;
		(argument(index++, values), ...);
	}

	template <class T> void argument(uint32_t index, const Buffer<T> &buffer) {
		set(index, sizeof(buffer.memory), &buffer.memory);
	}

	void argument(uint32_t index, Local local) {
		set(index, local.bytes, nullptr);
	}

	template <class T> void argument(uint32_t index, const T &value) {
		set(index, sizeof(value), &value);
	}

	/* Both ranges count work-items; `global` is a multiple of `local`. Does not wait. */
	void launch(Range global, Range local) {
		const size_t global_size[] = {global.x, global.y}, local_size[] = {local.x, local.y};
		check(library().launch(
				  session().queue, kernel, global.y ? 2 : 1, nullptr, global_size, local_size, 0, nullptr, nullptr),
			"clEnqueueNDRangeKernel");
	}

  private:
	void set(uint32_t index, size_t bytes, const void *value) {
		check(library().set_argument(kernel, index, bytes, value), "clSetKernelArg");
	}

	KernelId kernel = nullptr;
};

} // namespace opencl

#endif
