// Textures and surfaces of all kinds against a model of CUDA's guide and, where that leaves something open, of an H200.
// With `-v` it prints what kernels have read.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    printf("%d: %s: %s\n", __LINE__, #call, cudaGetErrorName(e_)); exit(1); } } while (0)

static bool verbose;
static const int W = 13, H = 7, D = 5, COUNT = 97;

struct Place { float x, y, z; int layer; };

// ---------------------------------------------------------------------------------------------- the model

// Texels are the numbers that memory has; those that are read as floats are divided by `most`, else 1. `depth` is also
// the number of layers or faces.
struct Image { int axes, width, height, depth, channels; bool layered; double most; std::vector<double> texels; };

static double border(const Image &image, const cudaTextureDesc &how, int c) {
    return image.most == 1 ? how.borderColor[c] : floor(how.borderColor[c] * image.most + 0.5);
}

static double texel(const Image &image, const cudaTextureDesc &how, int x, int y, int z, int c) {
    int at[3] = {x, y, z}, size[3] = {image.width, image.height, image.depth};
    for (int axis = 0; axis < (image.layered || image.axes == 3 ? image.axes : 2); axis++) {
        int n = size[axis], &i = at[axis];
        if (i >= 0 && i < n) continue;
        switch (how.normalizedCoords || how.addressMode[axis] == cudaAddressModeBorder ? how.addressMode[axis]
                                                                                       : cudaAddressModeClamp) {
        case cudaAddressModeBorder: return border(image, how, c);
        case cudaAddressModeWrap: i = ((i % n) + n) % n; break;
        case cudaAddressModeMirror: i = ((i % (2 * n)) + 2 * n) % (2 * n); i = i < n ? i : 2 * n - 1 - i; break;
        default: i = i < 0 ? 0 : n - 1;
        }
    }
    return image.texels[((size_t)(at[2] * image.height + at[1]) * image.width + at[0]) * image.channels + c];
}

// A weighted sum, in 256ths, as a number up to 1: it is rounded to 16 bits.
static double settled(double sum, double most) {
    if (most == 1) return sum / 256;
    if (most == 127) return floor((sum * 258 + floor(sum / 4096) * 32) / 256 + 0.5) / 32767;
    return floor(sum * (most == 255 ? 257 : 1) / 256 + 0.5) / (most == 255 ? 65535 : most);
}

static double model(const Image &image, const cudaTextureDesc &how, Place p, int c) {
    int size[3] = {image.width, image.height, image.depth}, first[3] = {0, 0, 0}, weight[3] = {0, 0, 0};
    double at[3] = {p.x, p.y, p.z};
    bool linear = how.filterMode == cudaFilterModeLinear;
    if (image.axes < 2) at[1] = image.layered ? 0.5 / (how.normalizedCoords ? size[1] : 1) : 0;
    for (int axis = 0; axis < (image.axes < 3 ? 2 : 3); axis++) {
        double x = how.normalizedCoords ? at[axis] * size[axis] : at[axis];
        int steps = (int)floor((x - (linear ? 0.5 : 0)) * 256 + (linear ? 0.5 : 0));
        bool clamped = !how.normalizedCoords || how.addressMode[axis] == cudaAddressModeClamp;
        if (clamped && how.addressMode[axis] != cudaAddressModeBorder)
            steps = std::max(0, std::min(steps, size[axis] * 256 - (linear ? 256 : 1)));
        first[axis] = (int)floor(steps / 256.);
        weight[axis] = linear ? steps & 255 : 0;
    }
    if (image.axes < 3) first[2] = (int)std::min((unsigned)p.layer, (unsigned)image.depth - 1);
    if (!linear) return texel(image, how, first[0], first[1], first[2], c) / image.most;
    // Products of weights are rounded to 256ths: first those along x and z, then these and those along y.
    int both = (weight[0] * weight[2] + 128) >> 8;
    int shares[4] = {256 - weight[0] - weight[2] + both, weight[0] - both, weight[2] - both, both};
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2, all = shares[x + 2 * z];
        int high = (all * weight[1] + 127 + x) >> 8, share = y ? high : all - high;
        if (share > 0) sum += share * texel(image, how, first[0] + x, first[1] + y, first[2] + z, c);
    }
    return settled(sum, image.most);
}

// -------------------------------------------------------------------------------------------- the kernels

enum Kind { ONE, TWO, THREE, ONE_LAYERED, TWO_LAYERED };

template <class T> __device__ T fetch(cudaTextureObject_t t, Kind kind, Place p) {
    switch (kind) {
    case ONE: return tex1D<T>(t, p.x);
    case TWO: return tex2D<T>(t, p.x, p.y);
    case THREE: return tex3D<T>(t, p.x, p.y, p.z);
    case ONE_LAYERED: return tex1DLayered<T>(t, p.x, p.layer);
    default: return tex2DLayered<T>(t, p.x, p.y, p.layer);
    }
}
template <class T> __global__ void sample(cudaTextureObject_t t, Kind kind, const Place *places, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = fetch<T>(t, kind, places[i]);
}
template <class T> __global__ void read_numbered(cudaTextureObject_t t, T *out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<T>(t, i - 3);
}
__global__ void gather(cudaTextureObject_t t, const Place *places, float4 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2Dgather<float4>(t, places[i].x, places[i].y, 1);
}
__global__ void look(cudaTextureObject_t t, const Place *places, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = texCubemap<float>(t, places[i].x, places[i].y, places[i].z);
}
__global__ void shift(cudaSurfaceObject_t from, cudaSurfaceObject_t to, cudaSurfaceBoundaryMode mode) {
    int x = threadIdx.x, y = threadIdx.y;
    short2 value;
    if (mode == cudaBoundaryModeClamp)
        surf2Dread(&value, from, (x - 2) * (int)sizeof(short2), y + 1, cudaBoundaryModeClamp);
    else
        value = surf2Dread<short2>(from, (x - 2) * (int)sizeof(short2), y + 1, cudaBoundaryModeZero);
    value.y++;
    surf2Dwrite(value, to, x * (int)sizeof(short2), y, cudaBoundaryModeZero);
}
__global__ void fill(cudaSurfaceObject_t volume, cudaSurfaceObject_t layers, cudaSurfaceObject_t line) {
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    surf3Dwrite(x + 100.f * y + 10000.f * z, volume, x * 4, y, z);
    surf2DLayeredwrite((unsigned char)(x + 16 * y + z), layers, x, y, z);
    if (z == 0 && y == 0) surf1Dwrite(make_int4(x, -x, x * x, 1 << x), line, x * 16);
}
__global__ void change(cudaSurfaceObject_t volume, cudaSurfaceObject_t layers, cudaSurfaceObject_t line) {
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    surf3Dwrite(surf3Dread<float>(volume, x * 4, y, z) + 0.5f, volume, x * 4, y, z);
    surf2DLayeredwrite((unsigned char)(255 - surf2DLayeredread<unsigned char>(layers, x, y, z)), layers, x, y, z);
    if (z == 0 && y == 0) {
        int4 v = surf1Dread<int4>(line, x * 16);
        surf1Dwrite(make_int4(v.w, v.z, v.y, v.x), line, x * 16);
    }
}

// --------------------------------------------------------------------------------------------- the checks

template <class T> static T *on_device(const std::vector<T> &values) {
    T *pointer;
    CHECK(cudaMalloc(&pointer, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return pointer;
}
template <class T> static std::vector<T> on_host(const T *pointer, size_t count) {
    std::vector<T> values(count);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(values.data(), pointer, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

static std::vector<Place> places(const Image &image, bool normalized, bool cube = false) {
    std::vector<Place> made;
    unsigned state = 12345;
    auto next = [&](float low, float high) {  // multiples of 1/1024, most of them no sixteenths
        state = state * 1664525u + 1013904223u;
        return floorf((low + (high - low) * (state >> 8) / 16777216.f) * 1024) / 1024 + 1 / 4096.f;
    };
    for (int i = 0; i < COUNT; i++) {
        float x = next(-1.7f, 2.7f), y = next(-1.7f, 2.7f), z = next(-1.7f, 2.7f);
        if (i % 3 == 0) x = next(0, 1), y = next(0, 1), z = next(0, 1);
        if (cube) x = x * 2 - 1, y = y * 2 - 1, z = z * 2 - 1;
        if (!normalized) x *= image.width, y *= image.height, z *= image.depth;
        made.push_back({x, y, z, i % (image.depth + 2) - 1});
    }
    return made;
}

static const char *const MODES[] = {"wrap", "clamp", "mirror", "border"};
static int wrong;

static void report(const char *what, const double *got, const double *right, int count) {
    double worst = 0;
    int bad = 0, first = -1;
    for (int i = 0; i < count; i++) {
        double off = fabs(got[i] - right[i]);
        if (!(off <= 0)) { bad++; if (first < 0) first = i; }
        if (off > worst) worst = off;
    }
    wrong += bad > 0;
    if (bad) printf("%s: %d of %d differ, by %g at most; number %d is %.9g, not %.9g\n", what, bad, count, worst, first,
                    got[first], right[first]);
    else if (verbose) printf("%s: ok, off by %.3g at most\n", what, worst);
    if (verbose)
        for (int i = 0; i < count; i++) printf("%s%.9g", i % 8 ? " " : "\n  ", got[i]);
    if (verbose) printf("\n");
}

template <class T> struct Parts;
template <> struct Parts<float> { static constexpr int count = 1; typedef float type; };
template <> struct Parts<float2> { static constexpr int count = 2; typedef float type; };
template <> struct Parts<float4> { static constexpr int count = 4; typedef float type; };
template <> struct Parts<int> { static constexpr int count = 1; typedef int type; };
template <> struct Parts<uchar4> { static constexpr int count = 4; typedef unsigned char type; };
template <> struct Parts<short2> { static constexpr int count = 2; typedef short type; };
template <> struct Parts<unsigned char> { static constexpr int count = 1; typedef unsigned char type; };
template <> struct Parts<signed char> { static constexpr int count = 1; typedef signed char type; };
template <> struct Parts<unsigned short> { static constexpr int count = 1; typedef unsigned short type; };

template <class T> static std::vector<double> flat(const std::vector<T> &values) {
    std::vector<double> all;
    for (const T &value : values)
        for (int c = 0; c < Parts<T>::count; c++) all.push_back(((const typename Parts<T>::type *)&value)[c]);
    return all;
}

template <class R>
static void compare(const char *what, cudaTextureObject_t object, Kind kind, const Image &image,
                    const cudaTextureDesc &how) {
    std::vector<Place> at = places(image, how.normalizedCoords);
    Place *device_at = on_device(at);
    R *out = on_device(std::vector<R>(COUNT));
    sample<R><<<(COUNT + 31) / 32, 32>>>(object, kind, device_at, out, COUNT);
    std::vector<double> got = flat(on_host(out, COUNT)), right;
    for (const Place &place : at)
        for (int c = 0; c < Parts<R>::count; c++) right.push_back((typename Parts<R>::type)model(image, how, place, c));
    report(what, got.data(), right.data(), (int)got.size());
    CHECK(cudaFree(out));
    CHECK(cudaFree(device_at));
}

template <class T> static T made(int i) {
    T value;
    for (int c = 0; c < Parts<T>::count; c++)
        ((typename Parts<T>::type *)&value)[c] = (typename Parts<T>::type)((i * 37 + c * 11 + i * i % 23) % 251 - 100);
    return value;
}

// An array of texels T, of which kernels read R: `most` is what the numbers are divided by.
template <class T, class R> static void run(const char *element, Kind kind, cudaTextureReadMode read, double most) {
    static const char *const KINDS[] = {"1D", "2D", "3D", "1D layered", "2D layered"};
    Image image = {kind == ONE || kind == ONE_LAYERED ? 1 : kind == THREE ? 3 : 2, W,
                   kind == ONE || kind == ONE_LAYERED ? 1 : H, kind == ONE || kind == TWO ? 1 : D, Parts<T>::count,
                   kind >= ONE_LAYERED, most, {}};
    std::vector<T> texels;
    for (int i = 0; i < image.width * image.height * image.depth; i++) texels.push_back(made<T>(i));
    for (double value : flat(texels)) image.texels.push_back(most == 1 ? value : fmax(value, -most));

    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    if (kind == ONE || kind == TWO) {
        CHECK(cudaMallocArray(&array, &format, W, kind == TWO ? H : 0));
        CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), W * sizeof(T), W * sizeof(T), image.height,
                                  cudaMemcpyHostToDevice));
    } else {
        cudaExtent extent = make_cudaExtent(W, kind == ONE_LAYERED ? 0 : H, D);
        CHECK(cudaMalloc3DArray(&array, &format, extent, kind == THREE ? cudaArrayDefault : cudaArrayLayered));
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(texels.data(), W * sizeof(T), W, image.height);
        copy.dstArray = array;
        copy.extent = make_cudaExtent(W, image.height, D);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy));
    }
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    bool floats = read == cudaReadModeNormalizedFloat || format.f == cudaChannelFormatKindFloat;
    for (int mode = 0; mode < 16; mode++) {
        cudaTextureDesc how = {};
        how.filterMode = mode & 1 ? cudaFilterModeLinear : cudaFilterModePoint;
        how.normalizedCoords = mode >> 1 & 1;
        how.readMode = read;
        for (int axis = 0; axis < 3; axis++) how.addressMode[axis] = (cudaTextureAddressMode)(mode >> 2);
        for (int c = 0; c < 4; c++) how.borderColor[c] = floats ? 0.25f * c + 0.125f : 0;
        bool turns = how.addressMode[0] == cudaAddressModeWrap || how.addressMode[0] == cudaAddressModeMirror;
        if ((!floats && how.filterMode == cudaFilterModeLinear) || (turns && !how.normalizedCoords)) continue;
        char what[100];
        snprintf(what, sizeof what, "%s %s %s %s%s", KINDS[kind], element, how.filterMode ? "linear" : "point",
                 MODES[mode >> 2], how.normalizedCoords ? " normalized" : "");
        cudaTextureObject_t object;
        CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
        compare<R>(what, object, kind, image, how);
        CHECK(cudaDestroyTextureObject(object));
    }
    CHECK(cudaFreeArray(array));
}

static void pitched() {
    float *memory;
    size_t pitch;
    Image image = {2, W, H, 1, 1, false, 1, {}};
    std::vector<float> texels;
    for (int i = 0; i < W * H; i++) texels.push_back(made<float>(i)), image.texels.push_back(texels.back());
    CHECK(cudaMallocPitch(&memory, &pitch, W * sizeof(float), H));
    CHECK(cudaMemcpy2D(memory, pitch, texels.data(), W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    resource.res.pitch2D.width = W, resource.res.pitch2D.height = H, resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t object;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    compare<float>("pitched memory", object, TWO, image, how);
    CHECK(cudaDestroyTextureObject(object));
    CHECK(cudaFree(memory));
}

template <class T> static void linear(const char *what) {
    std::vector<T> texels;
    for (int i = 0; i < W; i++) texels.push_back(made<T>(i));
    T *memory = on_device(texels), *out = on_device(std::vector<T>(W + 6));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = W * sizeof(T);
    cudaTextureDesc how = {};
    cudaTextureObject_t object;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    read_numbered<<<1, 32>>>(object, out, W + 6);
    std::vector<T> right(W + 6);
    for (int i = 0; i < W; i++) right[i + 3] = texels[i];
    report(what, flat(on_host(out, W + 6)).data(), flat(right).data(), (W + 6) * Parts<T>::count);
    CHECK(cudaDestroyTextureObject(object));
    CHECK(cudaFree(out));
    CHECK(cudaFree(memory));
}

static void gathered() {
    std::vector<float2> texels;
    for (int i = 0; i < W * H; i++) texels.push_back(made<float2>(i));
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, W, H, cudaArrayTextureGather));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), W * 8, W * 8, H, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t object;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    Image image = {2, W, H, 1, 2, false, 1, flat(texels)};
    std::vector<Place> at = places(image, false);
    Place *device_at = on_device(at);
    float4 *out = on_device(std::vector<float4>(COUNT));
    gather<<<4, 32>>>(object, device_at, out, COUNT);
    std::vector<double> right;
    for (const Place &p : at) {
        int x = (int)floor(p.x - 0.5), y = (int)floor(p.y - 0.5);
        const int offsets[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
        for (const auto &offset : offsets) right.push_back(texel(image, how, x + offset[0], y + offset[1], 0, 1));
    }
    report("gather", flat(on_host(out, COUNT)).data(), right.data(), COUNT * 4);
    CHECK(cudaDestroyTextureObject(object));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
    CHECK(cudaFree(device_at));
}

static void cube() {
    const int N = 4;
    Image image = {2, N, N, 6, 1, true, 1, {}};
    std::vector<float> texels;
    for (int i = 0; i < N * N * 6; i++) texels.push_back((float)i), image.texels.push_back(i);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(N, N, 6), cudaArrayCubemap));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), N * 4, N, N);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(N, N, 6);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    for (auto &mode : how.addressMode) mode = cudaAddressModeClamp;
    cudaTextureObject_t object;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    std::vector<Place> at = places(image, true, true);
    Place *device_at = on_device(at);
    float *out = on_device(std::vector<float>(COUNT));
    look<<<4, 32>>>(object, device_at, out, COUNT);
    std::vector<double> right;
    for (const Place &p : at) {
        double x = p.x, y = p.y, z = p.z, m = fmax(fabs(x), fmax(fabs(y), fabs(z))), s, t;
        int face;
        if (m == fabs(x)) face = x < 0, s = x < 0 ? z : -z, t = -y;
        else if (m == fabs(y)) face = 2 + (y < 0), s = x, t = y < 0 ? -z : z;
        else face = 4 + (z < 0), s = z < 0 ? -x : x, t = -y;
        right.push_back(model(image, how, {(float)((s / m + 1) / 2), (float)((t / m + 1) / 2), 0, face}, 0));
    }
    report("cube map", flat(on_host(out, COUNT)).data(), right.data(), COUNT);
    CHECK(cudaDestroyTextureObject(object));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
    CHECK(cudaFree(device_at));
}

template <class T> static cudaSurfaceObject_t surface_of(cudaArray_t &array, cudaExtent extent, unsigned flags) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    CHECK(cudaMalloc3DArray(&array, &format, extent, flags | cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t object;
    CHECK(cudaCreateSurfaceObject(&object, &resource));
    return object;
}

template <class T> static std::vector<T> texels_of(cudaArray_t array, int width, int height, int depth) {
    std::vector<T> texels(width * height * depth);
    cudaMemcpy3DParms copy = {};
    copy.srcArray = array;
    copy.dstPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(T), width, height);
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    return texels;
}

static void surfaces() {
    cudaArray_t from, to, volume, layers, line;
    cudaSurfaceObject_t a = surface_of<short2>(from, make_cudaExtent(W, H, 0), 0);
    cudaSurfaceObject_t b = surface_of<short2>(to, make_cudaExtent(W, H, 0), 0);
    std::vector<short2> texels;
    for (int i = 0; i < W * H; i++) texels.push_back(made<short2>(i));
    CHECK(cudaMemcpy2DToArray(from, 0, 0, texels.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
    for (cudaSurfaceBoundaryMode mode : {cudaBoundaryModeZero, cudaBoundaryModeClamp}) {
        shift<<<1, dim3(W + 3, H + 2)>>>(a, b, mode);
        CHECK(cudaDeviceSynchronize());
        std::vector<short2> right;
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                int i = x - 2, j = y + 1;
                bool inside = i >= 0 && j < H;
                if (mode == cudaBoundaryModeClamp) i = i < 0 ? 0 : i, j = j < H ? j : H - 1, inside = true;
                right.push_back(inside ? texels[j * W + i] : make_short2(0, 0));
                right.back().y++;
            }
        std::vector<short2> got(W * H);
        CHECK(cudaMemcpy2DFromArray(got.data(), W * 4, to, 0, 0, W * 4, H, cudaMemcpyDeviceToHost));
        report(mode ? "surface, clamped" : "surface, zero", flat(got).data(), flat(right).data(), W * H * 2);
    }
    cudaSurfaceObject_t c = surface_of<float>(volume, make_cudaExtent(W, H, D), 0);
    cudaSurfaceObject_t d = surface_of<unsigned char>(layers, make_cudaExtent(W, H, D), cudaArrayLayered);
    cudaSurfaceObject_t e = surface_of<int4>(line, make_cudaExtent(W, 0, 0), 0);
    fill<<<D, dim3(W, H)>>>(c, d, e);
    change<<<D, dim3(W, H)>>>(c, d, e);
    CHECK(cudaDeviceSynchronize());
    std::vector<double> right_volume, right_layers;
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                right_volume.push_back(x + 100.f * y + 10000.f * z + 0.5f);
                right_layers.push_back((unsigned char)(255 - (unsigned char)(x + 16 * y + z)));
            }
    report("surface 3D", flat(texels_of<float>(volume, W, H, D)).data(), right_volume.data(), W * H * D);
    report("surface layered", flat(texels_of<unsigned char>(layers, W, H, D)).data(), right_layers.data(), W * H * D);
    std::vector<int4> numbers = texels_of<int4>(line, W, 1, 1);
    std::vector<double> got, right;
    for (int x = 0; x < W; x++)
        for (int part : {numbers[x].x, numbers[x].y, numbers[x].z, numbers[x].w}) got.push_back(part);
    for (int x = 0; x < W; x++)
        for (int part : {1 << x, x * x, -x, x}) right.push_back(part);
    report("surface 1D", got.data(), right.data(), W * 4);
    for (cudaSurfaceObject_t object : {a, b, c, d, e}) CHECK(cudaDestroySurfaceObject(object));
    for (cudaArray_t array : {from, to, volume, layers, line}) CHECK(cudaFreeArray(array));
}

int main(int argc, char **argv) {
    verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    for (Kind kind : {ONE, TWO, THREE, ONE_LAYERED, TWO_LAYERED}) {
        run<float, float>("float", kind, cudaReadModeElementType, 1);
        run<uchar4, float4>("uchar4 as float4", kind, cudaReadModeNormalizedFloat, 255);
    }
    run<float4, float4>("float4", TWO, cudaReadModeElementType, 1);
    run<float2, float2>("float2", THREE, cudaReadModeElementType, 1);
    run<int, int>("int", TWO, cudaReadModeElementType, 1);
    run<uchar4, uchar4>("uchar4", TWO, cudaReadModeElementType, 1);
    run<short2, short2>("short2", ONE, cudaReadModeElementType, 1);
    run<short2, float2>("short2 as float2", TWO, cudaReadModeNormalizedFloat, 32767);
    run<signed char, float>("signed char as float", ONE, cudaReadModeNormalizedFloat, 127);
    run<unsigned short, float>("unsigned short as float", TWO, cudaReadModeNormalizedFloat, 65535);
    pitched();
    linear<float>("linear memory, float");
    linear<uchar4>("linear memory, uchar4");
    linear<float4>("linear memory, float4");
    gathered();
    cube();
    surfaces();
    printf("%s\n", wrong ? "FAILED" : "all as the guide says");
    return wrong != 0;
}
// It prints:
// all as the guide says
