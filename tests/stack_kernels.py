"""Loops over a stack of the thread's own: those that become walks, those that do not and why, and their inputs."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np

from simt2simd.interp.run import run
from simt2simd.options import Options
from simt2simd.pipeline import Compiled, compile_device, results
from simt2simd.source import Source
from simt2simd.transform.traversals.stack_loops import find
from simt2simd.tree.nodes import Module

HEAD = """
struct Node { int left, right, key, axis; };
struct Entry { int node; float d; };
__device__ int right_of(const Node *t, int n, int *count) { ++*count; return t[n].right; }
__device__ bool wanted(const Node *t, int n, int q) { int key = t[n].key; key ^= q; return key % 5 != 0; }
__device__ bool near(const Node *t, int n, int q, float *d) { *d = (t[n].key ^ q) & 31; return (t[n].key & 7) != 0; }
"""
KERNEL = """
__global__ void k(const Node *t, const int *qs, int *out, int *counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int q = qs[i], h = 1, count = 0, last = -1;
    %s
    out[i] = h + 7 * count + last;
}
"""
VISIT = "h = h * 31 + t[m].key;"
CHILDREN = "if (t[m].right >= 0) stack[top++] = t[m].right; if (t[m].left >= 0) stack[top++] = t[m].left;"
START = "int stack[64]; int top = 0; stack[top++] = 0;"
POP = "int m = stack[--top];"
SKIP = "if ((t[m].key ^ q) % 5 == 0) continue;"

WALKS = {
    "as it is": f"{START} while (top > 0) {{ {POP} {VISIT} {SKIP} {CHILDREN} }}",
    "for": f"int stack[64]; stack[0] = 0; for (int top = 1; top != 0;) {{ {POP} {SKIP} {VISIT} {CHILDREN} }}",
    "do": f"{START} do {{ {POP} {SKIP} {VISIT} {CHILDREN} }} while (top > 0);",
    "for ever": f"{START} for (;;) {{ if (top == 0) break; {POP} {SKIP} {VISIT} {CHILDREN} }}",
    "top alone": f"{START.replace('int top', 'unsigned top')} while (top) {{ {POP} {SKIP} {VISIT} {CHILDREN} }}",
    "last entry's index": """
        int stack[64], top = -1; stack[++top] = 0;
        while (top >= 0) {
            int m = stack[top--]; h = h * 31 + t[m].key; if (t[m].key % 3 == q % 3) continue;
            if (t[m].left >= 0) stack[++top] = t[m].left;
            if (t[m].right >= 0) stack[++top] = t[m].right;
        }""",
    "pointer": """
        const Node *stack[64]; const Node **sp = stack; *sp++ = t;
        while (sp != stack) {
            const Node *m = *--sp; h = h * 31 + m->key; if ((m->key ^ q) % 5 == 0) continue;
            if (m->left >= 0) *sp++ = t + m->left;
            if (m->right >= 0) *sp++ = t + m->right;
        }""",
    "empty at first": f"""
        int stack[64], top = 0; if (q % 3) stack[top++] = 0; if (q % 2) stack[top++] = 1;
        while (top > 0) {{ {POP} {VISIT} {SKIP} {CHILDREN} }}""",
    "nothing at first": f"int stack[64], top = 0; while (top > 0) {{ {POP} {VISIT} {CHILDREN} }}",
    "several at first": f"""
        int stack[64], top = 3; stack[0] = 2; stack[1] = q % 2; stack[2] = 0;
        while (top > 0) {{ {POP} {VISIT} {SKIP} {CHILDREN} }}""",
    "break": f"{START} while (top > 0) {{ {POP} {VISIT} if (t[m].key == q) {{ last = m; break; }} {CHILDREN} }}",
    "return": f"{START} while (top > 0) {{ {POP} {VISIT} if (t[m].key == q) {{ out[i] = h; return; }} {CHILDREN} }}",
    "return between pushes": f"""{START} while (top > 0) {{
        {POP} {VISIT} if (t[m].right >= 0) stack[top++] = t[m].right;
        if (t[m].key % 16 == q % 16) {{ out[i] = h; return; }} if (t[m].left >= 0) stack[top++] = t[m].left; }}""",
    "break between pushes": f"""{START} while (top > 0) {{
        {POP} {VISIT} if (t[m].right >= 0) stack[top++] = t[m].right;
        if (t[m].key % 16 == q % 16) break; if (t[m].left >= 0) stack[top++] = t[m].left; }}""",
    "continue between pushes": f"""{START} while (top > 0) {{
        {POP} {VISIT} if (t[m].right >= 0) stack[top++] = t[m].right;
        if (t[m].key % 2 == q % 2) continue; if (t[m].left >= 0) stack[top++] = t[m].left; }}""",
    "return in an inner loop": f"""{START} while (top > 0) {{
        {POP} {VISIT} {CHILDREN}
        for (int j = 0; j < 3; j++) if (t[m].key % 32 == q % 32 + j) {{ out[i] = h; return; }} }}""",
    "other test": f"{START} while (top > 0 && count < 9) {{ {POP} {VISIT} count++; {CHILDREN} }}",
    "stores": f"{START} while (top > 0) {{ {POP} {VISIT} counts[i] += m; {CHILDREN} }}",
    "atomics": f"{START} while (top > 0) {{ {POP} {VISIT} atomicAdd(&counts[m], 1); {CHILDREN} }}",
    "places in a list": f"""{START} while (top > 0) {{
        {POP} {VISIT} int at = atomicAdd(&counts[0], 1); if (at >= 0) h++; {CHILDREN} }}""",
    "effects in pushes": f"""{START} while (top > 0) {{
        {POP} {VISIT} if (t[m].right >= 0) stack[top++] = right_of(t, m, &count);
        if (t[m].left >= 0 && count++ < 20) stack[top++] = t[m].left; h += count; }}""",
    "effects in conditions": f"""{START} while (top > 0) {{
        {POP} {VISIT} if (t[m].right >= 0 && ++count % 5) stack[top++] = t[m].right;
        if (count++ % 7 && t[m].left >= 0) stack[top++] = t[m].left; }}""",
    "effects in assigned values": f"""{START} while (top > 0) {{
        {POP} {VISIT} int c; if (t[m].right >= 0) stack[top++] = (count++, c = t[m].right);
        if (t[m].left >= 0) stack[top++] = t[m].left; }}""",
    "values that change": f"""{START} while (top > 0) {{
        {POP} {VISIT} int c = t[m].right; if (c >= 0) stack[top++] = c; c = t[m].left;
        if (c >= 0) stack[top++] = c; }}""",
    "values that the loop changes": f"""{START} while (top > 0) {{
        {POP} {VISIT} if (m % 2) last = t[m].right; if (last >= 0 && count++ < 30) stack[top++] = last;
        last = t[m].left;
        if (last >= 0) stack[top++] = last; last = m; }}""",
    "variables outside": f"""int l, r, m; {START} while (top > 0) {{
        m = stack[--top]; {VISIT} {SKIP} l = t[m].left; r = t[m].right;
        if (r >= 0) stack[top++] = r; if (l >= 0) stack[top++] = l; }}""",
    "arrays": f"""int had[4] = {{0, 0, 0, 0}}, axis[2] = {{q & 1, q & 2}}; {START} while (top > 0) {{
        {POP} {VISIT} had[t[m].key & 3]++; if (axis[t[m].axis & 1]) {{ {CHILDREN} }} }}
        h += had[0] * 3 + had[1] - had[2];""",
    "addresses": f"""float d; {START} while (top > 0) {{
        {POP} {VISIT} if (t[m].right >= 0 && near(t, t[m].right, q, &d)) stack[top++] = t[m].right;
        if (t[m].left >= 0 && near(t, t[m].left, q, &d)) stack[top++] = t[m].left; h += (int)d; }}""",
    "pointers to what it changes": f"""int *c = &count; {START} while (top > 0) {{
        {POP} {VISIT} ++*c; count += 2; {CHILDREN} }}""",
    "both orders": f"""{START} while (top > 0) {{ {POP} {VISIT} if (t[m].left < 0) continue;
        if (t[m].key < q) {{ stack[top++] = t[m].left; stack[top++] = t[m].right; }}
        else {{ stack[top++] = t[m].right; stack[top++] = t[m].left; }} }}""",
    "near and far": f"""{START} while (top > 0) {{ {POP} {VISIT} if (t[m].left < 0) continue; bool c = t[m].key < q;
        int a = c ? t[m].left : t[m].right, b = c ? t[m].right : t[m].left; stack[top++] = b; stack[top++] = a; }}""",
    "near and far by if": f"""{START} while (top > 0) {{ {POP} {VISIT} if (t[m].left < 0) continue; int a, b;
        if (t[m].key < q) {{ a = t[m].left; b = t[m].right; }} else {{ a = t[m].right; b = t[m].left; }}
        stack[top++] = b; if ((t[a].key ^ q) & 1) stack[top++] = a; }}""",
    "swap": f"""{START} while (top > 0) {{ {POP} {VISIT} if (t[m].left < 0) continue; int a = t[m].left, b = t[m].right;
        if (t[m].key < q) {{ int s = a; a = b; b = s; }} stack[top++] = b; stack[top++] = a; }}""",
    "swapped distances": """
        int stack[64], top = 0; float ds[64]; float best = 31; stack[top] = 0; ds[top] = 0; top++;
        while (top > 0) {
            top--; int m = stack[top]; if (ds[top] > best) continue; h = h * 31 + t[m].key;
            int l = t[m].left, r = t[m].right; if (l < 0) { best = fminf(best, (t[m].key ^ q) & 31); continue; }
            float dl, dr; bool hl = near(t, l, q, &dl), hr = near(t, r, q, &dr);
            if (hl && hr) {
                if (dr < dl) { int s = l; l = r; r = s; float e = dl; dl = dr; dr = e; }
                stack[top] = r; ds[top++] = dr; stack[top] = l; ds[top++] = dl;
            } else if (hl) { stack[top] = l; ds[top++] = dl; } else if (hr) { stack[top] = r; ds[top++] = dr; }
        }
        h += (int)best;""",
    "chosen distances": """
        int stack[64], top = 0; float ds[64]; float best = 31; ds[top] = 0; stack[top++] = 0;
        while (top > 0) {
            --top; int m = stack[top]; float d = ds[top]; if (d > best) continue; h = h * 31 + t[m].key;
            int l = t[m].left, r = t[m].right; if (l < 0) { best = fminf(best, (t[m].key ^ q) & 31); continue; }
            float dl, dr; bool hl = near(t, l, q, &dl), hr = near(t, r, q, &dr);
            if (hl && hr) {
                bool c = dl <= dr; int a = c ? l : r, b = c ? r : l;
                stack[top] = b; ds[top++] = c ? dr : dl; stack[top] = a; ds[top++] = c ? dl : dr;
            } else if (hl) { stack[top] = l; ds[top++] = dl; } else if (hr) { stack[top] = r; ds[top++] = dr; }
        }
        h += (int)best;""",
    "structs": """
        Entry stack[64]; int top = 0; Entry e = {0, 1.0f}; stack[top++] = e;
        while (top > 0) {
            Entry m = stack[--top]; h = h * 31 + t[m.node].key + (int)m.d; if (t[m.node].left < 0) continue;
            e.node = t[m.node].left; e.d = m.d + q % 3; stack[top++] = e;
            e.node = t[m.node].right; e.d = m.d + 1; stack[top++] = e;
        }""",
    "members": """
        Entry stack[64]; int top = 0; stack[top].node = 0; stack[top].d = 1; top++;
        while (top > 0) {
            top--; int m = stack[top].node; float d = stack[top].d; h = h * 31 + t[m].key + (int)d;
            if (t[m].left < 0) continue;
            stack[top].node = t[m].left; stack[top].d = d + q % 3; top++;
            stack[top].node = t[m].right; stack[top].d = d + 1; top++;
        }""",
    "two at once": f"""{START} while (top > 0) {{
        {POP} {VISIT} if (t[m].left < 0) continue; stack[top] = t[m].right; stack[top + 1] = t[m].left; top += 2; }}""",
    "current node": """
        int stack[64], top = 0, m = 0;
        while (true) {
            h = h * 31 + t[m].key;
            if ((t[m].key ^ q) % 7) {
                if (t[m].left < 0) { count++; if (top == 0) break; m = stack[--top]; }
                else if (t[m].axis & q & 1) { stack[top++] = t[m].left; m = t[m].right; }
                else { stack[top++] = t[m].right; m = t[m].left; }
            } else { if (top == 0) break; m = stack[--top]; }
        }""",
    "current node as offset": """
        int stack[64], top = 0, m = 0;
        for (;;) {
            h = h * 31 + t[m].key;
            if (m + 1 < 40 && (t[m].key ^ q) % 3) {
                stack[top++] = m * 2 + 2 < 60 ? m * 2 + 2 : 59; m = m + 1; continue;
            }
            if (top > 0) m = stack[--top]; else break;
            if (0) h++;
        }""".replace("            if (0) h++;\n", ""),
    "sentinel": """
        int stack[64]; int *sp = stack; *sp++ = -1; int m = 0;
        do {
            h = h * 31 + t[m].key; int l = t[m].left, r = t[m].right;
            bool a = l >= 0 && (t[l].key ^ q) % 4, b = r >= 0 && (t[r].key ^ q) % 5;
            if (!a && !b) m = *--sp;
            else { m = a ? l : r; if (a && b) *sp++ = r; }
        } while (m != -1);""",
    "sentinel found on the way": """
        int stack[64], top = 0, m = 0; stack[top++] = -1;
        while (m >= 0) {
            h = h * 31 + t[m].key;
            if ((t[m].key ^ q) % 3) { stack[top++] = t[m].right; m = t[m].left; } else m = stack[--top];
        }""",
    "null": """
        const Node *stack[64]; const Node **sp = stack; *sp++ = nullptr; const Node *m = t;
        do {
            h = h * 31 + m->key;
            if (m->left < 0 || (m->key ^ q) % 5 == 0) { m = *--sp; }
            else { *sp++ = t + m->right; m = t + m->left; }
        } while (m != nullptr);""",
    "null found on the way": """
        const Node *stack[64]; const Node **sp = stack; *sp++ = nullptr; const Node *m = t;
        while (m != nullptr) {
            h = h * 31 + m->key; const Node *r = m->right >= 0 ? t + m->right : nullptr;
            if ((m->key ^ q) % 3 == 0) { m = *--sp; }
            else { *sp++ = r; m = m->left < 0 ? nullptr : t + m->left; }
        }""",
    "null found by an assignment": """
        const Node *stack[64]; const Node **sp = stack; *sp++ = nullptr; const Node *m = t;
        while (m != nullptr) {
            h = h * 31 + m->key;
            if (m->left < 0 || (m->key ^ q) % 3 == 0) { m = *--sp; }
            else { *sp++ = t + m->right; if (q % 5) m = t + m->left; else m = nullptr; if (m == t) count++; }
        }""",
    "sentinel when empty": """
        int stack[64], top = 0, m = q % 2 - 1;
        while (m != -1) {
            h = h * 31 + t[m].key;
            if (t[m].left >= 0) { stack[top++] = t[m].right; m = t[m].left; } else m = top > 0 ? stack[--top] : -1;
        }""",
    "current node by if": """
        int stack[64], top = 0, m = 0;
        while (true) {
            h = h * 31 + t[m].key;
            if (t[m].left < 0) { if (top == 0) break; m = stack[--top]; continue; }
            int far; if (t[m].key < q) { m = t[m].left; far = 1; } else { m = t[m].right; far = 2; }
            if (far == 1) stack[top++] = 5;
        }""".replace("stack[top++] = 5;", "{ if (q % 3 == 0) stack[top++] = 63; }"),
    "loop in a loop": f"""for (int j = 0; j < 3; j++) {{ int stack[64], top = 0; stack[top++] = j;
        while (top > 0) {{ {POP} {VISIT} {SKIP} {CHILDREN} }} h += j; }}""",
    "stack declared outside": f"""int stack[64], top; for (int j = 0; j < 3; j++) {{ top = 0; stack[top++] = j;
        while (top > 0) {{ {POP} {VISIT} {SKIP} {CHILDREN} }} if (h % 2) continue; h += j; }}""",
    "two loops": f"""{START} while (top > 0) {{ {POP} {VISIT} {CHILDREN} }} top = 0; stack[top++] = 1;
        while (top > 0) {{ {POP} {VISIT} {SKIP} {CHILDREN} }}""",
    "under a condition": f"if (q % 3) {{ {START} while (top > 0) {{ {POP} {VISIT} {SKIP} {CHILDREN} }} }}",
}

LEAF = "if (t[m].left < 0) continue; int k = 2;"
COUNTED = {
    "up": "for (int c = 0; c < 2; c++) stack[top++] = t[m].left + c;",
    "down": "for (int c = 1; c >= 0; c--) stack[top++] = t[m].left + c;",
    "down to a bound": "for (int c = k; c > 0; --c) stack[top++] = t[m].left + c - 1;",
    "inclusive": "for (int c = 1; c <= k; c += 1) stack[top++] = t[m].left + c - 1;",
    "inclusive, down": "for (int c = k; c >= 1; c -= 1) stack[top++] = t[m].left + c - 1;",
    "of a node": "for (int c = 0; c < t[m].right - t[m].left + 1; c++) stack[top++] = t[m].left + c;",
    "without sign": "for (unsigned c = 0; c < (unsigned)k; c++) stack[top++] = t[m].left + c;",
    "without sign, down": "for (unsigned c = k; c > 0; c--) stack[top++] = t[m].left + c - 1;",
    "of two types": "for (int c = 0; c < (unsigned)k; c++) stack[top++] = t[m].left + c;",
    "of wide numbers": "for (long long c = q % 2; c < k; c++) stack[top++] = t[m].left + (int)c;",
    "that count to less": "for (int c = 2; c < t[m].axis - 1; c++) stack[top++] = t[m].left;",
    "that count to less without sign": "for (unsigned c = k; c < (unsigned)q % 2; c++) stack[top++] = t[m].left;",
    "to a bound that changes behind": """
        int b = 2; for (int c = 0; c < b; c++) stack[top++] = t[m].left + c; b = 9; h += b;""",
    "from a start that changes behind": """
        int a = 1; for (int c = a; c < 2; c++) stack[top++] = t[m].left + c; a = 0; h += a;""",
    "to a bound that is used behind": """
        int b = 2; for (int c = 0; c < b; c++) stack[top++] = t[m].left + c; count += b++;""",
    "under conditions": """
        for (int c = 0; c < 2; c++) if ((t[t[m].left + c].key ^ q) % 5) stack[top++] = t[m].left + c;""",
    "that continue": """for (int c = 0; c < 2; c++) {
        const int a = t[m].left + c; if ((t[a].key ^ q) % 5 == 0) continue; const int b = a; stack[top++] = b; }""",
    "that continue in an arm": """for (int c = 0; c < 2; c++) {
        if ((q + c) % 3 == 0) { if (q % 2) continue; continue; } else { stack[top++] = t[m].left + c; } }""",
    "several a round": """if (m < 3) for (int c = 0; c < 2; c++) {
        stack[top++] = t[m].left + c; if (q % 3 == c) stack[top++] = t[m].right; stack[top++] = t[m].left; }""",
    "in a loop": """
        for (int c = 0; c < 2; c++) for (int d = c; d < t[m].axis % 2 + 1; d++) stack[top++] = t[m].left + d;""",
    "between others": """if (m > 6) continue; stack[top++] = t[m].left;
        for (int c = 0; c < 2; c++) stack[top++] = t[m].left + c; stack[top++] = t[m].right;""",
    "in an arm": """if (t[m].axis & 1) { for (int c = 0; c < 2; c++) stack[top++] = t[m].left + c; }
        else { stack[top++] = t[m].right; stack[top++] = t[m].left; }""",
    "in both arms": """if ((t[m].key ^ q) & 1) { for (int c = 0; c < 2; c++) stack[top++] = t[m].left + c; }
        else { for (int c = 1; c >= 0; c--) stack[top++] = t[m].left + c; }""",
    "behind a push, in an arm": """if (q % 2) stack[top++] = t[m].left; if ((t[m].key ^ q) & 1) {
        for (int c = q % 2; c < 2; c++) stack[top++] = t[m].left + c; }""",
    "with a choice": """
        for (int c = 0; c < 2; c++) stack[top++] = (t[m].key ^ q) & 1 ? t[m].left + c : t[m].right - c;""",
    "with a variable outside": """int c; for (c = 0; c < 2; c++) stack[top++] = t[m].left + c;""",
    "with a function": """for (int c = 0; c < 2; c++) if (wanted(t, t[m].left + c, q)) stack[top++] = t[m].left + c;""",
}
WALKS |= {
    f"pushes {name}": f"{START} while (top > 0) {{ {POP} {VISIT} {LEAF} {loop} }}" for name, loop in COUNTED.items()
}
WALKS |= {
    "pushes of structs": """
        Entry stack[64]; int top = 0; stack[top].node = 0; stack[top].d = 1; top++;
        while (top > 0) {
            top--; int m = stack[top].node; float d = stack[top].d; h = h * 31 + t[m].key + (int)d;
            if (t[m].left < 0) continue;
            for (int c = 0; c < 2; c++) {
                stack[top].node = t[m].left + c; stack[top].d = d + c; top++; }
        }""",
    "pushes beside a current node": """
        int stack[64], top = 0, m = 0;
        while (true) {
            h = h * 31 + t[m].key;
            if (t[m].left < 0) { if (top == 0) break; m = stack[--top]; continue; }
            for (int c = 1; c < 2; c++) stack[top++] = t[m].left + c;
            m = t[m].left;
        }""",
    "pushes of sentinels": """
        int stack[64], top = 0, m = 0; stack[top++] = -1;
        while (m >= 0) {
            h = h * 31 + t[m].key;
            if (t[m].left < 0) m = stack[--top];
            else { for (int c = 0; c < 2; c++) stack[top++] = m % 7 == 6 && c ? -1 : t[m].right - c; m = t[m].left; }
        }""",
    "pushes, and the end": f"""{START} while (top > 0) {{ {POP} {VISIT} {LEAF} if (t[m].key % 16 == q % 16) break;
        for (int c = 0; c < 2; c++) stack[top++] = t[m].left + c; if (t[m].key % 16 == q % 15) break; }}""",
    "pushes of the last entry's index": """
        int stack[64], top = -1; stack[++top] = 0;
        while (top >= 0) {
            int m = stack[top--]; h = h * 31 + t[m].key; if (t[m].left < 0) continue;
            for (int c = 0; c < 2; c++) stack[++top] = t[m].left + c;
        }""",
    "pushes by a pointer": """
        const Node *stack[64]; const Node **sp = stack; *sp++ = t;
        while (sp != stack) {
            const Node *m = *--sp; h = h * 31 + m->key; if (m->left < 0) continue;
            for (int c = 0; c < 2; c++) *sp++ = t + m->left + c;
        }""",
}

OTHERS = {
    "peek": (f"{START} while (top > 0) {{ {POP} {VISIT} {CHILDREN} if (top > 0) h += stack[top - 1]; }}", "empt"),
    "read at the bottom": (f"{START} while (top > 0) {{ {POP} {VISIT} {CHILDREN} }} h += stack[0];", "other code"),
    "depth counts": (f"{START} while (top > 0) {{ {POP} h += top; {CHILDREN} }}", "another way"),
    "guarded push": (
        f"{START} while (top > 0) {{ {POP} {VISIT} if (top < 60 && t[m].left > 0) stack[top++] = t[m].left; }}",
        "another way",
    ),
    "escapes": (f"{START} int *p = stack; while (top > 0) {{ {POP} {VISIT} {CHILDREN} }} h += p[0];", "another way"),
    "address of top": (f"{START} int *p = &top; while (top > 0) {{ {POP} {VISIT} {CHILDREN} }} h += *p;", "another"),
    "top read behind": (f"{START} while (top > 0) {{ {POP} {CHILDREN} if (h % 5 == 0) break; }} h += top;", "after"),
    "two pops": (
        f"{START} stack[top++] = 0; while (top > 1) {{ {POP} {VISIT} h += stack[--top]; {CHILDREN} }}", "pop"
    ),
    "queue": (
        "int stack[64], top = 0, at = 0; stack[top++] = 0; while (at < top) { int m = stack[at++]; h += m;"
        " if (t[m].left > 0) stack[top++] = t[m].left; if (h % 3 == 0 && top > at) top--; }",
        "",
    ),
    "unknown start": (f"int stack[64], top = q; while (top > 0) {{ {POP} {VISIT} {CHILDREN} }}", "constant"),
    "emptied": (f"{START} while (top > 0) {{ {POP} {VISIT} {CHILDREN} if (h % 7 == 0) top = 0; }}", ""),
    "search of a graph": (
        f"{START} while (top > 0) {{ {POP} {VISIT} if (counts[m]) continue; counts[m] = 1; {CHILDREN} }}",
        "reads what it writes",
    ),
    "atomic read": (f"{START} while (top > 0) {{ {POP} h += atomicAdd(&counts[i], 0); {CHILDREN} }}", "may wait"),
    "barrier": (f"{START} while (top > 0) {{ {POP} {VISIT} __syncthreads(); {CHILDREN} }}", "waits"),
    "node read behind": (
        "int stack[64], top = 0, m = 0; while (1) { h++; if (t[m].left < 0) { if (top == 0) break; m = stack[--top]; }"
        " else { stack[top++] = t[m].right; m = t[m].left; } } h += m;",
        "after",
    ),
    "do with a sentinel": (
        "int stack[64], top = 0, m = q % 4 - 1; stack[top++] = -1; do { h += m; if (h % 3) m = stack[--top]; else"
        " { stack[top++] = m; m = t[m & 7].left; } } while (m != -1);",
        "no sentinel",
    ),
}  # fmt: skip


PUSHING = {  # loops that push, after `LEAF`, and why they are not counted
    "lists": ("for (int c = t[m].left; c >= 0; c = t[c].right) stack[top++] = c;", "does not count by one"),
    "steps of two": ("for (int c = 0; c < k; c += 2) stack[top++] = t[m].left + c;", "does not count by one"),
    "while": ("int c = 0; while (c < k) { stack[top++] = t[m].left + c; c++; }", "does not count by one"),
    "do": ("int c = 0; do stack[top++] = t[m].left + c; while (++c < k);", "does not count by one"),
    "until it is another": ("for (int c = 0; c != k; c++) stack[top++] = t[m].left + c;", "does not count by one"),
    "short numbers": ("for (short c = 0; c < k; c++) stack[top++] = t[m].left + c;", "does not count by one"),
    "no end below 0": (
        "for (unsigned c = 1; c >= 0; c--) { if (c > 1) break; stack[top++] = t[m].left; }",
        "not count",
    ),
    "of two types, from below 0": (
        "for (int c = q % 3 - 2; c < 2u; c++) stack[top++] = t[m].left;",
        "does not count by one",
    ),
    "a variable that the round changes": (
        "for (int c = 0; c < k; c++) { stack[top++] = t[m].left + c; c++; }",
        "count",
    ),
    "a bound that the round changes": ("for (int c = 0; c < k; c++) { stack[top++] = t[m].left + c; k--; }", "count"),
    "a bound with the variable": ("for (int c = 0; c < 4 - c; c++) stack[top++] = t[m].left + c;", "does not count"),
    "a bound with effects": ("for (int c = 0; c < count++ % 3; c++) stack[top++] = t[m].left + c % 2;", "not count"),
    "a bound by the stack": ("for (int c = 0; c < top + 2; c++) stack[top++] = t[m].left;", "does not count"),
    "breaks": (
        "for (int c = 0; c < k; c++) { if (q % 3 == c) break; stack[top++] = t[m].left + c; }",
        "something else",
    ),
    "returns": ("for (int c = 0; c < k; c++) { if (q % 9 == c) return; stack[top++] = t[m].left + c; }", "something"),
    "work": ("for (int c = 0; c < k; c++) { h++; stack[top++] = t[m].left + c; }", "something else"),
    "work in an arm": (
        "for (int c = 0; c < k; c++) if (q & 1) { h++; stack[top++] = t[m].left + c; }",
        "something else",
    ),
    "stores": ("for (int c = 0; c < k; c++) { counts[i]++; stack[top++] = t[m].left + c; }", "something else"),
    "effects in values": ("for (int c = 0; c < k; c++) stack[top++] = t[m].left + (count++, c);", "may change"),
    "effects in conditions": (
        "for (int c = 0; c < k; c++) if (++count % 5) stack[top++] = t[m].left + c;",
        "may change",
    ),
    "values that change behind": (
        "int l = t[m].left; for (int c = 0; c < k; c++) stack[top++] = l + c; l = 1; h += l;",
        "may change",
    ),
    "values that the walk changes": ("for (int c = 0; c < k; c++) stack[top++] = (h + c) & 31;", "may change"),
    "conditions that the walk changes": (
        "for (int c = 0; c < k; c++) if ((h ^ q) % 3) stack[top++] = t[m].left + c;",
        "may change",
    ),
    "values in memory that the walk writes": (
        "counts[i] += m; for (int c = 0; c < k; c++) stack[top++] = counts[m & 7] % 2 + t[m].left;",
        "",
    ),
    "memory, and the walk writes": ("counts[i] += m; for (int c = 0; c < k; c++) stack[top++] = t[m].left + c;", "may"),
    "functions that read, and the walk writes": (
        "counts[i] += m; int l = t[m].left; for (int c = 0; c < k; c++) if (wanted(t, l + c, q)) stack[top++] = l + c;",
        "may change",
    ),
    "arrays": ("int n[2] = {t[m].left, t[m].right}; for (int c = 0; c < k; c++) stack[top++] = n[c];", "may change"),
    "a variable that is read behind": (
        "int c; for (c = 0; c < k; c++) stack[top++] = t[m].left + c; h += c;",
        "is used after",
    ),
    "pops": ("for (int c = 0; c < k; c++) { stack[top++] = t[m].left + c; h += stack[--top]; }", ""),
    "an end that some arms have": (
        "for (int c = 0; c < k; c++) { if (q & 1) { if (q & 2) continue; h; } stack[top++] = t[m].left + c; }",
        "",
    ),
    "addresses of its variable": (
        "for (int c = 0; c < k; c++) if (near(t, c, q, (float *)&c)) stack[top++] = t[m].left;",
        "",
    ),
}
OTHERS |= {
    f"pushes: {name}": (f"{START} while (top > 0) {{ {POP} {VISIT} {LEAF} {loop} }}", why)
    for name, (loop, why) in PUSHING.items()
}
OTHERS |= {
    "set up by a loop": (
        f"int stack[64], top = 0; for (int c = 0; c < 3; c++) stack[top++] = c; while (top > 0) {{ {POP} {VISIT} {SKIP}"
        f" {CHILDREN} }}",
        "",
    ),
    "a variable of the program that counts": (
        f"int c = 7; {START} while (top > 0) {{ {POP} {VISIT} {LEAF} h += c; for (c = 0; c < 2; c++)"
        " stack[top++] = t[m].left + c; }",
        "may change",
    ),
}


CHAIN = f"""{START} while (top > 0) {{ {POP} {VISIT} if (t[m].left < 0) continue;
    for (int c = 0; c < 1 + (t[m].right >= 0); c++) stack[top++] = t[m].left + c; }}"""


def text(body: str) -> str:
    return HEAD + KERNEL % body


@cache
def front(code: str) -> Compiled:
    return compile_device(Source("k.cu", code), Options(check_ir=True), until="stack-loops")


def reasons(code: str) -> list[str | None]:
    return [found.why for found in find(front(code)[results.TREE])]


def forest(seed: int, count: int = 64) -> np.ndarray:
    """A random binary tree, each node of which has two children or none."""
    rng = random.Random(seed)
    nodes = np.zeros(count, [(name, "i4") for name in ("left", "right", "key", "axis")])
    nodes["left"] = nodes["right"] = -1
    leaves, used = [0], 1
    while used + 2 <= count - 3:
        parent = leaves.pop(rng.randrange(len(leaves)))
        nodes[parent]["left"], nodes[parent]["right"] = used, used + 1
        leaves += [used, used + 1]
        used += 2
    nodes["key"] = [rng.randrange(100) for _ in range(count)]
    nodes["axis"] = [rng.randrange(4) for _ in range(count)]
    return nodes


THREADS = 95  # two blocks of 48, less one thread


def arguments(count: int) -> list[Any]:
    rng = random.Random(5)
    queries = np.array([rng.randrange(100) for _ in range(THREADS)], np.int32)[:count]
    return [forest(3), queries, np.zeros(count, np.int32), np.zeros(THREADS, np.int32), np.int32(count)]


def interpreted(module: Module, count: int = THREADS) -> list[Any]:
    args = arguments(count)
    run(module, "k", 2, (count + 1) // 2, args, max_steps=10_000_000)
    return args


def same(found: list[Any], expected: list[Any]) -> None:
    for left, right in zip(found, expected, strict=True):
        np.testing.assert_array_equal(left, right)
