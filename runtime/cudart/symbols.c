/* Variables at file scope. Host code knows them as symbols: by their host names, which have the same address. */
#include "cudart/graph.h"

#include <stdbool.h>

static s2s_ranges variables = S2S_NO_RANGES;

void s2s_add_variables(const void *begin, const void *end) {
	for (const s2s_variable *item = begin; item < (const s2s_variable *)end; item++)
		if (!s2s_ranges_find(&variables, item->address, 1).begin)
			s2s_ranges_add(&variables, item->address, item->bytes);
}

void s2s_remove_variables(const void *begin, const void *end) {
	for (const s2s_variable *item = begin; item < (const s2s_variable *)end; item++)
		s2s_ranges_remove(&variables, item->address);
}

s2s_range s2s_variable_at(const void *begin, size_t bytes) {
	return s2s_ranges_find(&variables, begin, bytes);
}

bool s2s_add_variable(const void *address, size_t bytes) {
	return s2s_ranges_add(&variables, address, bytes);
}

void s2s_remove_variable(const void *address) {
	s2s_ranges_remove(&variables, address);
}

/* The bytes of the variable that is `symbol`; 0 if none is. A constant that both sides know lies in the host's memory:
 * that is `readable_bytes` long, and may only be read. */
static size_t bytes_of_symbol(const void *symbol, size_t readable_bytes) {
	s2s_range found = s2s_variable_at(symbol, 1);
	return found.begin == symbol && symbol ? found.bytes : readable_bytes;
}

static cudaError_t fault_of_symbol(size_t symbol_bytes, size_t bytes, size_t offset, bool direction_fits) {
	if (s2s_device_fault() != cudaSuccess)
		return s2s_device_fault();
	if (symbol_bytes == 0)
		return cudaErrorInvalidSymbol;
	if (!direction_fits)
		return cudaErrorInvalidMemcpyDirection;
	return offset <= symbol_bytes && bytes <= symbol_bytes - offset ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMemcpyToSymbol(
	const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
	bool fits = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
	cudaError_t fault = fault_of_symbol(bytes_of_symbol(symbol, 0), bytes, offset, fits);
	if (fault != cudaSuccess)
		return s2s_note(fault);
	return cudaMemcpy((char *)symbol + offset, from, bytes, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(
	const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
	bool fits = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
	if (fault_of_symbol(bytes_of_symbol(symbol, 0), bytes, offset, fits) == cudaSuccess)
		return cudaMemcpyAsync((char *)symbol + offset, from, bytes, kind, stream);
	return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError_t s2s_copy_from_symbol(
	void *to, const void *symbol, size_t readable_bytes, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
	bool fits = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
	cudaError_t fault = fault_of_symbol(bytes_of_symbol(symbol, readable_bytes), bytes, offset, fits);
	if (fault != cudaSuccess)
		return s2s_note(fault);
	bool constant = bytes_of_symbol(symbol, 0) == 0; /* in the host's memory */
	return cudaMemcpy(to, (const char *)symbol + offset, bytes, constant ? cudaMemcpyDefault : kind);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
	return s2s_copy_from_symbol(to, symbol, 0, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(
	void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
	bool fits = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
	if (fault_of_symbol(bytes_of_symbol(symbol, 0), bytes, offset, fits) == cudaSuccess)
		return cudaMemcpyAsync(to, (const char *)symbol + offset, bytes, kind, stream);
	return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

cudaError_t s2s_copy_from_symbol_async(void *to, const void *symbol, size_t readable_bytes, size_t bytes, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream) {
	if (bytes_of_symbol(symbol, 0) > 0)
		return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, stream);
	return s2s_copy_from_symbol(to, symbol, readable_bytes, bytes, offset, kind); /* what never changes */
}

cudaError_t s2s_find_symbol(void **pointer, size_t *bytes, const void *symbol, size_t readable_bytes) {
	size_t found = bytes_of_symbol(symbol, readable_bytes);
	if (!pointer && !bytes)
		return s2s_note(cudaErrorInvalidValue);
	if (found == 0)
		return s2s_note(cudaErrorInvalidSymbol);
	if (pointer)
		*pointer = (void *)symbol;
	if (bytes)
		*bytes = found;
	return s2s_note(cudaSuccess);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
	return s2s_find_symbol(pointer, NULL, symbol, 0);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
	return s2s_find_symbol(NULL, bytes, symbol, 0);
}
