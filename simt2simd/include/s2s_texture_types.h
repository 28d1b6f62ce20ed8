/* The types of textures and surfaces, for host code, in C and C++, and for device code. Programs get them without
 * including anything. Names and numbers are those of CUDA's driver_types.h, texture_types.h and surface_types.h. */
#ifndef S2S_TEXTURE_TYPES_H
#define S2S_TEXTURE_TYPES_H

enum cudaChannelFormatKind {
	cudaChannelFormatKindSigned = 0,
	cudaChannelFormatKindUnsigned = 1,
	cudaChannelFormatKindFloat = 2,
	cudaChannelFormatKindNone = 3,
	cudaChannelFormatKindNV12 = 4,
	cudaChannelFormatKindUnsignedNormalized8X1 = 5,
	cudaChannelFormatKindUnsignedNormalized8X2 = 6,
	cudaChannelFormatKindUnsignedNormalized8X4 = 7,
	cudaChannelFormatKindUnsignedNormalized16X1 = 8,
	cudaChannelFormatKindUnsignedNormalized16X2 = 9,
	cudaChannelFormatKindUnsignedNormalized16X4 = 10,
	cudaChannelFormatKindSignedNormalized8X1 = 11,
	cudaChannelFormatKindSignedNormalized8X2 = 12,
	cudaChannelFormatKindSignedNormalized8X4 = 13,
	cudaChannelFormatKindSignedNormalized16X1 = 14,
	cudaChannelFormatKindSignedNormalized16X2 = 15,
	cudaChannelFormatKindSignedNormalized16X4 = 16,
	cudaChannelFormatKindUnsignedBlockCompressed1 = 17,
	cudaChannelFormatKindUnsignedBlockCompressed1SRGB = 18,
	cudaChannelFormatKindUnsignedBlockCompressed2 = 19,
	cudaChannelFormatKindUnsignedBlockCompressed2SRGB = 20,
	cudaChannelFormatKindUnsignedBlockCompressed3 = 21,
	cudaChannelFormatKindUnsignedBlockCompressed3SRGB = 22,
	cudaChannelFormatKindUnsignedBlockCompressed4 = 23,
	cudaChannelFormatKindSignedBlockCompressed4 = 24,
	cudaChannelFormatKindUnsignedBlockCompressed5 = 25,
	cudaChannelFormatKindSignedBlockCompressed5 = 26,
	cudaChannelFormatKindUnsignedBlockCompressed6H = 27,
	cudaChannelFormatKindSignedBlockCompressed6H = 28,
	cudaChannelFormatKindUnsignedBlockCompressed7 = 29,
	cudaChannelFormatKindUnsignedBlockCompressed7SRGB = 30,
	cudaChannelFormatKindUnsignedNormalized1010102 = 31
};

struct cudaChannelFormatDesc {
	int x, y, z, w; /* bits of each channel */
	enum cudaChannelFormatKind f;
};
typedef struct cudaChannelFormatDesc cudaChannelFormatDesc;

enum cudaTextureAddressMode {
	cudaAddressModeWrap = 0,
	cudaAddressModeClamp = 1,
	cudaAddressModeMirror = 2,
	cudaAddressModeBorder = 3
};

enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };

enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

/* Addresses of an s2s_texture. */
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

/* How a channel of a texel is read. */
enum s2s_channel {
	S2S_SIGNED_8,
	S2S_SIGNED_16,
	S2S_SIGNED_32,
	S2S_UNSIGNED_8,
	S2S_UNSIGNED_16,
	S2S_UNSIGNED_32,
	S2S_FLOAT_16,
	S2S_FLOAT_32,
	S2S_SIGNED_8_TO_1, /* to the numbers from -1 to 1 */
	S2S_SIGNED_16_TO_1,
	S2S_UNSIGNED_8_TO_1,
	S2S_UNSIGNED_16_TO_1,
	S2S_SRGB_TO_1 /* of four channels, the first three */
};

/* What a texture or surface object denotes: the host writes it, kernels only read it. Texel (x, y, z) is number
 * x + y * row_texels + z * layer_texels from `data`; z is also the layer of a layered texture, and the face of a cube
 * map. */
struct s2s_texture {
	void *data;
	int size[3]; /* texels along each axis; 1 along those that the texture does not have */
	int row_texels, layer_texels;
	int texel_bytes;
	int channels;
	int channel; /* enum s2s_channel */
	int linear;  /* how it is filtered */
	int normalized;
	int address[3]; /* enum cudaTextureAddressMode */
	float border[4];
	float most; /* what whole numbers that are read as floats are divided by; else 1. The border's colour is not yet. */
};
typedef struct s2s_texture s2s_texture;

/* A texture reference: host code changes it, and kernels know it as a variable. */
struct textureReference {
	int normalized;
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureAddressMode addressMode[3];
	struct cudaChannelFormatDesc channelDesc;
	int sRGB;
	unsigned int maxAnisotropy;
	enum cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	int disableTrilinearOptimization;
	enum cudaTextureReadMode s2s_read_mode;
	cudaTextureObject_t s2s_object; /* 0: nothing is bound to it */
};

struct surfaceReference {
	struct cudaChannelFormatDesc channelDesc;
	cudaSurfaceObject_t s2s_object;
};

#ifdef __cplusplus
/* Programs know these as `texture` and `surface`, if they use them: else the names are theirs. */
template <class __T, int __Type, cudaTextureReadMode __Mode> struct s2s_texture_reference;
template <class __T, int __Type> struct s2s_surface_reference;

/* The number of bits and the kind of an element: `char` is signed. */
template <class __T> struct s2s_element_format;
#define S2S_ELEMENT_FORMAT(type, bits, kind)                                                                           \
	template <> struct s2s_element_format<type> {                                                                      \
		static constexpr int size = bits;                                                                              \
		static constexpr cudaChannelFormatKind format = cudaChannelFormatKind##kind;                                   \
	};
S2S_ELEMENT_FORMAT(char, 8, Signed)
S2S_ELEMENT_FORMAT(signed char, 8, Signed)
S2S_ELEMENT_FORMAT(unsigned char, 8, Unsigned)
S2S_ELEMENT_FORMAT(short, 16, Signed)
S2S_ELEMENT_FORMAT(unsigned short, 16, Unsigned)
S2S_ELEMENT_FORMAT(int, 32, Signed)
S2S_ELEMENT_FORMAT(unsigned int, 32, Unsigned)
S2S_ELEMENT_FORMAT(float, 32, Float)
#undef S2S_ELEMENT_FORMAT

/* What texels are made of: `element` is the type of a channel, `floats` the type with float channels. */
template <class __T> struct s2s_texel {
	static_assert(sizeof(__T) == 0, "texels have 1, 2 or 4 channels, integers of 8, 16 or 32 bits or floats");
	typedef int element;
	typedef float floats;
	static constexpr int channels = 1;
	static constexpr bool has_floats = false;
};
#define S2S_TEXEL(type, of, number, float_type)                                                                        \
	template <> struct s2s_texel<type> {                                                                               \
		typedef of element;                                                                                            \
		typedef float_type floats;                                                                                     \
		static constexpr int channels = number;                                                                        \
		static constexpr bool has_floats = s2s_element_format<of>::format == cudaChannelFormatKindFloat;               \
	};
#define S2S_TEXELS(of, name)                                                                                           \
	S2S_TEXEL(of, of, 1, float)                                                                                        \
	S2S_TEXEL(name##1, of, 1, float1)                                                                                  \
	S2S_TEXEL(name##2, of, 2, float2)                                                                                  \
	S2S_TEXEL(name##4, of, 4, float4)
S2S_TEXEL(signed char, signed char, 1, float)
S2S_TEXEL(char, char, 1, float)
S2S_TEXEL(char1, signed char, 1, float1)
S2S_TEXEL(char2, signed char, 2, float2)
S2S_TEXEL(char4, signed char, 4, float4)
S2S_TEXELS(unsigned char, uchar)
S2S_TEXELS(short, short)
S2S_TEXELS(unsigned short, ushort)
S2S_TEXELS(int, int)
S2S_TEXELS(unsigned int, uint)
S2S_TEXELS(float, float)
#undef S2S_TEXELS
#undef S2S_TEXEL

template <class __T> constexpr cudaChannelFormatDesc s2s_format_of_texel() {
	typedef s2s_texel<__T> texel;
	typedef s2s_element_format<typename texel::element> element;
	return {element::size, texel::channels > 1 ? element::size : 0, texel::channels > 2 ? element::size : 0,
		texel::channels > 2 ? element::size : 0, element::format};
}

template <class __T, int __Type, cudaTextureReadMode __Mode> struct s2s_texture_reference : textureReference {
	constexpr s2s_texture_reference(int __normalized = 0, cudaTextureFilterMode __filter = cudaFilterModePoint,
		cudaTextureAddressMode __address = cudaAddressModeClamp)
		: s2s_texture_reference(__normalized, __filter, __address, s2s_format_of_texel<__T>()) {
	}
	constexpr s2s_texture_reference(int __normalized, cudaTextureFilterMode __filter, cudaTextureAddressMode __address,
		cudaChannelFormatDesc __format)
		: textureReference{__normalized, __filter, {__address, __address, __address}, __format, 0, 0,
			  cudaFilterModePoint, 0, 0, 0, 0, __Mode, 0} {
	}
};

template <int __Type> struct s2s_surface_reference<void, __Type> : surfaceReference {
	constexpr s2s_surface_reference() : surfaceReference{{0, 0, 0, 0, cudaChannelFormatKindNone}, 0} {
	}
};
#endif

#endif
