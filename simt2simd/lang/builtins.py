"""CUDA's built-in functions and macros: one row each.

A row names the function as a program calls it, the operation it represents (`op`, which `interp`,
`simd/integers` and `vmath` implement once for each operation and the types of its arguments), and its C signature, in
which T is a type of several: `exp(double)` and `exp(float)` are overloads in C++. Source: CUDA Math API and the
CUDA C++ Programming Guide, "C++ Language Extensions" and "Mathematical Functions".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from .consolidation import Consolidation
from .ctype import (
    BFLOAT16,
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    LONGLONG,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    ULONGLONG,
    USHORT,
    VOID,
    CType,
    Pointer,
    Struct,
)
from .device_runtime import (
    RUNTIME_FUNCTIONS,
    RUNTIME_OPS,
    SIGNATURE_TYPES,
)
from .matrix_products import MATRIX_FUNCTIONS
from .packed_functions import PACKED_FUNCTIONS
from .short_conversions import SHORT_CONVERSIONS
from .vectors import BFLOAT162, HALF2, VECTOR_TYPES
from .warp_functions import LANES_OF_WARP, WARP_FUNCTIONS


@dataclass(frozen=True, slots=True)
class Builtin:
    """One overload of one built-in function.

    `pure`: the result depends on the arguments alone and nothing else happens. `synchronises`: no thread
    of the block passes before all have arrived. `kernel`: the one that it launches, and what a pragma before the
    launch says.
    """

    name: str
    op: str
    params: tuple[CType, ...]
    result: CType
    pure: bool = True
    synchronises: bool = False
    kernel: str = ""
    consolidation: Consolidation | None = None

    @property
    def atomic(self) -> bool:
        """It reads, changes and writes what its first argument points to, as one step that no thread can disturb."""
        return self.op.startswith("atomic_")

    @property
    def of_warp(self) -> bool:
        """The threads of a warp do it together, those that are here."""
        return self.op.startswith("warp_")

    @property
    def gathers_lanes(self) -> bool:
        """It waits until all lanes that are to take part are here."""
        return self.of_warp and self.name.endswith(("_sync", "__syncwarp"))

    @property
    def names_lanes(self) -> bool:
        """Its first argument is a mask of the lanes that are to take part; without, all are."""
        return self.gathers_lanes and bool(self.params)

    @property
    def of_matrices(self) -> bool:
        """The threads of a warp multiply matrices, or load one; its second argument is a constant."""
        return self.op.startswith(("warp_mma_", "warp_ldmatrix"))

    @property
    def counts(self) -> bool:
        """It counts what traversals do (`--stats`), and changes nothing that a program can see."""
        return self.op == "visit"

    @property
    def queries_address(self) -> bool:
        """Its result depends on where its argument leads."""
        return self.name in ADDRESS_FUNCTIONS

    @property
    def service(self) -> bool:
        """The runtime does it, for one thread after the other. Its pointers may lead anywhere."""
        return self.op in SERVICES

    @property
    def of_runtime(self) -> bool:
        """It is a function of CUDA's runtime for device code."""
        return self.op in RUNTIME_OPS

    @property
    def waits(self) -> bool:
        """It takes time, or returns it or the number of the launch, and changes nothing that a program can see."""
        return self.op in ("clock", "globaltimer", "grid_id", "dynamic_shared_bytes", "nanosleep", "nothing")


# The columns of these tables: the name, the operation, the signature, and the types that may replace T in it, one
# overload for each. longlong is `long long`, uint `unsigned int` and so on.

# CUDA Math API; the plain names are C++'s overloads. The operation is C's name of the double function.
_MATH = """
acos         acos        T(T)                                 double float
acosf        acos        float(float)
acosh        acosh       T(T)                                 double float
acoshf       acosh       float(float)
asin         asin        T(T)                                 double float
asinf        asin        float(float)
asinh        asinh       T(T)                                 double float
asinhf       asinh       float(float)
atan         atan        T(T)                                 double float
atanf        atan        float(float)
atanh        atanh       T(T)                                 double float
atanhf       atanh       float(float)
cbrt         cbrt        T(T)                                 double float
cbrtf        cbrt        float(float)
ceil         ceil        T(T)                                 double float
ceilf        ceil        float(float)
cos          cos         T(T)                                 double float
cosf         cos         float(float)
cosh         cosh        T(T)                                 double float
coshf        cosh        float(float)
cospi        cospi       T(T)                                 double float
cospif       cospi       float(float)
erf          erf         T(T)                                 double float
erff         erf         float(float)
erfc         erfc        T(T)                                 double float
erfcf        erfc        float(float)
erfcinv      erfcinv     T(T)                                 double float
erfcinvf     erfcinv     float(float)
erfcx        erfcx       T(T)                                 double float
erfcxf       erfcx       float(float)
erfinv       erfinv      T(T)                                 double float
erfinvf      erfinv      float(float)
exp          exp         T(T)                                 double float
expf         exp         float(float)
exp10        exp10       T(T)                                 double float
exp10f       exp10       float(float)
exp2         exp2        T(T)                                 double float
exp2f        exp2        float(float)
expm1        expm1       T(T)                                 double float
expm1f       expm1       float(float)
fabs         fabs        T(T)                                 double float
fabsf        fabs        float(float)
floor        floor       T(T)                                 double float
floorf       floor       float(float)
j0           j0          T(T)                                 double float
j0f          j0          float(float)
j1           j1          T(T)                                 double float
j1f          j1          float(float)
lgamma       lgamma      T(T)                                 double float
lgammaf      lgamma      float(float)
log          log         T(T)                                 double float
logf         log         float(float)
log10        log10       T(T)                                 double float
log10f       log10       float(float)
log1p        log1p       T(T)                                 double float
log1pf       log1p       float(float)
log2         log2        T(T)                                 double float
log2f        log2        float(float)
logb         logb        T(T)                                 double float
logbf        logb        float(float)
nearbyint    nearbyint   T(T)                                 double float
nearbyintf   nearbyint   float(float)
normcdf      normcdf     T(T)                                 double float
normcdff     normcdf     float(float)
normcdfinv   normcdfinv  T(T)                                 double float
normcdfinvf  normcdfinv  float(float)
rcbrt        rcbrt       T(T)                                 double float
rcbrtf       rcbrt       float(float)
rint         rint        T(T)                                 double float
rintf        rint        float(float)
round        round       T(T)                                 double float
roundf       round       float(float)
rsqrt        rsqrt       T(T)                                 double float
rsqrtf       rsqrt       float(float)
sin          sin         T(T)                                 double float
sinf         sin         float(float)
sinh         sinh        T(T)                                 double float
sinhf        sinh        float(float)
sinpi        sinpi       T(T)                                 double float
sinpif       sinpi       float(float)
sqrt         sqrt        T(T)                                 double float
sqrtf        sqrt        float(float)
tan          tan         T(T)                                 double float
tanf         tan         float(float)
tanh         tanh        T(T)                                 double float
tanhf        tanh        float(float)
tgamma       tgamma      T(T)                                 double float
tgammaf      tgamma      float(float)
trunc        trunc       T(T)                                 double float
truncf       trunc       float(float)
y0           y0          T(T)                                 double float
y0f          y0          float(float)
y1           y1          T(T)                                 double float
y1f          y1          float(float)
atan2        atan2       T(T,T)                               double float
atan2f       atan2       float(float,float)
copysign     copysign    T(T,T)                               double float
copysignf    copysign    float(float,float)
fdim         fdim        T(T,T)                               double float
fdimf        fdim        float(float,float)
fmax         fmax        T(T,T)                               double float
fmaxf        fmax        float(float,float)
fmin         fmin        T(T,T)                               double float
fminf        fmin        float(float,float)
fmod         fmod        T(T,T)                               double float
fmodf        fmod        float(float,float)
hypot        hypot       T(T,T)                               double float
hypotf       hypot       float(float,float)
nextafter    nextafter   T(T,T)                               double float
nextafterf   nextafter   float(float,float)
pow          pow         T(T,T)                               double float
powf         pow         float(float,float)
remainder    remainder   T(T,T)                               double float
remainderf   remainder   float(float,float)
fma          fma         T(T,T,T)                             double float
fmaf         fma         float(float,float,float)
ldexp        ldexp       T(T,int)                             double float
ldexpf       ldexp       float(float,int)
scalbn       ldexp       T(T,int)                             double float
scalbnf      ldexp       float(float,int)
scalbln      ldexp       T(T,long)                            double float
scalblnf     ldexp       float(float,long)
ilogb        ilogb       int(T)                               double float
ilogbf       ilogb       int(float)
lrint        lrint       long(T)                              double float
lrintf       lrint       long(float)
llrint       lrint       longlong(T)                          double float
llrintf      lrint       longlong(float)
lround       lround      long(T)                              double float
lroundf      lround      long(float)
llround      lround      longlong(T)                          double float
llroundf     lround      longlong(float)
jn           jn          T(int,T)                             double float
jnf          jn          float(int,float)
yn           yn          T(int,T)                             double float
ynf          yn          float(int,float)
rhypot       rhypot      double(double,double)
rhypotf      rhypot      float(float,float)
norm3d       norm3d      double(double,double,double)
norm3df      norm3d      float(float,float,float)
rnorm3d      rnorm3d     double(double,double,double)
rnorm3df     rnorm3d     float(float,float,float)
norm4d       norm4d      double(double,double,double,double)
norm4df      norm4d      float(float,float,float,float)
rnorm4d      rnorm4d     double(double,double,double,double)
rnorm4df     rnorm4d     float(float,float,float,float)
isnan        isnan       bool(T)                              double float
isinf        isinf       bool(T)                              double float
isfinite     isfinite    bool(T)                              double float
isnormal     isnormal    bool(T)                              double float
signbit      signbit     bool(T)                              double float
fpclassify   fpclassify  int(T)                               double float
isgreater       isgreater       bool(T,T)                     double float
isgreaterequal  isgreaterequal  bool(T,T)                     double float
isless          isless          bool(T,T)                     double float
islessequal     islessequal     bool(T,T)                     double float
islessgreater   islessgreater   bool(T,T)                     double float
isunordered     isunordered     bool(T,T)                     double float
abs          fabs        T(T)                                 double float
max          fmax        T(T,T)                               double float
min          fmin        T(T,T)                               double float
__isnan      isnan       bool(double)
__isnanf     isnan       bool(float)
__isinf      isinf       bool(double)
__isinff     isinf       bool(float)
__finite     isfinite    bool(double)
__finitef    isfinite    bool(float)
__signbit    signbit     bool(double)
__signbitf   signbit     bool(float)
fdivide      fdivide     double(double,double)
fdividef     fdivide     float(float,float)
"""

# Quick and less precise, for float alone; `fast_...` are also what --use_fast_math puts in place of others.
_QUICK = """
__expf       fast_exp    float(float)
__exp10f     fast_exp10  float(float)
__logf       fast_log    float(float)
__log2f      fast_log2   float(float)
__log10f     fast_log10  float(float)
__sinf       fast_sin    float(float)
__cosf       fast_cos    float(float)
__tanf       fast_tan    float(float)
__powf       fast_pow    float(float,float)
__fdividef   fast_div    float(float,float)
__saturatef  saturate    float(float)
__tanhf      tanh        float(float)
"""

# Rounded to the nearest.
_ROUNDED = """
__frsqrt_rn  frsqrt_rn  float(float)
__fadd_rn    add_rn     float(float,float)
__fsub_rn    sub_rn     float(float,float)
__fmul_rn    mul_rn     float(float,float)
__fdiv_rn    div_rn     float(float,float)
__frcp_rn    rcp_rn     float(float)
__fsqrt_rn   sqrt       float(float)
__dadd_rn    add_rn     double(double,double)
__dsub_rn    sub_rn     double(double,double)
__dmul_rn    mul_rn     double(double,double)
__ddiv_rn    div_rn     double(double,double)
__drcp_rn    rcp_rn     double(double)
__dsqrt_rn   sqrt       double(double)
__fmaf_rn    fma        float(float,float,float)
__fmaf_ieee_rn fma      float(float,float,float)
__fma_rn     fma        double(double,double,double)
"""

# Rounded toward zero, up or down: M is the direction.
_ROUNDED_IN_DIRECTIONS = """
__fadd_M         add_M       float(float,float)
__fsub_M         sub_M       float(float,float)
__fmul_M         mul_M       float(float,float)
__fdiv_M         div_M       float(float,float)
__frcp_M         rcp_M       float(float)
__fsqrt_M        sqrt_M      float(float)
__fmaf_M         fma_M       float(float,float,float)
__fmaf_ieee_M    fma_M       float(float,float,float)
__dadd_M         add_M       double(double,double)
__dsub_M         sub_M       double(double,double)
__dmul_M         mul_M       double(double,double)
__ddiv_M         div_M       double(double,double)
__drcp_M         rcp_M       double(double)
__dsqrt_M        sqrt_M      double(double)
__fma_M          fma_M       double(double,double,double)
__int2float_M    to_float_M  float(int)
__uint2float_M   to_float_M  float(uint)
__ll2float_M     to_float_M  float(longlong)
__ull2float_M    to_float_M  float(ulonglong)
__ll2double_M    to_float_M  double(longlong)
__ull2double_M   to_float_M  double(ulonglong)
__double2float_M to_float_M  float(double)
"""
_DIRECTED = "".join(_ROUNDED_IN_DIRECTIONS.lstrip().replace("_M", f"_{direction}") for direction in ("rz", "ru", "rd"))

_INTEGER = """
abs               abs             T(T)                            int long longlong
max               max             T(T,T)                          int uint long ulong longlong ulonglong
min               min             T(T,T)                          int uint long ulong longlong ulonglong
umax              max             uint(uint,uint)
umin              min             uint(uint,uint)
llmax             max             longlong(longlong,longlong)
llmin             min             longlong(longlong,longlong)
ullmax            max             ulonglong(ulonglong,ulonglong)
ullmin            min             ulonglong(ulonglong,ulonglong)
labs              abs             long(long)
llabs             abs             longlong(longlong)
__clz             clz             int(int)
__clzll           clz             int(longlong)
__popc            popc            int(uint)
__popcll          popc            int(ulonglong)
__ffs             ffs             int(int)
__ffsll           ffs             int(longlong)
__brev            brev            uint(uint)
__brevll          brev            ulonglong(ulonglong)
__byte_perm       byte_perm       uint(uint,uint,uint)
__mulhi           mulhi           int(int,int)
__umulhi          mulhi           uint(uint,uint)
__mul64hi         mulhi           longlong(longlong,longlong)
__umul64hi        mulhi           ulonglong(ulonglong,ulonglong)
__mul24           mul24           int(int,int)
__umul24          mul24           uint(uint,uint)
__sad             sad             uint(int,int,uint)
__usad            sad             uint(uint,uint,uint)
__hadd            hadd            int(int,int)
__uhadd           hadd            uint(uint,uint)
__rhadd           rhadd           int(int,int)
__urhadd          rhadd           uint(uint,uint)
__funnelshift_l   funnelshift_l   uint(uint,uint,uint)
__funnelshift_r   funnelshift_r   uint(uint,uint,uint)
__funnelshift_lc  funnelshift_lc  uint(uint,uint,uint)
__funnelshift_rc  funnelshift_rc  uint(uint,uint,uint)
__dp4a            dp4a            T(T,T,T)                        int uint
"""

# Bit casts, and conversions with a rounding mode. From float to integer, what is out of range saturates and NaN gives 0
# (0x8000000000000000 for 64 bits).
_CONVERSIONS = """
__float_as_int        bitcast         int(float)
__float_as_uint       bitcast         uint(float)
__int_as_float        bitcast         float(int)
__uint_as_float       bitcast         float(uint)
__double_as_longlong  bitcast         longlong(double)
__longlong_as_double  bitcast         double(longlong)
__double2hiint        double2hiint    int(double)
__double2loint        double2loint    int(double)
__hiloint2double      hiloint2double  double(int,int)
__float2int_rn        to_int_rn       int(float)
__double2int_rn       to_int_rn       int(double)
__float2int_rz        to_int_rz       int(float)
__double2int_rz       to_int_rz       int(double)
__float2int_rd        to_int_rd       int(float)
__double2int_rd       to_int_rd       int(double)
__float2int_ru        to_int_ru       int(float)
__double2int_ru       to_int_ru       int(double)
__int2float_rn        to_float_rn     float(int)
__int2double_rn       to_float_rn     double(int)
__float2uint_rn       to_int_rn       uint(float)
__double2uint_rn      to_int_rn       uint(double)
__float2uint_rz       to_int_rz       uint(float)
__double2uint_rz      to_int_rz       uint(double)
__float2uint_rd       to_int_rd       uint(float)
__double2uint_rd      to_int_rd       uint(double)
__float2uint_ru       to_int_ru       uint(float)
__double2uint_ru      to_int_ru       uint(double)
__uint2float_rn       to_float_rn     float(uint)
__uint2double_rn      to_float_rn     double(uint)
__float2ll_rn         to_int_rn       longlong(float)
__double2ll_rn        to_int_rn       longlong(double)
__float2ll_rz         to_int_rz       longlong(float)
__double2ll_rz        to_int_rz       longlong(double)
__float2ll_rd         to_int_rd       longlong(float)
__double2ll_rd        to_int_rd       longlong(double)
__float2ll_ru         to_int_ru       longlong(float)
__double2ll_ru        to_int_ru       longlong(double)
__ll2float_rn         to_float_rn     float(longlong)
__ll2double_rn        to_float_rn     double(longlong)
__float2ull_rn        to_int_rn       ulonglong(float)
__double2ull_rn       to_int_rn       ulonglong(double)
__float2ull_rz        to_int_rz       ulonglong(float)
__double2ull_rz       to_int_rz       ulonglong(double)
__float2ull_rd        to_int_rd       ulonglong(float)
__double2ull_rd       to_int_rd       ulonglong(double)
__float2ull_ru        to_int_ru       ulonglong(float)
__double2ull_ru       to_int_ru       ulonglong(double)
__ull2float_rn        to_float_rn     float(ulonglong)
__ull2double_rn       to_float_rn     double(ulonglong)
__double2float_rn     to_float_rn     float(double)
"""

# These give some of their results through pointers.
_MORE_RESULTS = """
frexp      frexp        T(T,int*)                  double float
frexpf     frexp        float(float,int*)
modf       modf         T(T,T*)                    double float
modff      modf         float(float,float*)
remquo     remquo       T(T,T,int*)                double float
remquof    remquo       float(float,float,int*)
sincos     sincos       void(T,T*,T*)              double float
sincosf    sincos       void(float,float*,float*)
sincospi   sincospi     void(T,T*,T*)              double float
sincospif  sincospi     void(float,float*,float*)
__sincosf  fast_sincos  void(float,float*,float*)
"""

# They return the old value. `_block` and `_system` mean the same here.
_ATOMIC = """
atomicAdd          atomic_add   T(T*,T)           int uint ulonglong float double half bfloat16
atomicAdd_block    atomic_add   T(T*,T)           int uint ulonglong float double half bfloat16
atomicAdd_system   atomic_add   T(T*,T)           int uint ulonglong float double half bfloat16
atomicSub          atomic_sub   T(T*,T)           int uint
atomicSub_block    atomic_sub   T(T*,T)           int uint
atomicSub_system   atomic_sub   T(T*,T)           int uint
atomicExch         atomic_exch  T(T*,T)           int uint ulonglong float
atomicExch_block   atomic_exch  T(T*,T)           int uint ulonglong float
atomicExch_system  atomic_exch  T(T*,T)           int uint ulonglong float
atomicMin          atomic_min   T(T*,T)           int uint longlong ulonglong
atomicMin_block    atomic_min   T(T*,T)           int uint longlong ulonglong
atomicMin_system   atomic_min   T(T*,T)           int uint longlong ulonglong
atomicMax          atomic_max   T(T*,T)           int uint longlong ulonglong
atomicMax_block    atomic_max   T(T*,T)           int uint longlong ulonglong
atomicMax_system   atomic_max   T(T*,T)           int uint longlong ulonglong
atomicInc          atomic_inc   uint(uint*,uint)
atomicInc_block    atomic_inc   uint(uint*,uint)
atomicInc_system   atomic_inc   uint(uint*,uint)
atomicDec          atomic_dec   uint(uint*,uint)
atomicDec_block    atomic_dec   uint(uint*,uint)
atomicDec_system   atomic_dec   uint(uint*,uint)
atomicCAS          atomic_cas   T(T*,T,T)         int uint ulonglong ushort
atomicCAS_block    atomic_cas   T(T*,T,T)         int uint ulonglong ushort
atomicCAS_system   atomic_cas   T(T*,T,T)         int uint ulonglong ushort
atomicAnd          atomic_and   T(T*,T)           int uint ulonglong
atomicAnd_block    atomic_and   T(T*,T)           int uint ulonglong
atomicAnd_system   atomic_and   T(T*,T)           int uint ulonglong
atomicOr           atomic_or    T(T*,T)           int uint ulonglong
atomicOr_block     atomic_or    T(T*,T)           int uint ulonglong
atomicOr_system    atomic_or    T(T*,T)           int uint ulonglong
atomicXor          atomic_xor   T(T*,T)           int uint ulonglong
atomicXor_block    atomic_xor   T(T*,T)           int uint ulonglong
atomicXor_system   atomic_xor   T(T*,T)           int uint ulonglong
"""

_ORDERING = """
__syncthreads         barrier  void()
__threadfence         fence    void()
__threadfence_block   fence    void()
__threadfence_system  fence    void()
__trap                trap     void()
"""

# What the runtime does for kernels: C's library as far as the device has it, and time. `nothing`: for debuggers.
# A named barrier takes its number, how many threads meet there (0: all of the block), `ARRIVES` or `OF_WARPS`, and
# a vote; it returns the number of votes that are not 0.
_SERVICES = """
malloc              malloc       void*(ulong)
free                free         void(void*)
memcpy              memcpy       void*(void*,const_void*,ulong)
__builtin_memcpy    memcpy       void*(void*,const_void*,ulong)
memmove             memcpy       void*(void*,const_void*,ulong)
__builtin_memmove   memcpy       void*(void*,const_void*,ulong)
memset              memset       void*(void*,int,ulong)
__builtin_memset    memset       void*(void*,int,ulong)
memcmp              memcmp       int(const_void*,const_void*,ulong)
__builtin_memcmp    memcmp       int(const_void*,const_void*,ulong)
strlen              strlen       ulong(const_char*)
strcmp              strcmp       int(const_char*,const_char*)
strncmp             strncmp      int(const_char*,const_char*,ulong)
strcpy              strcpy       char*(char*,const_char*)
__s2s_swap_16       swap_16      int(void*,void*,const_void*)
__s2s_barrier       named_barrier  uint(uint,uint,uint,uint)
__s2s_await         awaiting     void(const_void*,ulonglong)
clock               clock        long()
clock64             clock        longlong()
__s2s_grid_id       grid_id      ulonglong()
__s2s_dynamic_shared_bytes  dynamic_shared_bytes  uint()
__globaltimer       globaltimer  ulonglong()
__nanosleep         nanosleep    void(uint)
__brkpt             nothing      void()
__prof_trigger      nothing      void(int)
"""

# Where threads wait for others of the block, of which not all need to arrive; `awaiting`: until a number in memory has
# changed; `await_children`: until the children are complete that the block has launched.
WAITS_AT = ("named_barrier", "awaiting", "await_children")

ARRIVES = 1  # at a named barrier: the thread does not wait
OF_WARPS = 2  # a warp counts as 32 threads there, however many of its lanes arrive
OF_TILES = 4  # the barriers of tiles have numbers of their own (`<cooperative_groups.h>`)

# The operations that are calls of the runtime, with a slot for each argument of each lane (`lower/runtime_calls`).
SERVICES = (
    frozenset(
        "printf assert_fail malloc free memcpy memset memcmp strlen strcmp strncmp strcpy nanosleep swap_16".split()
    )
    | frozenset(WAITS_AT)
    | RUNTIME_OPS
    | {"launch"}
)

MOST_PRINTED = 32  # arguments of `printf` after the format, as CUDA has it

_TYPES: dict[str, CType] = {
    "void": VOID, "bool": BOOL, "int": INT, "uint": UINT, "long": LONG, "ulong": ULONG, "longlong": LONGLONG,
    "ulonglong": ULONGLONG, "short": SHORT, "ushort": USHORT, "char": CHAR, "schar": SCHAR, "uchar": UCHAR,
    "float": FLOAT, "double": DOUBLE, "half": HALF, "bfloat16": BFLOAT16, **SIGNATURE_TYPES,
}  # fmt: skip


def _type(name: str) -> CType:
    if not name.endswith("*"):
        return _TYPES[name]
    return Pointer(_type(name[:-1].removeprefix("const_")), const=name.startswith("const_"))


@cache
def _signature(text: str) -> tuple[CType, tuple[CType, ...]]:
    """Return the types in "int(float*,long)": int, the result; a pointer to float and a long, the parameters."""
    result, _, params = text.removesuffix(")").partition("(")
    return _type(result), tuple(_type(param) for param in params.split(",") if param)


def _rows(table: str, pure: bool) -> Iterator[Builtin]:
    for line in table.strip().splitlines():
        name, op, signature, *types = line.split()
        for ctype in types or ("",):
            result, params = _signature(signature.replace("T", ctype))
            yield Builtin(name, op, params, result, pure, synchronises=op in ("barrier", *WAITS_AT))


def _makers() -> Iterator[Builtin]:
    """`make_float4` and the like; `make` gives a struct of its arguments, in layout order."""
    for name, ctype in VECTOR_TYPES.items():
        yield make(ctype, name=f"make_{name}" if name != "dim3" else name)
    yield from (make(HALF2, name) for name in ("make_half2", "__halves2half2"))
    yield from (make(BFLOAT162, name) for name in ("make_bfloat162", "__halves2bfloat162"))


def make(ctype: Struct, name: str | None = None) -> Builtin:
    """Return what makes a struct of scalars; it prints as `ctype{...}` unless it has a name."""
    return Builtin(name or ctype.tag, "make", tuple(part.type for part in ctype.fields or ()), ctype)


# The barrier of the grid, for `cooperative_groups`.
GRID_BARRIER = Builtin("__s2s_grid_barrier", "grid_barrier", (), VOID, pure=False, synchronises=True)


def _table() -> dict[str, tuple[Builtin, ...]]:
    table: dict[str, tuple[Builtin, ...]] = {row.name: (row,) for row in _makers()}
    table[GRID_BARRIER.name] = (GRID_BARRIER,)
    for text, pure in (
        (_MATH, True),
        (_QUICK, True),
        (_ROUNDED, True),
        (_DIRECTED, True),
        (_INTEGER, True),
        (_CONVERSIONS, True),
        (SHORT_CONVERSIONS, True),
        (PACKED_FUNCTIONS, True),
        (_MORE_RESULTS, False),
        (_ATOMIC, False),
        (_ORDERING, False),
        (WARP_FUNCTIONS, False),
        (MATRIX_FUNCTIONS, False),
        (_SERVICES, False),
        (RUNTIME_FUNCTIONS, False),
    ):
        for row in _rows(text, pure):
            table[row.name] = (*table.get(row.name, ()), row)
    return table


BUILTINS: dict[str, tuple[Builtin, ...]] = _table()
DYNAMIC_SHARED_BYTES = BUILTINS["__s2s_dynamic_shared_bytes"][0]  # of a block, as the launch asked for it
GRID_ID = BUILTINS["__s2s_grid_id"][0]  # a number that no other launch has that runs

# Where an address leads, and shared memory by its own addresses, which begin at 0. The checker makes calls of these,
# of which those for the other kinds of memory are plain conversions (`sema/calls/memory_functions`).
ADDRESS_FUNCTIONS: dict[str, Builtin] = {
    row.name: row
    for row in (
        Builtin("__isGlobal", "is_global", (Pointer(VOID, const=True),), BOOL),
        Builtin("__isShared", "is_shared", (Pointer(VOID, const=True),), BOOL),
        Builtin("__isClusterShared", "is_shared", (Pointer(VOID, const=True),), BOOL),  # a cluster is one block
        Builtin("__isConstant", "is_constant", (Pointer(VOID, const=True),), BOOL),
        Builtin("__isLocal", "is_local", (Pointer(VOID, const=True),), BOOL),
        Builtin("__cvta_generic_to_shared", "to_shared", (Pointer(VOID, const=True),), ULONG),
        Builtin("__cvta_shared_to_generic", "from_shared", (ULONG,), Pointer(VOID)),
    )
}

# Variables: name -> fields. Each is an unsigned int, equal in all threads of a block but for threadIdx.
ThreadVariable = Literal["threadIdx", "blockIdx", "blockDim", "gridDim"]
THREAD_VARIABLES: tuple[ThreadVariable, ...] = ("threadIdx", "blockIdx", "blockDim", "gridDim")

WARP_SIZE = LANES_OF_WARP  # the gangs of kernels that use warps have so many threads

# Class templates whose variables at file scope both sides know, without a mark.
TEXTURE_REFERENCES = frozenset(("texture", "surface"))
