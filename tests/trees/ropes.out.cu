struct Node;

struct Node {
    int key;
    Node *left;
    Node *right;
};

__device__ void visit(const Node *node, int depth, int *sum);
__device__ int find(const Node *node, int key);
__device__ void guided(const Node *node, int *best);

__device__ void visit(const Node *node, int depth, int *sum) {
    const Node *node_stack[512];
    int depth_stack[512];
    int depth_2 = 0;
    bool more = true;
    while (more || depth_2 > 0) {
        if (!more) {
            --depth_2;
            node = node_stack[depth_2];
            depth = depth_stack[depth_2];
        }
        more = false;
        if (depth > 9) {
            continue;
        }
        bool returned = false;
        for (int i = 0; i < 3; i++) {
            switch (node->key) {
            case 1:
                returned = true;
                break;
            case 2:
                sum[i]++;
                break;
            }
            if (returned) {
                break;
            }
            while (sum[i] > 100) {
                if (sum[2]) {
                    returned = true;
                    break;
                }
                sum[i] /= 2;
            }
            if (returned) {
                break;
            }
        }
        if (returned) {
            continue;
        }
        if (node->right) {
            const int more_2 = depth + 2;
            if (depth_2 == 512) {
                __trap();
            }
            node_stack[depth_2] = node;
            depth_stack[depth_2] = 10;
            ++depth_2;
            if (depth_2 == 512) {
                __trap();
            }
            node_stack[depth_2] = node->right;
            depth_stack[depth_2] = more_2;
            ++depth_2;
        }
        if (node->left) {
            {
                const Node *node_next = node->left;
                int depth_next = depth + 1;
                node = node_next;
                depth = depth_next;
            }
            more = true;
        }
    }
}

__device__ int find(const Node *node, int key) {
    for (;;) {
        if (!node) {
            return -1;
        }
        if (key == node->key) {
            return key;
        }
        if (key < node->key) {
            node = node->left;
            continue;
        }
        node = node->right;
        continue;
    }
}

__device__ void guided(const Node *node, int *best) {
    int call = 0;
    const Node *node_stack[256];
    int call_stack[256];
    int depth = 0;
    bool more = true;
    while (more || depth > 0) {
        if (!more) {
            --depth;
            node = node_stack[depth];
            call = call_stack[depth];
        }
        more = false;
        if (call == 1) {
            *best -= 1;
            if (!(node->right && *best > 3)) {
                continue;
            }
            node = node->right;
        }
        const bool chosen = node->left && *best > 3;
        if (depth == 256) {
            __trap();
        }
        node_stack[depth] = node;
        call_stack[depth] = 1;
        ++depth;
        if (chosen) {
            {
                const Node *node_next = node->left;
                int call_next = 0;
                node = node_next;
                call = call_next;
            }
            more = true;
        }
    }
}

__global__ void k(const Node *root, int *out) {
    int sum[3] = {0, 0, 0};
    visit(root, 0, sum);
    out[threadIdx.x] = sum[0] + sum[1] + find(root, sum[2]);
    int best = 9;
    guided(root, &best);
    out[threadIdx.x] += best;
}
