// Classes whose implicit assignment is deleted ([class.copy.assign]/2, /7), or the host's alone.
struct HasConst {
    const int c; // note 15: 'c' is declared here
};
struct HasReference {
    int &r; // note 10: 'r' is declared here
};
struct Moves { // note 8-12: 'Moves' is declared here
    int v;
    Moves() = default;
    __device__ Moves(Moves &&o) : v(o.v) {}
};
struct Holds {
    HasConst members[2];
};
struct Host {
    int v;
    Host &operator=(const Host &o) { // note 11-18: 'operator=' is declared here
        v = o.v + 1;
        return *this;
    }
};
__device__ void constant(HasConst &x, HasConst &y) { x = y; } // error 54-58: 'HasConst' cannot be assigned: its member 'c' is const
__device__ void reference(HasReference &x, HasReference &y) { x = y; } // error 63-67: 'HasReference' cannot be assigned: its member 'r' is a reference
__device__ void moves(Moves &x, Moves &y) { x = y; } // error 45-49: 'Moves' cannot be assigned: it declares how its objects are moved // help: declare 'Moves &operator=(const Moves &)'
__device__ void holds(Holds &x, Holds &y) { x = y; } // error 45-49: 'HasConst' cannot be assigned: its member 'c' is const
__device__ void host(Host &x, Host &y) { x = y; } // error 42-46: 'operator=' is a host function: device code cannot use it // help: mark it `__device__`
