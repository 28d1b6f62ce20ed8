/* The gravity of all bodies on each: a work-item for each body. With -DTILED the group reads the others a tile at a time
 * into local memory. */

#define GROUP 256

typedef struct {
	float x, y, z, mass;
} Body;

__kernel void gravity(__global const Body *bodies, __global float *ax, __global float *ay, __global float *az, int n,
					  float softening)
{
	const int i = get_global_id(0);
	const float x = bodies[i].x, y = bodies[i].y, z = bodies[i].z;
	float sum_x = 0.0f, sum_y = 0.0f, sum_z = 0.0f;
#ifdef TILED
	__local Body tile[GROUP];
	for (int first = 0; first < n; first += GROUP) {
		tile[get_local_id(0)] = bodies[first + get_local_id(0)];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int j = 0; j < GROUP; j++) {
			const Body other = tile[j];
#else
	{
		for (int j = 0; j < n; j++) {
			const Body other = bodies[j];
#endif
			const float dx = other.x - x, dy = other.y - y, dz = other.z - z;
			const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
			const float scale = other.mass * inverse * inverse * inverse;
			sum_x += dx * scale;
			sum_y += dy * scale;
			sum_z += dz * scale;
		}
#ifdef TILED
		barrier(CLK_LOCAL_MEM_FENCE);
#endif
	}
	ax[i] = sum_x;
	ay[i] = sum_y;
	az[i] = sum_z;
}
