/* Arrays, textures and surfaces of the driver API. cuda.h includes this. */
#ifndef S2S_CUDA_ARRAYS_H
#define S2S_CUDA_ARRAYS_H

typedef cudaArray_t CUarray;
typedef cudaMipmappedArray_t CUmipmappedArray;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;

typedef enum CUarray_format_enum {
	CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
	CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
	CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
	CU_AD_FORMAT_SIGNED_INT8 = 0x08,
	CU_AD_FORMAT_SIGNED_INT16 = 0x09,
	CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
	CU_AD_FORMAT_HALF = 0x10,
	CU_AD_FORMAT_FLOAT = 0x20,
	CU_AD_FORMAT_NV12 = 176,
	CU_AD_FORMAT_UNORM_INT8X1 = 192,
	CU_AD_FORMAT_UNORM_INT8X2 = 193,
	CU_AD_FORMAT_UNORM_INT8X4 = 194,
	CU_AD_FORMAT_UNORM_INT16X1 = 195,
	CU_AD_FORMAT_UNORM_INT16X2 = 196,
	CU_AD_FORMAT_UNORM_INT16X4 = 197,
	CU_AD_FORMAT_SNORM_INT8X1 = 198,
	CU_AD_FORMAT_SNORM_INT8X2 = 199,
	CU_AD_FORMAT_SNORM_INT8X4 = 200,
	CU_AD_FORMAT_SNORM_INT16X1 = 201,
	CU_AD_FORMAT_SNORM_INT16X2 = 202,
	CU_AD_FORMAT_SNORM_INT16X4 = 203,
	CU_AD_FORMAT_BC1_UNORM = 145,
	CU_AD_FORMAT_BC1_UNORM_SRGB = 146,
	CU_AD_FORMAT_BC2_UNORM = 147,
	CU_AD_FORMAT_BC2_UNORM_SRGB = 148,
	CU_AD_FORMAT_BC3_UNORM = 149,
	CU_AD_FORMAT_BC3_UNORM_SRGB = 150,
	CU_AD_FORMAT_BC4_UNORM = 151,
	CU_AD_FORMAT_BC4_SNORM = 152,
	CU_AD_FORMAT_BC5_UNORM = 153,
	CU_AD_FORMAT_BC5_SNORM = 154,
	CU_AD_FORMAT_BC6H_UF16 = 155,
	CU_AD_FORMAT_BC6H_SF16 = 156,
	CU_AD_FORMAT_BC7_UNORM = 157,
	CU_AD_FORMAT_BC7_UNORM_SRGB = 158,
	CU_AD_FORMAT_P010 = 159,
	CU_AD_FORMAT_P016 = 161,
	CU_AD_FORMAT_NV16 = 162,
	CU_AD_FORMAT_P210 = 163,
	CU_AD_FORMAT_P216 = 164,
	CU_AD_FORMAT_YUY2 = 165,
	CU_AD_FORMAT_Y210 = 166,
	CU_AD_FORMAT_Y216 = 167,
	CU_AD_FORMAT_AYUV = 168,
	CU_AD_FORMAT_Y410 = 169,
	CU_AD_FORMAT_Y416 = 177,
	CU_AD_FORMAT_Y444_PLANAR8 = 178,
	CU_AD_FORMAT_Y444_PLANAR10 = 179,
	CU_AD_FORMAT_YUV444_8bit_SemiPlanar = 180,
	CU_AD_FORMAT_YUV444_16bit_SemiPlanar = 181,
	CU_AD_FORMAT_UNORM_INT_101010_2 = 80,
	CU_AD_FORMAT_MAX = 0x7fffffff
} CUarray_format;
typedef enum CUaddress_mode_enum {
	CU_TR_ADDRESS_MODE_WRAP = 0,
	CU_TR_ADDRESS_MODE_CLAMP = 1,
	CU_TR_ADDRESS_MODE_MIRROR = 2,
	CU_TR_ADDRESS_MODE_BORDER = 3
} CUaddress_mode;
typedef enum CUfilter_mode_enum { CU_TR_FILTER_MODE_POINT = 0, CU_TR_FILTER_MODE_LINEAR = 1 } CUfilter_mode;
typedef enum CUmemorytype_enum {
	CU_MEMORYTYPE_HOST = 0x01,
	CU_MEMORYTYPE_DEVICE = 0x02,
	CU_MEMORYTYPE_ARRAY = 0x03,
	CU_MEMORYTYPE_UNIFIED = 0x04
} CUmemorytype;
typedef enum CUresourcetype_enum {
	CU_RESOURCE_TYPE_ARRAY = 0,
	CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1,
	CU_RESOURCE_TYPE_LINEAR = 2,
	CU_RESOURCE_TYPE_PITCH2D = 3
} CUresourcetype;

#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_2DARRAY 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_CUBEMAP 0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08
#define CU_TRSA_OVERRIDE_FORMAT 0x01
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
#define CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20
#define CU_TRSF_SEAMLESS_CUBEMAP 0x40

typedef struct CUDA_ARRAY_DESCRIPTOR_st {
	size_t Width, Height;
	CUarray_format Format;
	unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;
typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
	size_t Width, Height, Depth;
	CUarray_format Format;
	unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
typedef struct CUDA_MEMCPY2D_st {
	size_t srcXInBytes, srcY;
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	size_t srcPitch;
	size_t dstXInBytes, dstY;
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	size_t dstPitch;
	size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;
typedef struct CUDA_MEMCPY3D_st {
	size_t srcXInBytes, srcY, srcZ, srcLOD;
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	void *reserved0;
	size_t srcPitch, srcHeight;
	size_t dstXInBytes, dstY, dstZ, dstLOD;
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	void *reserved1;
	size_t dstPitch, dstHeight;
	size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;
typedef struct CUDA_RESOURCE_DESC_st {
	CUresourcetype resType;
	union {
		struct {
			CUarray hArray;
		} array;
		struct {
			CUmipmappedArray hMipmappedArray;
		} mipmap;
		struct {
			CUdeviceptr devPtr;
			CUarray_format format;
			unsigned int numChannels;
			size_t sizeInBytes;
		} linear;
		struct {
			CUdeviceptr devPtr;
			CUarray_format format;
			unsigned int numChannels;
			size_t width, height, pitchInBytes;
		} pitch2D;
		struct {
			int reserved[32];
		} reserved;
	} res;
	unsigned int flags;
} CUDA_RESOURCE_DESC;
typedef struct CUDA_TEXTURE_DESC_st {
	CUaddress_mode addressMode[3];
	CUfilter_mode filterMode;
	unsigned int flags, maxAnisotropy;
	CUfilter_mode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	float borderColor[4];
	int reserved[12];
} CUDA_TEXTURE_DESC;
typedef struct CUDA_RESOURCE_VIEW_DESC_st CUDA_RESOURCE_VIEW_DESC;

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuArrayCreate(CUarray *__array, const CUDA_ARRAY_DESCRIPTOR *__desc);
CUresult cuArray3DCreate(CUarray *__array, const CUDA_ARRAY3D_DESCRIPTOR *__desc);
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *__desc, CUarray __array);
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *__desc, CUarray __array);
CUresult cuArrayDestroy(CUarray __array);

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *__copy);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *__copy);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *__copy, CUstream __stream);
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *__copy);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *__copy, CUstream __stream);
CUresult cuMemcpyHtoA(CUarray __to, size_t __offset, const void *__from, size_t __bytes);
CUresult cuMemcpyAtoH(void *__to, CUarray __from, size_t __offset, size_t __bytes);
CUresult cuMemcpyDtoA(CUarray __to, size_t __offset, CUdeviceptr __from, size_t __bytes);
CUresult cuMemcpyAtoD(CUdeviceptr __to, CUarray __from, size_t __offset, size_t __bytes);
CUresult cuMemcpyAtoA(CUarray __to, size_t __to_offset, CUarray __from, size_t __from_offset, size_t __bytes);

/* Views of resources as something else are CUDA_ERROR_NOT_SUPPORTED. */
CUresult cuTexObjectCreate(CUtexObject *__object, const CUDA_RESOURCE_DESC *__resource,
	const CUDA_TEXTURE_DESC *__texture, const CUDA_RESOURCE_VIEW_DESC *__view);
CUresult cuTexObjectDestroy(CUtexObject __object);
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *__resource, CUtexObject __object);
CUresult cuSurfObjectCreate(CUsurfObject *__object, const CUDA_RESOURCE_DESC *__resource);
CUresult cuSurfObjectDestroy(CUsurfObject __object);
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *__resource, CUsurfObject __object);

#ifdef __cplusplus
} /* extern "C" */
#endif

/* Texture references of modules are refused: CUDA has them no more since version 12, but for these functions. */
#define S2S_NO_TEXTURE_REFERENCES                                                                                      \
	"texture references of modules are not supported: pass the kernel a texture object (cuTexObjectCreate)"
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
#define S2S_REFUSED(name) CUresult name() __attribute__((error(S2S_NO_TEXTURE_REFERENCES)));
#ifdef __cplusplus
#undef S2S_REFUSED
#define S2S_REFUSED(name)                                                                                              \
	template <class... __T> CUresult name(__T...) __attribute__((error(S2S_NO_TEXTURE_REFERENCES)));
#endif
#ifndef __clang__ /* which has no such attribute before version 14: there, the linker does not find them */
S2S_REFUSED(cuModuleGetTexRef)
S2S_REFUSED(cuModuleGetSurfRef)
S2S_REFUSED(cuTexRefCreate)
S2S_REFUSED(cuTexRefDestroy)
S2S_REFUSED(cuTexRefSetArray)
S2S_REFUSED(cuTexRefSetAddress)
S2S_REFUSED(cuTexRefSetAddress2D)
S2S_REFUSED(cuTexRefSetFormat)
S2S_REFUSED(cuTexRefSetAddressMode)
S2S_REFUSED(cuTexRefSetFilterMode)
S2S_REFUSED(cuTexRefSetFlags)
S2S_REFUSED(cuSurfRefSetArray)
#endif
#undef S2S_REFUSED

#endif
