/* A tile of C = A B: rows `first` to `end`, columns `left` to `right`. An expert keeps 8 rows x 2 vectors of C in
 * registers and copies the part of B that they all need. AS_WRITTEN, the forms are those of sgemm.cu: a program instance
 * computes one element (the default), the elements of some rows, with their part of A in a tile (-DTILED), or what the
 * expert wrote (-DBLOCKED). */

#if defined AS_WRITTEN && defined TILED

#define TILE 16

export void multiply(uniform const float a[], uniform const float b[], uniform float c[], uniform int first,
                     uniform int end, uniform int left, uniform int right, uniform int inner, uniform int columns) {
	for (uniform int row = first; row < end; row += TILE) {
		for (uniform int column = left; column < right; column += programCount) {
			uniform float tile_a[TILE][TILE];
			varying float sum[TILE];
			for (uniform int i = 0; i < TILE; i++)
				sum[i] = 0.0f;
			for (uniform int k = 0; k < inner; k += TILE) {
				for (uniform int i = 0; i < TILE; i++)
					foreach (kk = 0 ... TILE)
						tile_a[i][kk] = a[(row + i) * inner + k + kk];
				for (uniform int kk = 0; kk < TILE; kk++) {
					float of_b = b[(k + kk) * columns + column + programIndex];
					for (uniform int i = 0; i < TILE; i++)
						sum[i] += tile_a[i][kk] * of_b;
				}
			}
			for (uniform int i = 0; i < TILE; i++)
				c[(row + i) * columns + column + programIndex] = sum[i];
		}
	}
}

#elif defined AS_WRITTEN && !defined BLOCKED

export void multiply(uniform const float a[], uniform const float b[], uniform float c[], uniform int first,
                     uniform int end, uniform int left, uniform int right, uniform int inner, uniform int columns) {
	for (uniform int row = first; row < end; row++) {
		foreach (column = left ... right) {
			float sum = 0.0f;
			for (uniform int k = 0; k < inner; k++)
				sum += a[row * inner + k] * b[k * columns + column];
			c[row * columns + column] = sum;
		}
	}
}

#else

#define ROWS 8
#define VECTORS 2
#define COLUMNS (VECTORS * programCount)
#define DEPTH 128

static void multiply_panel(uniform const float a[], uniform const float panel[], uniform float c[], uniform int depth,
                           uniform int inner, uniform int columns, uniform bool is_first) {
	varying float sum[ROWS][VECTORS];
	for (uniform int i = 0; i < ROWS; i++)
		for (uniform int j = 0; j < VECTORS; j++)
			sum[i][j] = is_first ? 0.0f : c[i * columns + j * programCount + programIndex];
	for (uniform int k = 0; k < depth; k++)
		for (uniform int i = 0; i < ROWS; i++)
			for (uniform int j = 0; j < VECTORS; j++)
				sum[i][j] += a[i * inner + k] * panel[k * COLUMNS + j * programCount + programIndex];
	for (uniform int i = 0; i < ROWS; i++)
		for (uniform int j = 0; j < VECTORS; j++)
			c[i * columns + j * programCount + programIndex] = sum[i][j];
}

export void multiply(uniform const float a[], uniform const float b[], uniform float c[], uniform int first,
                     uniform int end, uniform int left, uniform int right, uniform int inner, uniform int columns) {
	uniform float panel[DEPTH * COLUMNS];
	for (uniform int from = 0; from < inner; from += DEPTH) {
		uniform int depth = min(DEPTH, inner - from);
		for (uniform int column = left; column < right; column += COLUMNS) {
			for (uniform int k = 0; k < depth; k++)
				for (uniform int j = 0; j < COLUMNS; j += programCount)
					panel[k * COLUMNS + j + programIndex] = b[(from + k) * columns + column + j + programIndex];
			for (uniform int row = first; row < end; row += ROWS)
				multiply_panel(a + row * inner + from, panel, c + row * columns + column, depth, inner, columns, from == 0);
		}
	}
}

#endif
