/* Quotient and remainder of unsigned integers. The CPU has no vector instruction for that; a quotient of doubles, which
 * is rounded by less than it is away from the next integer, does. With -DAS_WRITTEN it is left to the compiler. */
export void divide(const uniform unsigned int a[], const uniform unsigned int b[], uniform unsigned int quotient[],
                   uniform unsigned int remainder[], uniform int first, uniform int end) {
	foreach (i = first ... end) {
		unsigned int x = a[i], y = b[i];
#ifdef AS_WRITTEN
		quotient[i] = x / y;
		remainder[i] = x % y;
#else
		unsigned int q = (unsigned int)((double)x / (double)y);
		quotient[i] = q;
		remainder[i] = x - q * y;
#endif
	}
}
