// Arrays of structs in memory: fields of all sizes, nested arrays, pointers to members, structs with host pointers.
typedef struct {
    char tag;
    double weight;
    short pair[2];
    struct {
        unsigned char low;
        long long value;
    } inner;
    float m[2][3];
} Record;

__global__ void records(const Record *in, Record *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const Record *r = in + (i * 5) % n;
        out[i].tag = r->tag + 1;
        out[i].weight = r->weight * in[i].weight;
        out[i].pair[i & 1] = r->pair[r->tag & 1];
        out[i].pair[~i & 1] = -7;
        out[i].inner = r->inner;
        out[i].inner.value -= r->inner.low;
        float *row = out[i].m[i % 2];
        for (int k = 0; k < 3; k++) {
            row[k] = r->m[1 - i % 2][k];
            out[i].m[1 - i % 2][k] = 0.5f * k;
        }
        if (r->tag > 0) {
            const long long *v = &in[i].inner.value;
            out[i].weight += (double)*v;
        }
    }
}

typedef struct {
    const float *data;
    int count;
    float *result;
} Job;

__global__ void jobs(const Job *jobs, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const Job *job = &jobs[i];
        float sum = 0.0f;
        for (int k = 0; k < job->count; k++)
            sum += job->data[k];
        *job->result = sum;
    }
}

__global__ void one_job(Job job, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        job.count -= i;  // every thread has its own copy
        out[i] = job.count > 0 ? (int)job.data[job.count - 1] : -1;
        if (i == 0)
            job.result[0] = job.data[0];
    }
}

__global__ void local_structs(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Record r[2];
        r[0].tag = in[i];
        r[1].tag = -r[0].tag;
        r[0].pair[0] = r[0].pair[1] = 5;
        r[1].pair[0] = 6;
        r[1].pair[1] = 7;
        r[in[i] & 1].pair[in[i] >> 1 & 1] += 100;
        Record *p = &r[in[i] % 2];
        p->inner.value = 1000000000000LL + in[i];
        r[1 - in[i] % 2].inner.value = 3;
        out[i] = p->tag + p->pair[0] * 3 + r[1].pair[1] + (int)(r[0].inner.value % 1000) + (int)sizeof(Record);
    }
}
