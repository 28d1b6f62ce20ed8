/* CUDA's arrays: memory for textures and surfaces. */
#ifndef S2S_ARRAY_H
#define S2S_ARRAY_H

#include "cudart/cudart.h"

/* Texel (x, y, z) begins at byte x * texel_bytes + y * pitch + z * layer_pitch. No array has 2^31 bytes, so that device
 * code reaches each with 32-bit numbers. */
struct cudaArray {
	char *memory;
	struct cudaChannelFormatDesc format;
	struct cudaExtent extent; /* as it was asked for: 0 along axes that there are not */
	unsigned int flags;
	size_t width, height, depth; /* at least 1 */
	size_t texel_bytes, pitch, layer_pitch;
};

bool s2s_is_array(cudaArray_const_t array);

/* The bytes of a texel; 0 if there are no such texels. */
size_t s2s_texel_bytes(const struct cudaChannelFormatDesc *format);
int s2s_channels(const struct cudaChannelFormatDesc *format);

#endif
