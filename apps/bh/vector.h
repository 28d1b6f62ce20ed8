/* Three numbers and one that goes with them; plain C, for the host and the device. */
#ifndef BH_VECTOR_H
#define BH_VECTOR_H

typedef struct {
	float x, y, z, w;
} Vector;

#endif
