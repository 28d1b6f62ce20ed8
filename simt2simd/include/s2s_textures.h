/* What kernels do with textures and surfaces, as the appendix "Texture Fetching" of CUDA's guide defines it, and where
 * it leaves something open, as an H200 does it. The front end includes this where a program's text has such words. */
#ifndef S2S_TEXTURES_H
#define S2S_TEXTURES_H

#include "s2s_texture_types.h"

#ifdef S2S_TEXTURE_REFERENCES
template <class T, int Type = cudaTextureType1D, cudaTextureReadMode Mode = cudaReadModeElementType>
using texture = s2s_texture_reference<T, Type, Mode>;
template <class T, int Type = cudaSurfaceType1D> using surface = s2s_surface_reference<T, Type>;
#endif

/* ---- texels ---- */

/* A channel of texel `at`: an integer extended to 32 bits, or the bits of a float. Integers that are read as floats are
 * whole numbers up to `most` until they are filtered. */
__device__ __noinline__ inline unsigned int s2s_bits_of_channel(const s2s_texture *t, int at, int channel) {
	if (channel >= t->channels)
		return channel < 3 ? 0 : t->channel < S2S_FLOAT_16 ? 1 : __float_as_uint(t->most);
	int n = at * t->channels + channel;
	switch (t->channel) {
	case S2S_SIGNED_8:
		return static_cast<const signed char *>(t->data)[n];
	case S2S_SIGNED_16:
		return static_cast<const short *>(t->data)[n];
	case S2S_UNSIGNED_8:
		return static_cast<const unsigned char *>(t->data)[n];
	case S2S_UNSIGNED_16:
		return static_cast<const unsigned short *>(t->data)[n];
	case S2S_FLOAT_16:
		return __float_as_uint(__half2float(static_cast<const __half *>(t->data)[n]));
	case S2S_SIGNED_8_TO_1:
		return __float_as_uint(fmaxf(static_cast<const signed char *>(t->data)[n], -127.0f));
	case S2S_SIGNED_16_TO_1:
		return __float_as_uint(fmaxf(static_cast<const short *>(t->data)[n], -32767.0f));
	case S2S_UNSIGNED_8_TO_1:
		return __float_as_uint(static_cast<const unsigned char *>(t->data)[n]);
	case S2S_UNSIGNED_16_TO_1:
		return __float_as_uint(static_cast<const unsigned short *>(t->data)[n]);
	case S2S_SRGB_TO_1: {
		float c = static_cast<const unsigned char *>(t->data)[n] / 255.0f;
		return __float_as_uint(channel == 3 ? c : c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f));
	}
	default: /* 32 bits */
		return static_cast<const unsigned int *>(t->data)[n];
	}
}

template <class Element> __device__ inline Element s2s_as_element(unsigned int bits) {
	if constexpr (s2s_element_format<Element>::format == cudaChannelFormatKindFloat)
		return __uint_as_float(bits);
	else
		return static_cast<Element>(bits);
}

/* A texel of a format that is not that of T. */
template <class T> __device__ __noinline__ T s2s_convert_texel(const s2s_texture *t, int at) {
	typedef typename s2s_texel<T>::element Element;
	if constexpr (s2s_texel<T>::has_floats && s2s_texel<T>::channels == 4) {
		if (t->channel == S2S_UNSIGNED_8_TO_1 && t->channels == 4) { /* most colours: one load */
			unsigned int all = static_cast<const unsigned int *>(t->data)[at];
			return make_float4(all & 255, all >> 8 & 255, all >> 16 & 255, all >> 24);
		}
	}
	T texel;
	for (int i = 0; i < s2s_texel<T>::channels; i++)
		reinterpret_cast<Element *>(&texel)[i] = s2s_as_element<Element>(s2s_bits_of_channel(t, at, i));
	return texel;
}

__device__ inline float s2s_divided(float a, float by) {
	return a / by;
}
__device__ inline float1 s2s_divided(float1 a, float by) {
	return make_float1(a.x / by);
}
__device__ inline float2 s2s_divided(float2 a, float by) {
	return make_float2(a.x / by, a.y / by);
}
__device__ inline float4 s2s_divided(float4 a, float by) {
	return make_float4(a.x / by, a.y / by, a.z / by, a.w / by);
}

/* A texel as kernels get it: what are whole numbers up to `most` become numbers up to 1. */
template <class T> __device__ inline T s2s_in_units(const s2s_texture *t, T texel) {
	if constexpr (s2s_texel<T>::has_floats)
		return s2s_divided(texel, t->most);
	else
		return texel;
}

/* In units or, for filters, not. */
template <class T, bool InUnits> __device__ __forceinline__ T s2s_load_texel(const s2s_texture *t, int at) {
	bool as_it_is = s2s_texel<T>::has_floats ? t->channel == S2S_FLOAT_32 : t->channel < S2S_SIGNED_8_TO_1;
	if (as_it_is && t->channels == s2s_texel<T>::channels && t->texel_bytes == sizeof(T))
		return static_cast<const T *>(t->data)[at];
	T texel = s2s_convert_texel<T>(t, at);
	return InUnits ? s2s_in_units(t, texel) : texel;
}

/* What is outside of a texture. */
template <class T, bool InUnits> __device__ __noinline__ T s2s_border(const s2s_texture *t) {
	typedef typename s2s_texel<T>::element Element;
	T texel;
	for (int i = 0; i < s2s_texel<T>::channels; i++)
		reinterpret_cast<Element *>(&texel)[i] = static_cast<Element>(t->border[i]);
	return InUnits ? s2s_in_units(t, texel) : texel;
}

/* The texel with these numbers, of which -1 means that it is outside. */
template <class T, bool InUnits> __device__ inline T s2s_texel_at(const s2s_texture *t, int x, int y, int z) {
	if ((x | y | z) < 0)
		return s2s_border<T, InUnits>(t);
	return s2s_load_texel<T, InUnits>(t, x + y * t->row_texels + z * t->layer_texels);
}

/* ---- coordinates ---- */

/* Where a coordinate lies along an axis, in texels: from 0 to the size of the axis where it is wrapped, to twice that
 * where it is mirrored. */
__device__ inline float s2s_position(const s2s_texture *t, int axis, float x) {
	if (!t->normalized)
		return x;
	if (t->address[axis] == cudaAddressModeWrap)
		x -= floorf(x);
	else if (t->address[axis] == cudaAddressModeMirror)
		x -= 2.0f * floorf(x * 0.5f);
	return x * t->size[axis];
}

/* `number` as an integer from -1 to `size`, whatever it is. */
__device__ inline int s2s_near(float number, int size) {
	return static_cast<int>(fminf(fmaxf(number, -1.0f), static_cast<float>(size)));
}

/* The texel for number -1 to 2 * size. */
__device__ inline int s2s_mirrored(int number, int size) {
	return min(max(min(number, 2 * size - 1 - number), 0), size - 1);
}

/* The number of the texel where a position lies. */
__device__ inline int s2s_nearest(const s2s_texture *t, int axis, float position) {
	int size = t->size[axis];
	if (t->address[axis] == cudaAddressModeMirror)
		return s2s_mirrored(s2s_near(floorf(position), 2 * size), size);
	int i = s2s_near(floorf(position), size);
	if (t->address[axis] == cudaAddressModeBorder)
		return i < size ? i : -1;
	return min(max(i, 0), size - 1);
}

/* Two neighbours on an axis, and the weight of the second: a multiple of 1/256. */
struct s2s_taps {
	int low, high;
	float weight;
};

__device__ inline s2s_taps s2s_around(const s2s_texture *t, int axis, float position) {
	int size = t->size[axis];
	float steps = floorf((position - 0.5f) * 256.0f + 0.5f);
	float below = floorf(steps / 256.0f);
	s2s_taps taps;
	taps.weight = (steps - below * 256.0f) / 256.0f;
	switch (t->address[axis]) {
	case cudaAddressModeBorder:
		taps.high = s2s_near(below + 1.0f, size + 1);
		taps.low = taps.high > 0 && taps.high <= size ? taps.high - 1 : -1;
		taps.high = taps.high < size ? taps.high : -1;
		break;
	case cudaAddressModeWrap:
		taps.low = s2s_near(below, size);
		taps.high = taps.low + 1 < size ? taps.low + 1 : 0;
		taps.low = taps.low < 0 ? size - 1 : taps.low < size ? taps.low : 0;
		break;
	case cudaAddressModeMirror:
		taps.low = s2s_near(below, 2 * size);
		taps.high = s2s_mirrored(taps.low + 1, size);
		taps.low = s2s_mirrored(taps.low, size);
		break;
	default:
		taps.low = s2s_near(below, size);
		taps.high = min(taps.low + 1, size - 1);
		taps.low = min(max(taps.low, 0), size - 1);
		taps.weight = taps.low < taps.high ? taps.weight : 0.0f;
	}
	return taps;
}

/* ---- filtering ---- */

/* Shares of texels are multiples of 1/256, as are weights: the product of two weights, halves rounded up or down. */
__device__ inline float s2s_share_up(float a, float b) {
	return floorf(a * b * 256.0f + 0.5f) / 256.0f;
}
__device__ inline float s2s_share_down(float a, float b) {
	return ceilf(a * b * 256.0f - 0.5f) / 256.0f;
}

__device__ inline float s2s_with(float sum, float a, float share) {
	return sum + a * share;
}
__device__ inline float1 s2s_with(float1 sum, float1 a, float share) {
	return make_float1(s2s_with(sum.x, a.x, share));
}
__device__ inline float2 s2s_with(float2 sum, float2 a, float share) {
	return make_float2(s2s_with(sum.x, a.x, share), s2s_with(sum.y, a.y, share));
}
__device__ inline float4 s2s_with(float4 sum, float4 a, float share) {
	return make_float4(s2s_with(sum.x, a.x, share), s2s_with(sum.y, a.y, share), s2s_with(sum.z, a.z, share),
		s2s_with(sum.w, a.w, share));
}

/* A sum of texels and two more of a row with their shares. */
template <class T>
__device__ inline T s2s_with_row(
	T sum, const s2s_texture *t, s2s_taps x, int y, int z, float share_of_low, float share_of_high) {
	T low = s2s_texel_at<T, false>(t, x.low, y, z), high = s2s_texel_at<T, false>(t, x.high, y, z);
	return s2s_with(s2s_with(sum, low, share_of_low), high, share_of_high);
}

/* And four more of a layer: what two columns share is divided among two rows. */
template <class T>
__device__ inline T s2s_with_layer(
	T sum, const s2s_texture *t, s2s_taps x, s2s_taps y, int z, float share_of_low, float share_of_high) {
	float low = s2s_share_down(share_of_low, y.weight), high = s2s_share_up(share_of_high, y.weight);
	sum = s2s_with_row(sum, t, x, y.low, z, share_of_low - low, share_of_high - high);
	return s2s_with_row(sum, t, x, y.high, z, low, high);
}

/* A weighted sum of integers that are read as floats, in units: it has 16 bits, to which those of 8 bits are extended
 * by repeating them. */
template <class T> __device__ __forceinline__ T s2s_settled_integers(const s2s_texture *t, T sum) {
	float most = t->most;
	float repeated = most == 255.0f   ? 257.0f
					 : most == 127.0f ? 258.0f
									  : 1.0f,
		  top_bits = most == 127.0f ? 0.125f : 0.0f;
	float most_of_16 = most == 255.0f || most == 65535.0f ? 65535.0f : 32767.0f;
	T settled;
	for (int i = 0; i < s2s_texel<T>::channels; i++) {
		float part = reinterpret_cast<const float *>(&sum)[i];
		float whole = floorf(part * repeated + floorf(part / 16.0f) * top_bits + 0.5f);
		reinterpret_cast<float *>(&settled)[i] = whole / most_of_16;
	}
	return settled;
}

template <class T> __device__ inline T s2s_settled(const s2s_texture *t, T sum) {
	if (t->most != 1.0f)
		return s2s_settled_integers(t, sum);
	return sum;
}

/* A texel, or what lies between texels, at these positions; `layer` of a texture with fewer than three axes. The first
 * weights to be multiplied are those along x and z. A texture of one axis has a second coordinate, 0, which matters
 * where there is a border. */
template <class T, int Axes> __device__ T s2s_filter(const s2s_texture *t, float x, float y, float z, int layer) {
	s2s_taps columns = s2s_around(t, 0, x);
	if constexpr (Axes == 1)
		if (t->address[1] != cudaAddressModeBorder)
			return s2s_with_row(T(), t, columns, 0, layer, 1.0f - columns.weight, columns.weight);
	s2s_taps rows = s2s_around(t, 1, y);
	if constexpr (Axes < 3) {
		return s2s_with_layer(T(), t, columns, rows, layer, 1.0f - columns.weight, columns.weight);
	} else {
		s2s_taps layers = s2s_around(t, 2, z);
		float both = s2s_share_up(columns.weight, layers.weight), high = columns.weight - both;
		T sum = s2s_with_layer(T(), t, columns, rows, layers.low, 1.0f - layers.weight - high, high);
		return s2s_with_layer(sum, t, columns, rows, layers.high, layers.weight - both, both);
	}
}

/* Layers are numbered without a sign: there is none before the first. */
__device__ inline int s2s_layer(int layer, int layers) {
	return static_cast<int>(min(static_cast<unsigned int>(layer), static_cast<unsigned int>(layers - 1)));
}

template <class T, int Axes> __device__ T s2s_fetch(cudaTextureObject_t object, float x, float y, float z, int layer) {
	const s2s_texture *t = reinterpret_cast<const s2s_texture *>(object);
	x = s2s_position(t, 0, x);
	if constexpr (Axes > 1)
		y = s2s_position(t, 1, y);
	if constexpr (Axes > 2)
		z = s2s_position(t, 2, z);
	else
		layer = s2s_layer(layer, t->size[2]);
	if constexpr (s2s_texel<T>::has_floats)
		if (t->linear)
			return s2s_settled(t, s2s_filter<T, Axes>(t, x, y, z, layer));
	return s2s_texel_at<T, true>(
		t, s2s_nearest(t, 0, x), Axes > 1 ? s2s_nearest(t, 1, y) : 0, Axes > 2 ? s2s_nearest(t, 2, z) : layer);
}

/* Memory without rows: texels that are not there are 0. */
template <class T> __device__ __forceinline__ T s2s_fetch_linear(cudaTextureObject_t object, int x) {
	const s2s_texture *t = reinterpret_cast<const s2s_texture *>(object);
	if (static_cast<unsigned int>(x) >= t->size[0])
		return T();
	return s2s_load_texel<T, true>(t, x);
}

/* The faces of a cube lie along +x, -x, +y, -y, +z and -z; the longest axis of a direction selects its face. */
template <class T> __device__ T s2s_fetch_cube(cudaTextureObject_t object, float x, float y, float z, int layer) {
	float along_x = fabsf(x), along_y = fabsf(y), along_z = fabsf(z);
	float length, across, down;
	int face;
	if (along_x > along_y && along_x > along_z) {
		face = x >= 0 ? 0 : 1;
		length = along_x;
		across = x >= 0 ? -z : z;
		down = -y;
	} else if (along_y > along_z) {
		face = y >= 0 ? 2 : 3;
		length = along_y;
		across = x;
		down = y >= 0 ? z : -z;
	} else {
		face = z >= 0 ? 4 : 5;
		length = along_z;
		across = z >= 0 ? x : -x;
		down = -y;
	}
	int cubes = max(reinterpret_cast<const s2s_texture *>(object)->size[2] / 6, 1);
	return s2s_fetch<T, 2>(
		object, (across / length + 1) / 2, (down / length + 1) / 2, 0, s2s_layer(layer, cubes) * 6 + face);
}

/* One channel of the four texels that a filtered fetch would mix, from the lower left one anticlockwise. */
template <class T> __device__ T s2s_gather(cudaTextureObject_t object, float x, float y, int channel) {
	typedef typename s2s_texel<T>::element Element;
	const s2s_texture *t = reinterpret_cast<const s2s_texture *>(object);
	s2s_taps columns = s2s_around(t, 0, s2s_position(t, 0, x)), rows = s2s_around(t, 1, s2s_position(t, 1, y));
	const int place[4][2] = {
		{columns.low, rows.high}, {columns.high, rows.high}, {columns.high, rows.low}, {columns.low, rows.low}};
	T found;
	for (int i = 0; i < 4; i++) {
		int column = place[i][0], row = place[i][1];
		Element value = static_cast<Element>(t->border[channel]);
		if ((column | row) >= 0)
			value = s2s_as_element<Element>(s2s_bits_of_channel(t, column + row * t->row_texels, channel));
		reinterpret_cast<Element *>(&found)[i] = value;
	}
	return s2s_in_units(t, found);
}

/* What a reference is read as. */
template <class T, cudaTextureReadMode Mode> struct s2s_read_as {
	typedef T type;
};
template <class T> struct s2s_read_as<T, cudaReadModeNormalizedFloat> {
	typedef typename s2s_texel<T>::floats type;
};
template <class T, cudaTextureReadMode Mode> using s2s_read = typename s2s_read_as<T, Mode>::type;

/* ---- surfaces ---- */

/* The number of the element of type T at byte `x` of a row; -1 if there is nothing. */
template <class T>
__device__ int s2s_place_on_surface(const s2s_texture *t, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
	int last = t->size[0] * t->texel_bytes - static_cast<int>(sizeof(T));
	if (mode == cudaBoundaryModeClamp) {
		x = min(max(x, 0), last);
		y = min(max(y, 0), t->size[1] - 1);
		z = min(max(z, 0), t->size[2] - 1);
	} else if (x < 0 || x > last || y < 0 || y >= t->size[1] || z < 0 || z >= t->size[2]) {
		if (mode == cudaBoundaryModeTrap)
			__trap();
		return -1;
	}
	int first_texel = y * t->row_texels + z * t->layer_texels;
	return first_texel * t->texel_bytes / static_cast<int>(sizeof(T)) + x / static_cast<int>(sizeof(T));
}

template <class T>
__device__ T s2s_read_surface(cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
	const s2s_texture *t = reinterpret_cast<const s2s_texture *>(object);
	int place = s2s_place_on_surface<T>(t, x, y, z, mode);
	if (place < 0)
		return T();
	return static_cast<const T *>(t->data)[place];
}

template <class T>
__device__ void s2s_write_surface(
	T value, cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
	const s2s_texture *t = reinterpret_cast<const s2s_texture *>(object);
	int place = s2s_place_on_surface<T>(t, x, y, z, mode);
	if (place >= 0)
		static_cast<T *>(t->data)[place] = value;
}

/* ---- CUDA's functions on objects ---- */

template <class T> __device__ inline T tex1Dfetch(cudaTextureObject_t object, int x) {
	return s2s_fetch_linear<T>(object, x);
}
template <class T> __device__ inline void tex1Dfetch(T *result, cudaTextureObject_t object, int x) {
	*result = tex1Dfetch<T>(object, x);
}
template <class T> __device__ inline T tex1D(cudaTextureObject_t object, float x) {
	return s2s_fetch<T, 1>(object, x, 0, 0, 0);
}
template <class T> __device__ inline void tex1D(T *result, cudaTextureObject_t object, float x) {
	*result = tex1D<T>(object, x);
}
template <class T> __device__ inline T tex2D(cudaTextureObject_t object, float x, float y) {
	return s2s_fetch<T, 2>(object, x, y, 0, 0);
}
template <class T> __device__ inline void tex2D(T *result, cudaTextureObject_t object, float x, float y) {
	*result = tex2D<T>(object, x, y);
}
template <class T> __device__ inline T tex3D(cudaTextureObject_t object, float x, float y, float z) {
	return s2s_fetch<T, 3>(object, x, y, z, 0);
}
template <class T> __device__ inline void tex3D(T *result, cudaTextureObject_t object, float x, float y, float z) {
	*result = tex3D<T>(object, x, y, z);
}
template <class T> __device__ inline T tex1DLayered(cudaTextureObject_t object, float x, int layer) {
	return s2s_fetch<T, 1>(object, x, 0, 0, layer);
}
template <class T> __device__ inline void tex1DLayered(T *result, cudaTextureObject_t object, float x, int layer) {
	*result = tex1DLayered<T>(object, x, layer);
}
template <class T> __device__ inline T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
	return s2s_fetch<T, 2>(object, x, y, 0, layer);
}
template <class T>
__device__ inline void tex2DLayered(T *result, cudaTextureObject_t object, float x, float y, int layer) {
	*result = tex2DLayered<T>(object, x, y, layer);
}
template <class T> __device__ inline T texCubemap(cudaTextureObject_t object, float x, float y, float z) {
	return s2s_fetch_cube<T>(object, x, y, z, 0);
}
template <class T> __device__ inline void texCubemap(T *result, cudaTextureObject_t object, float x, float y, float z) {
	*result = texCubemap<T>(object, x, y, z);
}
template <class T>
__device__ inline T texCubemapLayered(cudaTextureObject_t object, float x, float y, float z, int layer) {
	return s2s_fetch_cube<T>(object, x, y, z, layer);
}
template <class T>
__device__ inline void texCubemapLayered(T *result, cudaTextureObject_t object, float x, float y, float z, int layer) {
	*result = texCubemapLayered<T>(object, x, y, z, layer);
}
template <class T> __device__ inline T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel) {
	return s2s_gather<T>(object, x, y, channel);
}
template <class T>
__device__ inline void tex2Dgather(T *result, cudaTextureObject_t object, float x, float y, int channel) {
	*result = tex2Dgather<T>(object, x, y, channel);
}
template <class T> __device__ inline T tex2Dgather(cudaTextureObject_t object, float x, float y) {
	return s2s_gather<T>(object, x, y, 0);
}

/* There is one level of detail. */

template <class T> __device__ inline T tex1DLod(cudaTextureObject_t object, float x, float level) {
	return s2s_fetch<T, 1>(object, x, 0, 0, 0);
}
template <class T> __device__ inline void tex1DLod(T *result, cudaTextureObject_t object, float x, float level) {
	*result = tex1DLod<T>(object, x, level);
}
template <class T> __device__ inline T tex2DLod(cudaTextureObject_t object, float x, float y, float level) {
	return s2s_fetch<T, 2>(object, x, y, 0, 0);
}
template <class T>
__device__ inline void tex2DLod(T *result, cudaTextureObject_t object, float x, float y, float level) {
	*result = tex2DLod<T>(object, x, y, level);
}
template <class T> __device__ inline T tex3DLod(cudaTextureObject_t object, float x, float y, float z, float level) {
	return s2s_fetch<T, 3>(object, x, y, z, 0);
}
template <class T>
__device__ inline void tex3DLod(T *result, cudaTextureObject_t object, float x, float y, float z, float level) {
	*result = tex3DLod<T>(object, x, y, z, level);
}
template <class T> __device__ inline T tex1DLayeredLod(cudaTextureObject_t object, float x, int layer, float level) {
	return s2s_fetch<T, 1>(object, x, 0, 0, layer);
}
template <class T>
__device__ inline void tex1DLayeredLod(T *result, cudaTextureObject_t object, float x, int layer, float level) {
	*result = tex1DLayeredLod<T>(object, x, layer, level);
}
template <class T>
__device__ inline T tex2DLayeredLod(cudaTextureObject_t object, float x, float y, int layer, float level) {
	return s2s_fetch<T, 2>(object, x, y, 0, layer);
}
template <class T>
__device__ inline void tex2DLayeredLod(
	T *result, cudaTextureObject_t object, float x, float y, int layer, float level) {
	*result = tex2DLayeredLod<T>(object, x, y, layer, level);
}
template <class T>
__device__ inline T texCubemapLod(cudaTextureObject_t object, float x, float y, float z, float level) {
	return s2s_fetch_cube<T>(object, x, y, z, 0);
}
template <class T>
__device__ inline void texCubemapLod(T *result, cudaTextureObject_t object, float x, float y, float z, float level) {
	*result = texCubemapLod<T>(object, x, y, z, level);
}
template <class T>
__device__ inline T texCubemapLayeredLod(
	cudaTextureObject_t object, float x, float y, float z, int layer, float level) {
	return s2s_fetch_cube<T>(object, x, y, z, layer);
}
template <class T>
__device__ inline void texCubemapLayeredLod(
	T *result, cudaTextureObject_t object, float x, float y, float z, int layer, float level) {
	*result = texCubemapLayeredLod<T>(object, x, y, z, layer, level);
}
template <class T> __device__ inline T tex1DGrad(cudaTextureObject_t object, float x, float dx, float dy) {
	return s2s_fetch<T, 1>(object, x, 0, 0, 0);
}
template <class T>
__device__ inline void tex1DGrad(T *result, cudaTextureObject_t object, float x, float dx, float dy) {
	*result = tex1DGrad<T>(object, x, dx, dy);
}
template <class T> __device__ inline T tex2DGrad(cudaTextureObject_t object, float x, float y, float2 dx, float2 dy) {
	return s2s_fetch<T, 2>(object, x, y, 0, 0);
}
template <class T>
__device__ inline void tex2DGrad(T *result, cudaTextureObject_t object, float x, float y, float2 dx, float2 dy) {
	*result = tex2DGrad<T>(object, x, y, dx, dy);
}
template <class T>
__device__ inline T tex3DGrad(cudaTextureObject_t object, float x, float y, float z, float4 dx, float4 dy) {
	return s2s_fetch<T, 3>(object, x, y, z, 0);
}
template <class T>
__device__ inline void tex3DGrad(
	T *result, cudaTextureObject_t object, float x, float y, float z, float4 dx, float4 dy) {
	*result = tex3DGrad<T>(object, x, y, z, dx, dy);
}
template <class T>
__device__ inline T tex1DLayeredGrad(cudaTextureObject_t object, float x, int layer, float dx, float dy) {
	return s2s_fetch<T, 1>(object, x, 0, 0, layer);
}
template <class T>
__device__ inline void tex1DLayeredGrad(T *result, cudaTextureObject_t object, float x, int layer, float dx, float dy) {
	*result = tex1DLayeredGrad<T>(object, x, layer, dx, dy);
}
template <class T>
__device__ inline T tex2DLayeredGrad(cudaTextureObject_t object, float x, float y, int layer, float2 dx, float2 dy) {
	return s2s_fetch<T, 2>(object, x, y, 0, layer);
}
template <class T>
__device__ inline void tex2DLayeredGrad(
	T *result, cudaTextureObject_t object, float x, float y, int layer, float2 dx, float2 dy) {
	*result = tex2DLayeredGrad<T>(object, x, y, layer, dx, dy);
}
template <class T>
__device__ inline T texCubemapGrad(cudaTextureObject_t object, float x, float y, float z, float4 dx, float4 dy) {
	return s2s_fetch_cube<T>(object, x, y, z, 0);
}
template <class T>
__device__ inline void texCubemapGrad(
	T *result, cudaTextureObject_t object, float x, float y, float z, float4 dx, float4 dy) {
	*result = texCubemapGrad<T>(object, x, y, z, dx, dy);
}
template <class T>
__device__ inline T texCubemapLayeredGrad(
	cudaTextureObject_t object, float x, float y, float z, int layer, float4 dx, float4 dy) {
	return s2s_fetch_cube<T>(object, x, y, z, layer);
}
template <class T>
__device__ inline void texCubemapLayeredGrad(
	T *result, cudaTextureObject_t object, float x, float y, float z, int layer, float4 dx, float4 dy) {
	*result = texCubemapLayeredGrad<T>(object, x, y, z, layer, dx, dy);
}

/* ---- the same on references; what nothing is bound to reads as 0 ---- */

template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex1Dfetch(
	const s2s_texture_reference<T, cudaTextureType1D, Mode> &reference, int x) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex1Dfetch<s2s_read<T, Mode>>(reference.s2s_object, x);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex1D(const s2s_texture_reference<T, cudaTextureType1D, Mode> &reference, float x) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex1D<s2s_read<T, Mode>>(reference.s2s_object, x);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex2D(
	const s2s_texture_reference<T, cudaTextureType2D, Mode> &reference, float x, float y) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex2D<s2s_read<T, Mode>>(reference.s2s_object, x, y);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex3D(
	const s2s_texture_reference<T, cudaTextureType3D, Mode> &reference, float x, float y, float z) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex3D<s2s_read<T, Mode>>(reference.s2s_object, x, y, z);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex1DLayered(
	const s2s_texture_reference<T, cudaTextureType1DLayered, Mode> &reference, float x, int layer) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex1DLayered<s2s_read<T, Mode>>(reference.s2s_object, x, layer);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex2DLayered(
	const s2s_texture_reference<T, cudaTextureType2DLayered, Mode> &reference, float x, float y, int layer) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex2DLayered<s2s_read<T, Mode>>(reference.s2s_object, x, y, layer);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> texCubemap(
	const s2s_texture_reference<T, cudaTextureTypeCubemap, Mode> &reference, float x, float y, float z) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return texCubemap<s2s_read<T, Mode>>(reference.s2s_object, x, y, z);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> texCubemapLayered(
	const s2s_texture_reference<T, cudaTextureTypeCubemapLayered, Mode> &reference, float x, float y, float z,
	int layer) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return texCubemapLayered<s2s_read<T, Mode>>(reference.s2s_object, x, y, z, layer);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex1DLod(
	const s2s_texture_reference<T, cudaTextureType1D, Mode> &reference, float x, float level) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex1DLod<s2s_read<T, Mode>>(reference.s2s_object, x, level);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex2DLod(
	const s2s_texture_reference<T, cudaTextureType2D, Mode> &reference, float x, float y, float level) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex2DLod<s2s_read<T, Mode>>(reference.s2s_object, x, y, level);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex3DLod(
	const s2s_texture_reference<T, cudaTextureType3D, Mode> &reference, float x, float y, float z, float level) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex3DLod<s2s_read<T, Mode>>(reference.s2s_object, x, y, z, level);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex1DLayeredLod(
	const s2s_texture_reference<T, cudaTextureType1DLayered, Mode> &reference, float x, int layer, float level) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex1DLayeredLod<s2s_read<T, Mode>>(reference.s2s_object, x, layer, level);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex2DLayeredLod(
	const s2s_texture_reference<T, cudaTextureType2DLayered, Mode> &reference, float x, float y, int layer,
	float level) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex2DLayeredLod<s2s_read<T, Mode>>(reference.s2s_object, x, y, layer, level);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> texCubemapLod(
	const s2s_texture_reference<T, cudaTextureTypeCubemap, Mode> &reference, float x, float y, float z, float level) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return texCubemapLod<s2s_read<T, Mode>>(reference.s2s_object, x, y, z, level);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> texCubemapLayeredLod(
	const s2s_texture_reference<T, cudaTextureTypeCubemapLayered, Mode> &reference, float x, float y, float z,
	int layer, float level) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return texCubemapLayeredLod<s2s_read<T, Mode>>(reference.s2s_object, x, y, z, layer, level);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex1DGrad(
	const s2s_texture_reference<T, cudaTextureType1D, Mode> &reference, float x, float dx, float dy) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex1DGrad<s2s_read<T, Mode>>(reference.s2s_object, x, dx, dy);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex2DGrad(
	const s2s_texture_reference<T, cudaTextureType2D, Mode> &reference, float x, float y, float2 dx, float2 dy) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex2DGrad<s2s_read<T, Mode>>(reference.s2s_object, x, y, dx, dy);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex3DGrad(const s2s_texture_reference<T, cudaTextureType3D, Mode> &reference,
	float x, float y, float z, float4 dx, float4 dy) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex3DGrad<s2s_read<T, Mode>>(reference.s2s_object, x, y, z, dx, dy);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex1DLayeredGrad(
	const s2s_texture_reference<T, cudaTextureType1DLayered, Mode> &reference, float x, int layer, float dx, float dy) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex1DLayeredGrad<s2s_read<T, Mode>>(reference.s2s_object, x, layer, dx, dy);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> tex2DLayeredGrad(
	const s2s_texture_reference<T, cudaTextureType2DLayered, Mode> &reference, float x, float y, int layer, float2 dx,
	float2 dy) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return tex2DLayeredGrad<s2s_read<T, Mode>>(reference.s2s_object, x, y, layer, dx, dy);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> texCubemapGrad(
	const s2s_texture_reference<T, cudaTextureTypeCubemap, Mode> &reference, float x, float y, float z, float4 dx,
	float4 dy) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return texCubemapGrad<s2s_read<T, Mode>>(reference.s2s_object, x, y, z, dx, dy);
}
template <class T, cudaTextureReadMode Mode>
__device__ inline s2s_read<T, Mode> texCubemapLayeredGrad(
	const s2s_texture_reference<T, cudaTextureTypeCubemapLayered, Mode> &reference, float x, float y, float z,
	int layer, float4 dx, float4 dy) {
	if (!reference.s2s_object)
		return s2s_read<T, Mode>();
	return texCubemapLayeredGrad<s2s_read<T, Mode>>(reference.s2s_object, x, y, z, layer, dx, dy);
}

/* ---- CUDA's functions on surfaces: x is in bytes ---- */

template <class T>
__device__ inline T surf1Dread(cudaSurfaceObject_t object, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(object, x, 0, 0, mode);
}
template <class T>
__device__ inline void surf1Dread(
	T *result, cudaSurfaceObject_t object, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(object, x, 0, 0, mode);
}
template <class T>
__device__ inline void surf1Dwrite(
	T value, cudaSurfaceObject_t object, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, object, x, 0, 0, mode);
}
template <class T>
__device__ inline T surf1Dread(const s2s_surface_reference<void, cudaSurfaceType1D> &reference, int x,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(reference.s2s_object, x, 0, 0, mode);
}
template <class T>
__device__ inline void surf1Dread(T *result, const s2s_surface_reference<void, cudaSurfaceType1D> &reference, int x,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(reference.s2s_object, x, 0, 0, mode);
}
template <class T>
__device__ inline void surf1Dwrite(T value, const s2s_surface_reference<void, cudaSurfaceType1D> &reference, int x,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, reference.s2s_object, x, 0, 0, mode);
}
template <class T>
__device__ inline T surf2Dread(
	cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(object, x, y, 0, mode);
}
template <class T>
__device__ inline void surf2Dread(
	T *result, cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(object, x, y, 0, mode);
}
template <class T>
__device__ inline void surf2Dwrite(
	T value, cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, object, x, y, 0, mode);
}
template <class T>
__device__ inline T surf2Dread(const s2s_surface_reference<void, cudaSurfaceType2D> &reference, int x, int y,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(reference.s2s_object, x, y, 0, mode);
}
template <class T>
__device__ inline void surf2Dread(T *result, const s2s_surface_reference<void, cudaSurfaceType2D> &reference, int x,
	int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(reference.s2s_object, x, y, 0, mode);
}
template <class T>
__device__ inline void surf2Dwrite(T value, const s2s_surface_reference<void, cudaSurfaceType2D> &reference, int x,
	int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, reference.s2s_object, x, y, 0, mode);
}
template <class T>
__device__ inline T surf3Dread(
	cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(object, x, y, z, mode);
}
template <class T>
__device__ inline void surf3Dread(
	T *result, cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(object, x, y, z, mode);
}
template <class T>
__device__ inline void surf3Dwrite(
	T value, cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, object, x, y, z, mode);
}
template <class T>
__device__ inline T surf3Dread(const s2s_surface_reference<void, cudaSurfaceType3D> &reference, int x, int y, int z,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(reference.s2s_object, x, y, z, mode);
}
template <class T>
__device__ inline void surf3Dread(T *result, const s2s_surface_reference<void, cudaSurfaceType3D> &reference, int x,
	int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(reference.s2s_object, x, y, z, mode);
}
template <class T>
__device__ inline void surf3Dwrite(T value, const s2s_surface_reference<void, cudaSurfaceType3D> &reference, int x,
	int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, reference.s2s_object, x, y, z, mode);
}
template <class T>
__device__ inline T surf1DLayeredread(
	cudaSurfaceObject_t object, int x, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(object, x, 0, layer, mode);
}
template <class T>
__device__ inline void surf1DLayeredread(
	T *result, cudaSurfaceObject_t object, int x, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(object, x, 0, layer, mode);
}
template <class T>
__device__ inline void surf1DLayeredwrite(
	T value, cudaSurfaceObject_t object, int x, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, object, x, 0, layer, mode);
}
template <class T>
__device__ inline T surf1DLayeredread(const s2s_surface_reference<void, cudaSurfaceType1DLayered> &reference, int x,
	int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(reference.s2s_object, x, 0, layer, mode);
}
template <class T>
__device__ inline void surf1DLayeredread(T *result,
	const s2s_surface_reference<void, cudaSurfaceType1DLayered> &reference, int x, int layer,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(reference.s2s_object, x, 0, layer, mode);
}
template <class T>
__device__ inline void surf1DLayeredwrite(T value,
	const s2s_surface_reference<void, cudaSurfaceType1DLayered> &reference, int x, int layer,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, reference.s2s_object, x, 0, layer, mode);
}
template <class T>
__device__ inline T surf2DLayeredread(
	cudaSurfaceObject_t object, int x, int y, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(object, x, y, layer, mode);
}
template <class T>
__device__ inline void surf2DLayeredread(T *result, cudaSurfaceObject_t object, int x, int y, int layer,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(object, x, y, layer, mode);
}
template <class T>
__device__ inline void surf2DLayeredwrite(
	T value, cudaSurfaceObject_t object, int x, int y, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, object, x, y, layer, mode);
}
template <class T>
__device__ inline T surf2DLayeredread(const s2s_surface_reference<void, cudaSurfaceType2DLayered> &reference, int x,
	int y, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(reference.s2s_object, x, y, layer, mode);
}
template <class T>
__device__ inline void surf2DLayeredread(T *result,
	const s2s_surface_reference<void, cudaSurfaceType2DLayered> &reference, int x, int y, int layer,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(reference.s2s_object, x, y, layer, mode);
}
template <class T>
__device__ inline void surf2DLayeredwrite(T value,
	const s2s_surface_reference<void, cudaSurfaceType2DLayered> &reference, int x, int y, int layer,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, reference.s2s_object, x, y, layer, mode);
}
template <class T>
__device__ inline T surfCubemapread(
	cudaSurfaceObject_t object, int x, int y, int face, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(object, x, y, face, mode);
}
template <class T>
__device__ inline void surfCubemapread(T *result, cudaSurfaceObject_t object, int x, int y, int face,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(object, x, y, face, mode);
}
template <class T>
__device__ inline void surfCubemapwrite(
	T value, cudaSurfaceObject_t object, int x, int y, int face, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, object, x, y, face, mode);
}
template <class T>
__device__ inline T surfCubemapread(const s2s_surface_reference<void, cudaSurfaceTypeCubemap> &reference, int x, int y,
	int face, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(reference.s2s_object, x, y, face, mode);
}
template <class T>
__device__ inline void surfCubemapread(T *result, const s2s_surface_reference<void, cudaSurfaceTypeCubemap> &reference,
	int x, int y, int face, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(reference.s2s_object, x, y, face, mode);
}
template <class T>
__device__ inline void surfCubemapwrite(T value, const s2s_surface_reference<void, cudaSurfaceTypeCubemap> &reference,
	int x, int y, int face, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, reference.s2s_object, x, y, face, mode);
}
template <class T>
__device__ inline T surfCubemapLayeredread(
	cudaSurfaceObject_t object, int x, int y, int layer_and_face, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(object, x, y, layer_and_face, mode);
}
template <class T>
__device__ inline void surfCubemapLayeredread(T *result, cudaSurfaceObject_t object, int x, int y, int layer_and_face,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(object, x, y, layer_and_face, mode);
}
template <class T>
__device__ inline void surfCubemapLayeredwrite(T value, cudaSurfaceObject_t object, int x, int y, int layer_and_face,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, object, x, y, layer_and_face, mode);
}
template <class T>
__device__ inline T surfCubemapLayeredread(const s2s_surface_reference<void, cudaSurfaceTypeCubemapLayered> &reference,
	int x, int y, int layer_and_face, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	return s2s_read_surface<T>(reference.s2s_object, x, y, layer_and_face, mode);
}
template <class T>
__device__ inline void surfCubemapLayeredread(T *result,
	const s2s_surface_reference<void, cudaSurfaceTypeCubemapLayered> &reference, int x, int y, int layer_and_face,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	*result = s2s_read_surface<T>(reference.s2s_object, x, y, layer_and_face, mode);
}
template <class T>
__device__ inline void surfCubemapLayeredwrite(T value,
	const s2s_surface_reference<void, cudaSurfaceTypeCubemapLayered> &reference, int x, int y, int layer_and_face,
	cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
	s2s_write_surface(value, reference.s2s_object, x, y, layer_and_face, mode);
}

#endif
