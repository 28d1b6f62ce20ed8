/* Bodies and cells in memory of the device, as Burtscher and Pingali (2011) lay them out: an array for each member. */
#ifndef BH6_SYSTEM_H
#define BH6_SYSTEM_H

#include <cstddef>
#include <vector>

#include "../common/device.h"
#include "result.h"

/* What is wrong with the bodies. */
enum { NO_TROUBLE, TOO_DEEP, TOO_MANY_CELLS };

typedef struct {
	int kind, body, other; /* two bodies in one cube */
} Trouble;

/* The parameters of all kernels, in constant memory. Nodes 0 to bodies - 1 are the bodies, first_cell to root the
 * cells: children of a cell have smaller numbers than the cell. Of arrays that only cells need, the elements of the
 * bodies serve for what only bodies need. */
typedef struct {
	int bodies, first_cell, root;
	float *x, *y, *z, *mass; /* of nodes; a cell's mass is negative until it is known */
	int *child;              /* of cells: 8 each */
	float *vx, *vy, *vz;     /* velocity of bodies, in `child` */
	float *ax, *ay, *az;     /* acceleration of bodies, in `child` */
	int *start;              /* of cells: where their bodies begin in `sorted`; negative until that is known */
	int *sorted;             /* the bodies in the order of the tree, in `start` */
	int *count;              /* of cells: their bodies */
	float *maxima;           /* six of each block of kernel 1 */
	unsigned *arrived;       /* blocks of kernel 1 that are done */
	float *edge;             /* of the root */
	int *bottom;             /* the cell with the smallest number */
	int *deepest;            /* the depth of the deepest cell */
	Trouble *trouble;
	unsigned long long *counted; /* nodes that warps look at, and that pull */
	float softening2, per_theta2, dt;
} System;

/* The arrays of a System. */
class Memory
{
public:
	/* `blocks`: of kernel 1. */
	Memory(int bodies, int blocks)
		: bodies(check_numbers(bodies)), first_cell((bodies + 31) / 32 * 32), nodes(first_cell + most_cells(bodies)),
		  x(nodes), y(nodes), z(nodes), mass(nodes), child(8 * static_cast<size_t>(nodes)), start(nodes), count(nodes),
		  maxima(6 * static_cast<size_t>(blocks)), arrived(std::vector<unsigned>(1, 0)), edge(1), bottom(1), deepest(1),
		  trouble(std::vector<Trouble>(1, Trouble{NO_TROUBLE, 0, 0})), counted(std::vector<unsigned long long>(2, 0))
	{
	}

	System system(const Physics &physics) const
	{
		System system;
		system.bodies = bodies;
		system.first_cell = first_cell;
		system.root = nodes - 1;
		system.x = x.get();
		system.y = y.get();
		system.z = z.get();
		system.mass = mass.get();
		system.child = child.get();
		system.vx = of_bodies(0);
		system.vy = of_bodies(1);
		system.vz = of_bodies(2);
		system.ax = of_bodies(3);
		system.ay = of_bodies(4);
		system.az = of_bodies(5);
		system.start = system.sorted = start.get();
		system.count = count.get();
		system.maxima = maxima.get();
		system.arrived = arrived.get();
		system.edge = edge.get();
		system.bottom = bottom.get();
		system.deepest = deepest.get();
		system.trouble = trouble.get();
		system.counted = counted.get();
		system.softening2 = physics.softening * physics.softening;
		system.per_theta2 = physics.per_theta2();
		system.dt = physics.dt;
		return system;
	}

	void put(const Bodies &from)
	{
		put_vectors(from.place, x.get(), y.get(), z.get(), mass.get());
		put_vectors(from.velocity, of_bodies(0), of_bodies(1), of_bodies(2), nullptr);
	}

	void copy_places(std::vector<Vector> &places) const
	{
		copy_vectors(places, bodies, x.get(), y.get(), z.get(), mass.get());
	}

	void copy_to(Result &result) const
	{
		copy_places(result.bodies.place);
		copy_vectors(result.bodies.velocity, bodies, of_bodies(0), of_bodies(1), of_bodies(2), nullptr);
		copy_vectors(result.acceleration, bodies, of_bodies(3), of_bodies(4), of_bodies(5), nullptr);
	}

	/* Throws an InputError if no tree can hold the bodies. */
	void check_trouble() const
	{
		std::vector<Trouble> found;
		trouble.copy_to(found);
		if (found[0].kind == TOO_DEEP)
			fail_too_deep(found[0].body, found[0].other);
		if (found[0].kind == TOO_MANY_CELLS)
			fail_too_many_cells(bodies);
	}

	void copy_shape(Result &result) const
	{
		result.cells = nodes - one(bottom);
		result.depth = one(deepest);
	}

	void copy_counted(unsigned long long &visits, unsigned long long &pulls) const
	{
		std::vector<unsigned long long> found;
		counted.copy_to(found);
		visits = found[0];
		pulls = found[1];
	}

	void copy_tree(Tree &tree) const
	{
		tree.first_cell = one(bottom);
		tree.root = nodes - 1;
		tree.cells = nodes - tree.first_cell;
		tree.edge = one(edge);
		copy_vectors(tree.nodes, nodes, x.get(), y.get(), z.get(), mass.get());
		child.copy_to(tree.child);
		tree.child.erase(tree.child.begin(), tree.child.begin() + 8 * static_cast<size_t>(tree.first_cell));
		count.copy_to(tree.count);
		tree.count.erase(tree.count.begin(), tree.count.begin() + tree.first_cell);
		start.copy_to(tree.sorted);
		tree.sorted.resize(bodies);
	}

private:
	const int bodies, first_cell, nodes;
	const DeviceArray<float> x, y, z, mass;
	const DeviceArray<int> child, start, count;
	const DeviceArray<float> maxima;
	const DeviceArray<unsigned> arrived;
	const DeviceArray<float> edge;
	const DeviceArray<int> bottom, deepest;
	const DeviceArray<Trouble> trouble;
	const DeviceArray<unsigned long long> counted;

	/* The elements of bodies in `child` are as many as eight arrays of bodies. */
	float *of_bodies(int array) const
	{
		return reinterpret_cast<float *>(child.get()) + static_cast<size_t>(first_cell) * array;
	}

	template <class T> static T one(const DeviceArray<T> &array)
	{
		std::vector<T> element;
		array.copy_to(element);
		return element[0];
	}

	static void put_vectors(const std::vector<Vector> &from, float *x, float *y, float *z, float *w)
	{
		float Vector::*const members[4] = {&Vector::x, &Vector::y, &Vector::z, &Vector::w};
		float *const arrays[4] = {x, y, z, w};
		std::vector<float> array(from.size());
		for (int d = 0; d < 4 && arrays[d]; d++) {
			for (size_t i = 0; i < from.size(); i++)
				array[i] = from[i].*members[d];
			copy(arrays[d], array.data(), array.size() * sizeof(float), cudaMemcpyHostToDevice,
				 "cudaMemcpy to the device");
		}
	}

	static void copy_vectors(std::vector<Vector> &to, int count, const float *x, const float *y, const float *z,
							 const float *w)
	{
		float Vector::*const members[4] = {&Vector::x, &Vector::y, &Vector::z, &Vector::w};
		const float *const arrays[4] = {x, y, z, w};
		std::vector<float> array(count);
		to.assign(count, Vector{});
		for (int d = 0; d < 4 && arrays[d]; d++) {
			copy(array.data(), arrays[d], array.size() * sizeof(float), cudaMemcpyDeviceToHost,
				 "cudaMemcpy to the host");
			for (int i = 0; i < count; i++)
				to[i].*members[d] = array[i];
		}
	}
};

#endif
