"""CUDA's warp functions: what the threads of a warp do together.

The columns are those of the tables in `lang/builtins`. A function whose name ends in `_sync` takes a mask of the lanes
that take part; the older ones are done by the lanes that are here. Source: CUDA C++ Programming Guide, "Warp Vote",
"Warp Match", "Warp Reduce" and "Warp Shuffle Functions", "Synchronization Functions"; PTX ISA, `shfl.sync`.
"""

from __future__ import annotations

LANES_OF_WARP = 32

_SHUFFLED = "int uint long ulong longlong ulonglong float double half bfloat16"
_MATCHED = "int uint long ulong longlong ulonglong float double"

WARP_FUNCTIONS = f"""
__shfl_sync        warp_shfl_idx    T(uint,T,int)   {_SHUFFLED}
__shfl_sync        warp_shfl_idx    T(uint,T,int,int)  {_SHUFFLED}
__shfl             warp_shfl_idx    T(T,int)        {_SHUFFLED}
__shfl             warp_shfl_idx    T(T,int,int)    {_SHUFFLED}
__shfl_up_sync     warp_shfl_up     T(uint,T,uint)  {_SHUFFLED}
__shfl_up_sync     warp_shfl_up     T(uint,T,uint,int)  {_SHUFFLED}
__shfl_up          warp_shfl_up     T(T,uint)       {_SHUFFLED}
__shfl_up          warp_shfl_up     T(T,uint,int)   {_SHUFFLED}
__shfl_down_sync   warp_shfl_down   T(uint,T,uint)  {_SHUFFLED}
__shfl_down_sync   warp_shfl_down   T(uint,T,uint,int)  {_SHUFFLED}
__shfl_down        warp_shfl_down   T(T,uint)       {_SHUFFLED}
__shfl_down        warp_shfl_down   T(T,uint,int)   {_SHUFFLED}
__shfl_xor_sync    warp_shfl_xor    T(uint,T,int)   {_SHUFFLED}
__shfl_xor_sync    warp_shfl_xor    T(uint,T,int,int)  {_SHUFFLED}
__shfl_xor         warp_shfl_xor    T(T,int)        {_SHUFFLED}
__shfl_xor         warp_shfl_xor    T(T,int,int)    {_SHUFFLED}
__all_sync         warp_all         int(uint,int)
__any_sync         warp_any         int(uint,int)
__uni_sync         warp_uni         int(uint,int)
__ballot_sync      warp_ballot      uint(uint,int)
__all              warp_all         int(int)
__any              warp_any         int(int)
__ballot           warp_ballot      uint(int)
__activemask       warp_activemask  uint()
__match_any_sync   warp_match_any   uint(uint,T)       {_MATCHED}
__match_all_sync   warp_match_all   uint(uint,T,int*)  {_MATCHED}
__reduce_add_sync  warp_reduce_add  T(uint,T)          int uint
__reduce_min_sync  warp_reduce_min  T(uint,T)          int uint
__reduce_max_sync  warp_reduce_max  T(uint,T)          int uint
__reduce_and_sync  warp_reduce_and  uint(uint,uint)
__reduce_or_sync   warp_reduce_or   uint(uint,uint)
__reduce_xor_sync  warp_reduce_xor  uint(uint,uint)
__syncwarp         warp_sync        void()
__syncwarp         warp_sync        void(uint)
"""
