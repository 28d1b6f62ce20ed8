// All-pairs forces with tiles of bodies; structs by value as arguments and results.
struct Vec { float x, y, z; };
struct Body { Vec position; float mass; Vec velocity; };

__device__ Vec add(Vec a, Vec b) { Vec r = {a.x + b.x, a.y + b.y, a.z + b.z}; return r; }
__device__ Vec scale(const Vec a, float s) { return Vec{a.x * s, a.y * s, a.z * s}; }
__device__ Vec pull(const Body *on, Vec from, float mass, float softening = 1e-6f)
{
    Vec d;
    d.x = from.x - on->position.x;
    d.y = from.y - on->position.y;
    d.z = from.z - on->position.z;
    float r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening;
    float inv = rsqrtf(r2);
    return scale(d, mass * inv * inv * inv);
}

__global__ void advance(Body *bodies, int n, float dt)
{
    __shared__ Body tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Body me = i < n ? bodies[i] : bodies[0];
    Vec acceleration = {};
    for (int base = 0; base < n; base += 128) {
        int j = base + (int)threadIdx.x;
        if (j < n) tile[threadIdx.x] = bodies[j];
        __syncthreads();
        for (int k = 0; k < 128 && base + k < n; k++)
            acceleration = add(acceleration, pull(&me, tile[k].position, tile[k].mass));
        __syncthreads();
    }
    me.velocity = add(me.velocity, scale(acceleration, dt));
    me.position = add(me.position, scale(me.velocity, dt));
    float speed = sqrtf(scale(me.velocity, 2).x);
    if (i < n) { bodies[i] = me; bodies[i].mass += 0 * speed; }
}
