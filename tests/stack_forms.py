"""Loops over a stack as programs have them that trace rays or search trees: a current node, early ends, sentinels.

`FORMS` and `FUNCTIONS` become walks; `LEFT` do not, for the reason that is given.
"""

from __future__ import annotations

from stack_kernels import HEAD, text

CROSSES = "(t[m].key ^ q) % 7"
INNER = "t[m].left >= 0"
LEAF = "for (int j = 0; j < (t[m].axis & 3); j++) count += (t[m].key + j) % 3;"
BY_AXIS = """if ((q >> (t[m].axis & 3)) & 1) { stack[depth++] = t[m].right; m = t[m].left; }
    else { stack[depth++] = t[m].left; m = t[m].right; }"""
PBRT = "int stack[64], depth = 0, m = 0;"
POP = "{ if (depth == 0) break; m = stack[--depth]; }"
VISIT = "h = h * 31 + t[m].key;"

FORMS = {
    "pops in two places": f"""{PBRT} while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} }} else {{ {LEAF} {POP} }} }} else {POP} }}""",
    "leaf first": f"""{PBRT} while (true) {{ {VISIT}
        if ({CROSSES}) {{ if (t[m].left < 0) {{ {LEAF} {POP} }} else {{ {BY_AXIS} }} }} else {POP} }}""",
    "pops at the end": f"""{PBRT} while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        if (depth == 0) break; m = stack[--depth]; }}""",
    "pops in three places": f"""{PBRT} while (true) {{ {VISIT}
        if (!({CROSSES})) {{ {POP} continue; }}
        if (t[m].left < 0) {{ if (t[m].axis == 1) {{ count++; {POP} }} else {{ {LEAF} {POP} }} continue; }}
        {BY_AXIS} }}""",
    "work before the pop at the end": f"""{PBRT} while (true) {{
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        int k = t[m].key; h = h * 31 + k; if (k == q) count += 5; if (depth == 0) break; m = stack[--depth]; }}""",
    "tests by moving": f"""{PBRT} while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        if (--depth < 0) break; m = stack[depth]; }}""",
    "tests by moving, before": f"""{PBRT} while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        if (depth-- == 0) break; m = stack[depth]; }}""",
    "tests by moving, above": f"""{PBRT} while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        if (depth-- > 0) m = stack[depth]; else break; }}""",
    "moves, then tests": f"""{PBRT} while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        depth--; if (depth < 0) break; m = stack[depth]; }}""",
    "the last entry's index, by moving": f"""int stack[64], depth = -1, m = 0; while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ stack[++depth] = t[m].right; m = t[m].left; continue; }} {LEAF} }}
        if (depth < 0) break; m = stack[depth--]; }}""",
    "a pop behind a while": f"""int stack[64], depth = 0; stack[0] = 0; while (depth >= 0) {{
        int m = stack[depth--]; {VISIT} if (!({CROSSES})) continue;
        if ({INNER}) {{ stack[++depth] = t[m].right; stack[++depth] = t[m].left; }} else {{ {LEAF} }} }}""",
    "counted by the loop": f"""int stack[64], depth = 1, m; stack[0] = 0; while (depth) {{
        m = stack[--depth]; {VISIT} if (!({CROSSES})) continue;
        if ({INNER}) {{ stack[depth++] = t[m].right; stack[depth++] = t[m].left; }} else {{ {LEAF} }} }}""",
    "a test with the move": f"""int stack[64], depth = 0; stack[depth++] = 0; while (depth-- > 0) {{
        int m = stack[depth]; {VISIT} if (!({CROSSES})) continue;
        if ({INNER}) {{ stack[depth++] = t[m].right; stack[depth++] = t[m].left; }} else {{ {LEAF} }} }}""",
    "a test with the move alone": f"""int stack[64], depth = 0; stack[depth++] = 0; while (depth--) {{
        int m = stack[depth]; {VISIT} if (!({CROSSES})) continue;
        if ({INNER}) {{ stack[depth++] = t[m].right; stack[depth++] = t[m].left; }} else {{ {LEAF} }} }}""",
    "an entry below that ends the loop": f"""int stack[64], depth = 0, m = 0; stack[depth++] = 7; while (depth > 0) {{
        {VISIT} if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }} m = stack[--depth]; }}""",
    "an entry below that ends the do": f"""int stack[64], depth = 0, m = 0; stack[depth++] = 7; do {{
        {VISIT} if (({CROSSES}) && {INNER}) {{ {BY_AXIS} }} else {{ {LEAF} m = stack[--depth]; }} }}
            while (depth > 0);""",
    "a sentinel without sign": f"""unsigned stack[64]; int depth = 0; unsigned m = 0; stack[depth++] = 0xffffffffu;
        while (m != 0xffffffffu) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }} m = stack[--depth]; }}""",
    "a sentinel by a name": f"""const int END = 0x76543210; int stack[64], depth = 0, m = 0; stack[0] = END;
        while (m != END) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ stack[++depth] = t[m].right; m = t[m].left; continue; }} {LEAF} }}
        m = stack[depth--]; }}""",
    "a sentinel found by a break": f"""int stack[64], depth = 0, m = 0; stack[depth++] = -1; while (true) {{ {VISIT}
        if (({CROSSES}) && {INNER}) {{ {BY_AXIS} }} else {{ {LEAF} m = stack[--depth]; }} if (m == -1) break; }}""",
    "a sentinel found at the top": f"""int stack[64], depth = 0, m = 0; stack[depth++] = -1; while (true) {{
        if (m < 0) break; {VISIT}
        if (({CROSSES}) && {INNER}) {{ {BY_AXIS} }} else {{ {LEAF} m = stack[--depth]; }} }}""",
    "a sentinel found behind the pop": f"""int stack[64], depth = 0, m = 0; stack[depth++] = -1; while (true) {{ {VISIT}
        if (({CROSSES}) && {INNER}) {{ {BY_AXIS} }} else {{ {LEAF} m = stack[--depth]; if (m == -1) break; }} }}""",
    "a first node that may be a sentinel": f"""int stack[64], depth = 0, m = q % 4 - 1; stack[depth++] = -1; do {{
        h = h * 31 + m; if (m >= 0 && ({CROSSES}) && {INNER}) {{ {BY_AXIS} }} else {{ m = stack[--depth]; }} }}
        while (m != -1);""",
    "a null pointer": """const Node *stack[64]; const Node **top = stack; *top++ = NULL; const Node *m = t; do {
        h = h * 31 + m->key; const Node *a = t + m->left, *b = t + m->right;
        bool l = m->left >= 0 && (a->key ^ q) % 3, r = m->left >= 0 && (b->key ^ q) % 4;
        if (!l && !r) m = *--top; else { m = l ? a : b; if (l && r) *top++ = b; } } while (m != NULL);""",
    "leaves of children": """int stack[64]; int *top = stack; *top++ = -1; int m = 0; do {
        h = h * 31 + t[m].key; int a = t[m].left, b = t[m].right;
        bool l = (t[a & 63].key ^ q) % 4, r = (t[b & 63].key ^ q) % 5;
        if (l && t[a & 63].left < 0) { count++; l = false; } if (r && t[b & 63].left < 0) { count += 3; r = false; }
        if (!l && !r) m = *--top; else { m = l ? a : b; if (l && r) *top++ = b; } } while (m != -1);""",
    "a pointer": f"""int stack[64], m = 0; int *top = stack; while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ *top++ = t[m].right; m = t[m].left; continue; }} {LEAF} }}
        if (top == stack) break; m = *--top; }}""",
    "a break at the first hit": f"""{PBRT} while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} if (t[m].key % 8 == q % 8) {{ last = m; break; }} }}
        if (depth == 0) break; m = stack[--depth]; }}""",
    "a return at the first hit": f"""{PBRT} while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} if (t[m].key % 8 == q % 8) {{ out[i] = -m;
            return; }} }}
        if (depth == 0) break; m = stack[--depth]; }}""",
    "a return in the loop of a leaf": f"""{PBRT} while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }}
            for (int j = 0; j < 3; j++) if ((t[m].key + j) % 16 == q % 16) {{ out[i] = -m; return; }} }}
        if (depth == 0) break; m = stack[--depth]; }}""",
    "a nearest hit": f"""int best = 99; {PBRT} while (true) {{ {VISIT}
        if (((t[m].key ^ q) & 31) < best) {{ if ({INNER}) {{ {BY_AXIS} continue; }}
            best = min(best, (t[m].key ^ q) & 63); }}
        if (depth == 0) break; m = stack[--depth]; }} h += best;""",
    "structs, popped at the top": """Entry stack[64]; int depth = 0; float best = 31; stack[depth++] = {0, 0.0f};
        while (depth > 0) {
            const Entry e = stack[--depth]; if (e.d > best) continue; const int m = e.node; h = h * 31 + t[m].key;
            if (t[m].left < 0) { best = fminf(best, (t[m].key ^ q) & 31); continue; }
            float dl, dr; bool l = near(t, t[m].left, q, &dl), r = near(t, t[m].right, q, &dr);
            if (l && dl < best) stack[depth++] = {t[m].left, dl}; if (r && dr < best) stack[depth++] = {t[m].right, dr};
        } h += (int)best;""",
    "structs beside a node": """Entry stack[64]; int depth = 0, m = 0; float d = 0, best = 31;
        while (true) {
            h = h * 31 + t[m].key + (int)d;
            if (t[m].left >= 0) { stack[depth].node = t[m].right; stack[depth++].d = d + 1; m = t[m].left; d = d + 2; }
            else { best = fminf(best, (t[m].key ^ q) & 31); if (depth == 0) break; depth--;
                m = stack[depth].node; d = stack[depth].d; }
        } h += (int)best;""",
    "structs through one of the round": """Entry stack[64]; int depth = 0, m = 0; float d = 0, best = 31;
        while (true) {
            h = h * 31 + t[m].key + (int)d;
            if (t[m].left >= 0) { stack[depth++] = {t[m].right, d + 1}; m = t[m].left; d = d + 2; continue; }
            best = fminf(best, (t[m].key ^ q) & 31); if (depth == 0) break;
            const Entry e = stack[--depth]; m = e.node; d = e.d;
        } h += (int)best;""",
    "a current struct": """Entry stack[64]; int depth = 0; Entry e = {0, 0.0f}; float best = 31;
        while (true) {
            const int m = e.node; h = h * 31 + t[m].key + (int)e.d;
            if (t[m].left >= 0) { stack[depth++] = {t[m].right, e.d + 1}; e = {t[m].left, e.d + 2}; continue; }
            best = fminf(best, (t[m].key ^ q) & 31); if (depth == 0) break; e = stack[--depth];
        } h += (int)best;""",
    "pops until nearer": """Entry stack[64]; int depth = 0, m = 0; float best = 31;
        while (true) {
            h = h * 31 + t[m].key; float dl, dr; bool l = false, r = false;
            if (t[m].left < 0) best = fminf(best, (t[m].key ^ q) & 31);
            else { l = near(t, t[m].left, q, &dl) && dl < best; r = near(t, t[m].right, q, &dr) && dr < best; }
            if (l || r) { if (l && r) stack[depth++] = {t[m].right, dr}; m = l ? t[m].left : t[m].right; continue; }
            bool found = false;
            while (depth > 0) { const Entry e = stack[--depth]; if (e.d < best) { m = e.node; found = true; break; } }
            if (!found) break;
        } h += (int)best;""",
    "pops until nearer, do": """Entry stack[64]; int depth = 0, m = 0; float best = 31;
        while (true) {
            h = h * 31 + t[m].key; float dl, dr; bool l = false, r = false;
            if (t[m].left < 0) best = fminf(best, (t[m].key ^ q) & 31);
            else { l = near(t, t[m].left, q, &dl) && dl < best; r = near(t, t[m].right, q, &dr) && dr < best; }
            if (l || r) { if (l && r) stack[depth++] = {t[m].right, dr}; m = l ? t[m].left : t[m].right; continue; }
            do { if (depth == 0) { out[i] = h + (int)best; return; } --depth; } while (stack[depth].d >= best);
            m = stack[depth].node;
        }""",
    "while in a while": f"""{PBRT} while (true) {{
        while ({INNER}) {{ {VISIT} {BY_AXIS} }} {LEAF} {VISIT} if (depth == 0) break; m = stack[--depth]; }}""",
    "while in a while, with pops": f"""int stack[64], depth = 0, m = 0; stack[depth++] = -1; while (m >= 0) {{
        while (m >= 0 && {INNER}) {{ {VISIT} if ({CROSSES}) {{ {BY_AXIS} }} else m = stack[--depth]; }}
        if (m >= 0) {{ {VISIT} {LEAF} m = stack[--depth]; }} }}""",
    "while in a while, with a break": f"""int stack[64], depth = 0, m = 0; stack[depth++] = -1; while (true) {{
        while (m >= 0 && {INNER}) {{ {VISIT} if ({CROSSES}) {{ {BY_AXIS} }} else m = stack[--depth]; }}
        if (m < 0) break; {VISIT} {LEAF} m = stack[--depth]; }}""",
    "two whiles in a while": f"""int stack[64], depth = 0, m = 0; stack[depth++] = -1; while (m != -1) {{
        while (m >= 0) {{ {VISIT} int a = t[m].left, b = t[m].right;
            if (({CROSSES}) && a >= 0) {{ stack[depth++] = t[b].left < 0 ? -2 - b : b;
            m = t[a].left < 0 ? -2 - a : a; }}
            else m = stack[--depth]; }}
        while (m < -1) {{ h = h * 31 + t[-2 - m].key; m = stack[--depth]; }} }}""",
    "a flag that says to pop": f"""{PBRT} while (true) {{ {VISIT} bool pop = true;
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} pop = false; }} else {{ {LEAF} }} }}
        if (pop) {{ if (depth == 0) break; m = stack[--depth]; }} }}""",
    "a flag that says to continue": f"""{PBRT} bool more = true; while (more) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        if (depth == 0) more = false; else m = stack[--depth]; }}""",
    "a for": f"""int stack[64], depth = 0; for (int m = 0;;) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        if (depth == 0) break; m = stack[--depth]; }}""",
    "a bound on the depth": f"""{PBRT} while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        if (depth <= 0) break; depth--; m = stack[depth]; }}""",
    "a depth without sign": f"""int stack[64], m = 0; unsigned depth = 0; while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        if (!depth) break; m = stack[--depth]; }}""",
    "short numbers on the stack": f"""unsigned short stack[64]; int depth = 0, m = 0; while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        if (depth == 0) break; m = stack[--depth]; }}""",
    "both children tested": f"""{PBRT} while (true) {{ {VISIT}
        if (t[m].left < 0) {{ {LEAF} {POP} continue; }}
        bool l = (t[t[m].left].key ^ q) % 4, r = (t[t[m].right].key ^ q) % 5;
        if (l && r) {{ {BY_AXIS} }} else if (l) m = t[m].left; else if (r) m = t[m].right; else {POP} }}""",
    "both children tested and swapped": """int stack[64], depth = 0, m = 0; while (true) { h = h * 31 + t[m].key;
        if (t[m].left < 0) { if (depth == 0) break; m = stack[--depth]; continue; }
        int a = t[m].left, b = t[m].right; float da, db; bool l = near(t, a, q, &da), r = near(t, b, q, &db);
        if (!l && !r) { if (depth == 0) break; m = stack[--depth]; }
        else { m = l ? a : b; if (l && r) { if (db < da) { m = b; b = a; } stack[depth++] = b; } } }""",
    "children sorted by distance": """const Node *stack[64], *m = t; int depth = 0; float best = 40;
        while (true) {
            h = h * 31 + m->key;
            if (m->left < 0) {
                best = fminf(best, (m->key ^ q) & 31);
                if (depth == 0) break; else m = stack[--depth];
                continue;
            }
            const Node *a = &t[m->left], *b = &t[m->right];
            float da = (a->key ^ q) & 63, db = (b->key ^ q) & 63;
            if (da > best) da = 1e30f; if (db > best) db = 1e30f;
            if (da > db) { float d = da; da = db; db = d; const Node *c = a; a = b; b = c; }
            if (da == 1e30f) { if (depth == 0) break; else m = stack[--depth]; }
            else { m = a; if (db != 1e30f) stack[depth++] = b; }
        } h += (int)best;""",
    "all children tested, a wide node": """int stack[64], depth = 0, m = 0; while (true) { h = h * 31 + t[m].key;
        if (t[m].left >= 0) {
            bool l = (t[t[m].left].key ^ q) % 4, r = (t[t[m].right].key ^ q) % 5;
            if (l) stack[depth++] = t[m].left; if (r) stack[depth++] = t[m].right; }
        if (depth == 0) break; m = stack[--depth]; }""",
    "the node is a pointer": """const Node *stack[64]; int depth = 0; const Node *m = t; while (true) {
            h = h * 31 + m->key;
        if ((m->key ^ q) % 7 && m->left >= 0) { stack[depth++] = t + m->right; m = t + m->left; continue; }
        if (depth == 0) break; m = stack[--depth]; }""",
    "an end above the loop": f"""{PBRT} for (int j = 0; j < 3; j++) {{ m = j; depth = 0; while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}
        if (depth == 0) break; m = stack[--depth]; }} if (h % 3 == 0) continue; h += j; }}""",
    "no node at all in some lanes": f"""int stack[64], depth = 0; if (q % 3) stack[depth++] = 0; while (depth > 0) {{
        int m = stack[--depth]; while ({INNER}) {{ {VISIT} {BY_AXIS} }} {VISIT} {LEAF} }}""",
    "a pop, then a way down": f"""int stack[64], depth = 0; stack[depth++] = 0; while (depth > 0) {{
        int m = stack[--depth]; while (m >= 0 && ({CROSSES})) {{ {VISIT}
            stack[depth++] = t[m].right < 0 ? 0 * m + 5 : t[m].right;
            if (count++ > 20) {{ out[i] = h; return; }} m = t[m].left; }}
        if (m >= 0) {{ {VISIT} }} if (h % 11 == 0) continue; count++; }}""",
}

TRACE = "__device__ int trace(const Node *t, int q, int m, int *count) { int h = 1, stack[64], depth = 0; %s }"
FUNCTIONS = {
    "any hit": f"""while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} if (t[m].key % 8 == q % 8) return 1; ++*count; }}
        if (depth == 0) return 0; m = stack[--depth]; }}""",
    "any hit, a result behind": f"""while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} if (t[m].key % 8 == q % 8) return h; ++*count; }}
        if (--depth < 0) break; m = stack[depth]; }} return -h;""",
    "nearest hit, a result": f"""while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} *count += t[m].key; }}
        if (depth == 0) {{ h += 5; return h; }} m = stack[--depth]; }}""",
}
FUNCTION_CODES = {
    name: text("int m = 0; h = trace(t, q, m, &count);").replace(HEAD, HEAD + TRACE % body)
    for name, body in FUNCTIONS.items()
}

ROUND = f"if ({CROSSES}) {{ if ({INNER}) {{ {BY_AXIS} continue; }} {LEAF} }}"
TAIL = "if (depth == 0) break; m = stack[--depth];"
DOWN = "stack[depth++] = t[m].right; m = t[m].left;"
END = "int stack[64], depth = 0, m = 0; stack[depth++] = -1;"

# Forms that could be mistaken for others. They become walks only if these mean the same.
LEFT = {
    "the node is read behind": (f"{FORMS['pops at the end']} h += m;", "'m' is read after"),
    "the depth is read behind": (f"{FORMS['tests by moving']} h += depth;", "after"),
    "the bottom is read behind": (f"{FORMS['pops at the end']} h += stack[0];", "other code"),
    "the node is read at the end": (
        f"{PBRT} while (true) {{ {VISIT} {ROUND} if (depth == 0) {{ out[i] = m; return; }} m = stack[--depth]; }}",
        "'m' is read after",
    ),
    "a variable of the round is read at the end": (
        f"{PBRT} while (true) {{ int k = t[m].key; h += k; {ROUND} if (depth == 0) {{ out[i] = k; return; }}"
        " m = stack[--depth]; }",
        "continues when the stack is empty",
    ),
    "two ends that return": (
        f"{PBRT} while (true) {{ {VISIT} if (t[m].left < 0) {{ if (depth == 0) {{ out[i] = 1; return; }}"
        f" m = stack[--depth]; continue; }} if ({CROSSES}) {{ {DOWN} continue; }}"
        " if (depth == 0) { out[i] = 2; return; } m = stack[--depth]; }",
        "continues when the stack is empty",
    ),
    "a test with an effect": (
        f"{PBRT} while (true) {{ {VISIT} {ROUND} if (depth == 0 || count++ > 3) break; m = stack[--depth]; }}",
        "another way",
    ),
    "two depths are empty": (
        f"{PBRT} while (true) {{ {VISIT} if (t[m].left < 0) {{ if (depth <= 1) break; m = stack[--depth]; continue; }}"
        f" if ({CROSSES}) {{ {DOWN} continue; }} {TAIL} }}",
        "differ in when it is empty",
    ),
    "a depth without sign below 0": (
        "int stack[64], m = 0; unsigned depth = 0; while (true) {"
        f" {VISIT} {ROUND} if (count > 40 || --depth < 0) break; m = stack[depth]; }}",
        "",
    ),
    "the outer test says more": (
        f"{END} while (m != -1 && count < 9) {{ while (m >= 0 && {INNER}) {{ {VISIT} count++; if (q % 3) {{ {DOWN} }}"
        f" else m = stack[--depth]; }} if (m >= 0) {{ {VISIT} m = stack[--depth]; }} }}",
        "",
    ),
    "the inner loop continues with a sentinel": (
        f"{END} while (m != -1) {{ while (t[m & 63].left >= 0 && count++ < 30) {{ h += m; if (q % 3)"
        " { stack[depth++] = t[m & 63].right; m = t[m & 63].left; } else { m = stack[--depth]; if (m == -1) break; } }"
        " if (m >= 0) m = stack[--depth]; }",
        "",
    ),
    "work before the inner loop": (
        f"{END} while (m >= 0) {{ h++; while (m >= 0 && {INNER}) {{ {VISIT} if ({CROSSES}) {{ {DOWN} }}"
        " else m = stack[--depth]; } if (m >= 0) m = stack[--depth]; }",
        "",
    ),
    "work between two inner loops": (
        f"{END} while (m != -1) {{ while (m >= 0) {{ {VISIT} if ({CROSSES}) {{ stack[depth++] = -2; m = t[m].left; }}"
        " else m = stack[--depth]; } h++; while (m < -1) { h ^= 5; m = stack[--depth]; } }",
        "",
    ),
    "two inner loops that overlap": (
        f"{END} while (m != -1) {{ while (m >= 0) {{ {VISIT} if ({CROSSES}) {{ stack[depth++] = 7; m = t[m].left; }}"
        " else m = stack[--depth]; } while (m != -1) { h = h * 3 + m; if (count++ > 60) { out[i] = h; return; }"
        " if (m == 7) m = 3; else m = stack[--depth]; } }",
        "",
    ),
    "the flag is read": (
        f"{PBRT} bool more = true; while (more) {{ {VISIT} {ROUND}"
        " if (depth == 0) more = false; else m = stack[--depth]; h += more; }",
        "",
    ),
    "the flag is not set last": (
        f"{PBRT} bool more = true; while (more) {{ {VISIT} {ROUND}"
        " if (depth == 0) more = false; else m = stack[--depth]; h++; }",
        "",
    ),
    "the flag is read after": (f"{FORMS['a flag that says to continue']} h += more;", ""),
    "a flag that is not set at first": (
        f"{PBRT} bool more = q % 3; while (more) {{ {VISIT} {ROUND}"
        " if (depth == 0) more = false; else m = stack[--depth]; }",
        "",
    ),
    "nothing below, and the loop asks": (
        f"int stack[64], depth = 0, m = 0; if (q % 3) stack[depth++] = 7; while (depth > 0) {{ {VISIT} {ROUND}"
        " m = stack[--depth]; }",
        "the stack may be empty at first",
    ),
    "a sentinel behind the pop": (FORMS.pop("a sentinel found behind the pop"), "something follows a pop"),
    "a first node that may be a sentinel": (FORMS.pop("a first node that may be a sentinel"), "no sentinel"),
    "pops until nearer": (FORMS.pop("pops until nearer"), ""),
    "pops until nearer, do": (FORMS.pop("pops until nearer, do"), ""),
    "the address of the node is taken": (
        f"{PBRT} int *p = q % 2 ? &m : &h; while (true) {{ {VISIT} {ROUND} if (h % 5 == 0) *p = 3; {TAIL} }}",
        "the address of 'm' is taken",
    ),
    "whole entries are copied": (
        """Entry stack[64]; int depth = 0, m = 0; Entry e = {0, 1.0f}; while (true) { h = h * 31 + t[m].key;
        if (t[m].left >= 0) { e.node = t[m].right; stack[depth] = e; depth++; m = t[m].left; continue; }
        if (depth == 0) break; e = stack[--depth]; m = e.node; e.d += 1; if (e.d > 3) h++; } h += (int)e.d;""",
        "",
    ),
}
# These do become walks, of values that change on the way, or in lanes that have nothing to do.
TRAPS = {
    "numbers that lose bits on the stack": f"""unsigned char stack[64]; int depth = 0, m = 0; while (true) {{ {VISIT}
        if ({CROSSES}) {{ if ({INNER}) {{ stack[depth++] = t[m].right + 256; m = t[m].left; continue; }} }}
        if (depth == 0) break; m = stack[--depth]; }}""",
    "the node changes on its way": f"""{PBRT} while (true) {{ {VISIT} if (count++ > 50) break;
        if ({INNER}) {{ stack[depth++] = t[m].right; m = t[m].left; m = m ^ 1; if (m == 5) m = 6; continue; }}
            {TAIL} }}""",
    "the node changes in a loop": f"""{PBRT} while (true) {{ {VISIT} if (count++ > 50) break;
        if ({INNER}) {{ stack[depth++] = t[m].right; m = t[m].left; for (int j = 0; j < q % 3; j++) m = (m + j) & 31;
        continue; }} {TAIL} }}""",
    "a node that an if sets": f"""{PBRT} while (true) {{ {VISIT} if (count++ > 50) break;
        if ({INNER}) {{ stack[depth++] = t[m].right; m = t[m].left; if (q % 3 == 0) m = 9; continue; }} {TAIL} }}""",
    "a node that is set twice": f"""{PBRT} while (true) {{ {VISIT} if (count++ > 50) break; int k = m; m = 7;
        if (t[k].left >= 0) {{ stack[depth++] = t[k].right; if (q % 2) m = t[k].left; h += m; continue; }} {TAIL} }}""",
    "what is pushed changes behind": f"""{PBRT} int a = 1; while (true) {{ {VISIT} if (count++ > 50) break;
        if ({INNER}) {{ stack[depth++] = (t[m].right + a) & 31; a++; m = t[m].left; continue; }} a ^= 3; {TAIL} }}""",
    "three entries below": f"""int stack[64], depth = 3, m = 0; stack[0] = 9; stack[1] = 1; stack[2] = q & 3;
        while (depth > 0) {{ {VISIT} {ROUND} m = stack[--depth]; }}""",
    "a stack that is just deep enough": f"""int stack[12], depth = 0, m = 0; while (true) {{ {VISIT}
        if (depth < 999 && {INNER}) {{ {BY_AXIS} continue; }} {TAIL} }}""".replace("depth < 999 && ", ""),
    "an arm changes what the other one reads": f"""{PBRT} while (true) {{ {VISIT} int l = t[m].left, r = t[m].right;
        if ((t[m].key ^ q) % 2) {{ if (l >= 0) {{ stack[depth++] = r; m = l; continue; }} h++; }}
        else {{ l = h & 7; r = l ^ 3; h += l; if (count++ < 5) {{ stack[depth++] = r; m = l; continue; }} }}
            {TAIL} }}""",
    "lanes without anything": f"""if (q % 2) {{ {FORMS["pops at the end"]} }} else if (q % 3) {{
            {FORMS["a null pointer"]} }}""",
}
FORMS |= TRAPS
CODES = {name: text(body) for name, body in FORMS.items()} | FUNCTION_CODES
