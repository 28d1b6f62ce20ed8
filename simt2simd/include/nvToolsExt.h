/* NVTX: annotations for a profiler. There is none; ranges that nest are counted, for each thread and domain.
 *
 * Pushing a range returns its level, the outermost's being 0, and popping the level of the one that ends, or
 * NVTX_NO_PUSH_POP_TRACKING if there is none.
 */
#ifndef NVTOOLSEXT_H_
#define NVTOOLSEXT_H_
#pragma GCC system_header

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxResourceAttributes_t)))
#define NVTX_INITIALIZATION_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxInitializationAttributes_t)))
#define NVTX_RESOURCE_MAKE_TYPE(class_, index) ((((uint32_t)(NVTX_RESOURCE_CLASS_##class_)) << 16) | (uint32_t)(index))
#define NVTX_RESOURCE_CLASS_GENERIC 1

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st {
	int number;
} *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;

typedef enum nvtxMessageType_t {
	NVTX_MESSAGE_UNKNOWN = 0,
	NVTX_MESSAGE_TYPE_ASCII = 1,
	NVTX_MESSAGE_TYPE_UNICODE = 2,
	NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;

typedef enum nvtxPayloadType_t {
	NVTX_PAYLOAD_UNKNOWN = 0,
	NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
	NVTX_PAYLOAD_TYPE_INT64 = 2,
	NVTX_PAYLOAD_TYPE_DOUBLE = 3,
	NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
	NVTX_PAYLOAD_TYPE_INT32 = 5,
	NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef enum nvtxResourceGenericType_t {
	NVTX_RESOURCE_TYPE_UNKNOWN = 0,
	NVTX_RESOURCE_TYPE_GENERIC_POINTER = 0x10001,
	NVTX_RESOURCE_TYPE_GENERIC_HANDLE = 0x10002,
	NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = 0x10003,
	NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = 0x10004
} nvtxResourceGenericType_t;

typedef union nvtxMessageValue_t {
	const char *ascii;
	const wchar_t *unicode;
	nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
	uint16_t version, size;
	uint32_t category;
	int32_t colorType;
	uint32_t color;
	int32_t payloadType, reserved0;
	union payload_t {
		uint64_t ullValue;
		int64_t llValue;
		double dValue;
		uint32_t uiValue;
		int32_t iValue;
		float fValue;
	} payload;
	int32_t messageType;
	nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef nvtxEventAttributes_v2 nvtxEventAttributes_t;

typedef struct nvtxResourceAttributes_v0 {
	uint16_t version, size;
	int32_t identifierType;
	union identifier_t {
		const void *pIdentifier;
		uint64_t ullIdentifier;
	} identifier;
	int32_t messageType;
	nvtxMessageValue_t message;
} nvtxResourceAttributes_v0;
typedef nvtxResourceAttributes_v0 nvtxResourceAttributes_t;

typedef struct nvtxInitializationAttributes_v2 {
	uint16_t version, size;
	int32_t messageType;
	nvtxMessageValue_t message;
} nvtxInitializationAttributes_v2;
typedef nvtxInitializationAttributes_v2 nvtxInitializationAttributes_t;

/* Domains after the last one count together. */
#define S2S_NVTX_DOMAINS 64
__attribute__((weak)) __thread int s2s_nvtx_levels[S2S_NVTX_DOMAINS];
__attribute__((weak)) int s2s_nvtx_domains;
__attribute__((weak)) uint64_t s2s_nvtx_ranges;

#define S2S_NVTX static inline __attribute__((unused))

S2S_NVTX int *s2s_nvtx_level(nvtxDomainHandle_t domain) {
	int number = domain == NULL ? 0 : domain->number;
	return &s2s_nvtx_levels[number < S2S_NVTX_DOMAINS ? number : S2S_NVTX_DOMAINS - 1];
}

/* ---- domains ---- */

S2S_NVTX void nvtxInitialize(const void *reserved) {
}
S2S_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char *name) {
	nvtxDomainHandle_t domain = (nvtxDomainHandle_t)malloc(sizeof(*domain));
	if (domain != NULL)
		domain->number = __atomic_add_fetch(&s2s_nvtx_domains, 1, __ATOMIC_RELAXED);
	return domain;
}
S2S_NVTX nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *name) {
	return nvtxDomainCreateA(NULL);
}
S2S_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t domain) {
	free(domain);
}
S2S_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *string) {
	return (nvtxStringHandle_t)string;
}
S2S_NVTX nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t *string) {
	return (nvtxStringHandle_t)string;
}
S2S_NVTX nvtxResourceHandle_t nvtxDomainResourceCreate(
	nvtxDomainHandle_t domain, nvtxResourceAttributes_t *attributes) {
	return NULL;
}
S2S_NVTX void nvtxDomainResourceDestroy(nvtxResourceHandle_t resource) {
}

/* ---- ranges ---- */

S2S_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
	return (*s2s_nvtx_level(domain))++;
}
S2S_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
	int *level = s2s_nvtx_level(domain);
	return *level == 0 ? NVTX_NO_PUSH_POP_TRACKING : --*level;
}
S2S_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
	return __atomic_add_fetch(&s2s_nvtx_ranges, 1, __ATOMIC_RELAXED);
}
S2S_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
}
S2S_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t *attributes) {
	return nvtxDomainRangePushEx(NULL, attributes);
}
S2S_NVTX int nvtxRangePushA(const char *name) {
	return nvtxRangePushEx(NULL);
}
S2S_NVTX int nvtxRangePushW(const wchar_t *name) {
	return nvtxRangePushEx(NULL);
}
S2S_NVTX int nvtxRangePop(void) {
	return nvtxDomainRangePop(NULL);
}
S2S_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes) {
	return nvtxDomainRangeStartEx(NULL, attributes);
}
S2S_NVTX nvtxRangeId_t nvtxRangeStartA(const char *name) {
	return nvtxRangeStartEx(NULL);
}
S2S_NVTX nvtxRangeId_t nvtxRangeStartW(const wchar_t *name) {
	return nvtxRangeStartEx(NULL);
}
S2S_NVTX void nvtxRangeEnd(nvtxRangeId_t range) {
}

/* ---- marks and names ---- */

S2S_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
}
S2S_NVTX void nvtxMarkEx(const nvtxEventAttributes_t *attributes) {
}
S2S_NVTX void nvtxMarkA(const char *name) {
}
S2S_NVTX void nvtxMarkW(const wchar_t *name) {
}
S2S_NVTX void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t number, const char *name) {
}
S2S_NVTX void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t number, const wchar_t *name) {
}
S2S_NVTX void nvtxNameCategoryA(uint32_t number, const char *name) {
}
S2S_NVTX void nvtxNameCategoryW(uint32_t number, const wchar_t *name) {
}
S2S_NVTX void nvtxNameOsThreadA(uint32_t number, const char *name) {
}
S2S_NVTX void nvtxNameOsThreadW(uint32_t number, const wchar_t *name) {
}

#ifdef UNICODE
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#define nvtxRangePush nvtxRangePushW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxMark nvtxMarkW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#else
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#endif

#endif
