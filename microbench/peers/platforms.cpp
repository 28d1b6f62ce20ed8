/* Prints every CPU device that OpenCL finds: platform, version of the platform, device, version of the driver. */
#include "opencl.h"

int main() {
	try {
		for (const opencl::Device &device : opencl::cpus())
			std::printf("%s\t%s\t%s\t%s\n", device.platform.c_str(), device.version.c_str(), device.name.c_str(),
				device.driver.c_str());
	} catch (const std::exception &fault) {
		std::fprintf(stderr, "%s\n", fault.what());
		return 1;
	}
}
